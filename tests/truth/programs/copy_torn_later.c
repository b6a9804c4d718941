/*
 * The same two calls race with one byte first, which nobody sees half done, and then with many.
 *
 * expect: 4
 * match: nobody looked at it half done
 * cc: -fno-inline
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char from[200], to[200];

static void fill(size_t bytes)
{
	memset(from, 1, bytes);
}

static void copy(size_t bytes)
{
	memcpy(to, from, bytes);
}

static void *fills(void *arg)
{
	fill(1);
	fill(sizeof(from));
	return arg;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, 0, fills, 0);
	copy(1);
	copy(sizeof(to));
	pthread_join(thread, 0);
	assert(to[1] == to[199]);
	return 0;
}
