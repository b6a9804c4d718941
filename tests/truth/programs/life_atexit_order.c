/*
 * Two threads register handlers: which one runs first at the end is open.
 *
 * expect: 1
 * match: abort
 */
#include <pthread.h>
#include <stdlib.h>

static int last;

static void one(void)
{
	if (last == 2)
		abort();
	last = 1;
}

static void two(void)
{
	last = 2;
}

static void *first(void *arg)
{
	atexit(one);
	return arg;
}

static void *second(void *arg)
{
	atexit(two);
	return arg;
}

int main(void)
{
	pthread_t s, t;

	pthread_create(&s, NULL, first, NULL);
	pthread_create(&t, NULL, second, NULL);
	pthread_join(s, NULL);
	pthread_join(t, NULL);
	return 0;
}
