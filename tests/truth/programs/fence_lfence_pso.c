/*
 * expect: 1
 * options: --model=pso
 *
 * lfence does not order stores.
 */
#include <assert.h>
#include <pthread.h>

static int data, flag;

static void *thread(void *arg)
{
	__atomic_store_n(&data, 1, __ATOMIC_RELAXED);
	__asm__ __volatile__("lfence" : : : "memory");
	__atomic_store_n(&flag, 1, __ATOMIC_RELAXED);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, NULL);
	if (__atomic_load_n(&flag, __ATOMIC_RELAXED))
		assert(__atomic_load_n(&data, __ATOMIC_RELAXED) == 1);
	pthread_join(t, NULL);
	return 0;
}
