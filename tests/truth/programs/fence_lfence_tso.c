/*
 * expect: 1
 * options: --model=tso
 *
 * lfence orders loads: an earlier store is still late.
 */
#include <assert.h>
#include <pthread.h>

static int x, y, a, b;

static void *thread(void *arg)
{
	__atomic_store_n(&x, 1, __ATOMIC_RELAXED);
	__asm__ __volatile__("lfence" : : : "memory");
	a = __atomic_load_n(&y, __ATOMIC_RELAXED);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, NULL);
	__atomic_store_n(&y, 1, __ATOMIC_RELAXED);
	__asm__ __volatile__("lfence" : : : "memory");
	b = __atomic_load_n(&x, __ATOMIC_RELAXED);
	pthread_join(t, NULL);
	assert(a || b);
	return 0;
}
