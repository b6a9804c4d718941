/*
 * A thread-local variable ends with its thread; a pointer to it may be used before or after.
 *
 * expect: 1
 * match: thread-local variable of a thread that has ended
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static _Thread_local int own;
static int *_Atomic shared;

static void *shower(void *arg)
{
	own = 5;
	shared = &own;
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
		*(volatile int *)seen = 3;
	pthread_join(t, NULL);
	return 0;
}
