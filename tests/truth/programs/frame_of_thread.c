/*
 * A variable of a thread's start routine is gone when that has returned, before anybody joins it.
 *
 * expect: 1
 * match: stack (frame that has returned|of a thread that has ended)
 */
#include <pthread.h>

static volatile int *_Atomic shared;

static void *owner(void *arg)
{
	volatile int local = 42;

	shared = &local;
	return arg;
}

static void *reader(void *arg)
{
	volatile int *there = shared;

	return there && *there == 43 ? (void *)there : arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, owner, NULL);
	pthread_create(&t[1], NULL, reader, NULL);
	pthread_join(t[1], NULL);
	pthread_join(t[0], NULL);
	return 0;
}
