/*
 * Handlers that threads register and that may run in any order.
 *
 * expect: 0
 */
#include <pthread.h>
#include <stdlib.h>

static int count;

static void one(void)
{
	count++;
}

static void last(void)
{
	if (count != 2)
		abort();
}

static void *first(void *arg)
{
	atexit(one);
	return arg;
}

static void *second(void *arg)
{
	atexit(one);
	return arg;
}

int main(void)
{
	pthread_t s, t;

	atexit(last);
	pthread_create(&s, NULL, first, NULL);
	pthread_create(&t, NULL, second, NULL);
	pthread_join(s, NULL);
	pthread_join(t, NULL);
	return 0;
}
