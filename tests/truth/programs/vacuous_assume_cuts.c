/*
 * Where the first thread gives up its assumption too early, the second one has not yet shown what it
 * does then: that has to be looked at all the same.
 *
 * expect: 1
 * match: assertion failed.*in first
 */
#include <assert.h>
#include <heddle/heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int w, seen, x;

static void *first(void *arg)
{
	int v = w;

	seen = v + 1;
	heddle_assume(v == 1 || x == 4);
	assert(x != 4);
	return arg;
}

static void *second(void *arg)
{
	if (seen == 1)
		x = 4;
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, first, NULL);
	pthread_create(&t[1], NULL, second, NULL);
	w = 1;
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
