/*
 * What a thread returns is the address of its own variable: when it is joined that is gone.
 *
 * expect: 1
 * match: stack of a thread that has ended
 */
#include <pthread.h>

static int *shared;

static void *worker(void *arg)
{
	int local = 42;

	shared = &local;
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	pthread_join(t, NULL);
	return *(volatile int *)shared == 42 ? 0 : 0;
}
