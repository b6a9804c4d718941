/*
 * A pointer to a variable of a function is used when the function may have returned: whether it has
 * is for the search to find out.
 *
 * expect: 1
 * match: stack frame that has returned|stack of a thread that has ended
 */
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

static int *_Atomic shared;
static atomic_int passed;

static __attribute__((noinline)) void show(void)
{
	int own = 1;

	shared = &own;
	passed = 1;
	shared = NULL;
}

static void *shower(void *arg)
{
	show();
	passed = 2;
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
