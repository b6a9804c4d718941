/*
 * Atomic read-modify-write operations of several sizes, and a compare-and-swap loop.
 * expect: clean
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static _Atomic uint8_t bits;
static _Atomic uint16_t small;
static atomic_int counter;
static _Atomic uint64_t large;
static atomic_flag busy = ATOMIC_FLAG_INIT;

static void *worker(void *arg)
{
	int me = (int)(long)arg;
	uint64_t seen = atomic_load(&large);

	atomic_fetch_or(&bits, (uint8_t)(1 << me));
	atomic_fetch_sub(&small, 1);
	atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
	while (!atomic_compare_exchange_weak(&large, &seen, seen * 2 + 1))
		;
	while (atomic_flag_test_and_set(&busy))
		;
	atomic_flag_clear(&busy);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	atomic_store(&small, 2);
	pthread_create(&a, NULL, worker, (void *)0L);
	pthread_create(&b, NULL, worker, (void *)1L);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(atomic_load(&bits) == 3 && atomic_load(&small) == 0);
	assert(atomic_load(&counter) == 2 && atomic_load(&large) == 3);
	return 0;
}
