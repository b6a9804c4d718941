/*
 * expect: 4
 * match: assembly
 *
 * Assembly that is not understood and has a memory operand: the search must not be called complete.
 */
#include <assert.h>
#include <pthread.h>

static double shared;

static void *thread(void *arg)
{
	__asm__ __volatile__("fld1; fstpl %0" : "=m"(shared));
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, NULL);
	pthread_join(t, NULL);
	assert(shared == 1.0);
	return 0;
}
