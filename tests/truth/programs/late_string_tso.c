/*
 * Store buffering around a library function: both threads may find the other's string empty.  heddle
 * waits for a thread's stores before the call, and must not say that this was all.
 *
 * expect: 4
 * match: library function.*waited for late stores
 * options: --model=tso --algorithm=learn
 */
#include <assert.h>
#include <pthread.h>
#include <string.h>

static char x[8], y[8];
static size_t seen[2];

static void *first(void *arg)
{
	x[0] = '1';
	seen[0] = strlen(y);
	return arg;
}

static void *second(void *arg)
{
	y[0] = '1';
	seen[1] = strlen(x);
	return arg;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, first, NULL);
	pthread_create(&b, NULL, second, NULL);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(seen[0] || seen[1]);
	return 0;
}
