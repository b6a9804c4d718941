/*
 * The same of a variable of the function that a thread begins with.
 *
 * expect: 1
 * match: stack frame that has returned|stack of a thread that has ended
 */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stddef.h>

static int *_Atomic shared;

static void *shower(void *arg)
{
	int own = 1;

	shared = &own;
	sched_yield();
	shared = NULL;
	return arg;
}

int main(void)
{
	pthread_t t;
	int *seen;

	pthread_create(&t, NULL, shower, NULL);
	seen = shared;
	if (seen)
		*(volatile int *)seen = 2;
	pthread_join(t, NULL);
	return 0;
}
