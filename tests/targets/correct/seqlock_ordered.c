/*
 * A sequence lock with the orders it needs; the data are atomics, read relaxed between acquires.
 * expect: clean
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int sequence, left, right;

static void *writer(void *arg)
{
	atomic_store(&sequence, 1);
	atomic_store_explicit(&left, 1, memory_order_release);
	atomic_store_explicit(&right, 1, memory_order_release);
	atomic_store_explicit(&sequence, 2, memory_order_release);
	return arg;
}

static void *reader(void *arg)
{
	int before = atomic_load_explicit(&sequence, memory_order_acquire);
	int l = atomic_load_explicit(&left, memory_order_acquire);
	int r = atomic_load_explicit(&right, memory_order_acquire);
	int after = atomic_load_explicit(&sequence, memory_order_relaxed);

	if (before == after && before % 2 == 0)
		assert(l == r);
	return arg;
}

int main(void)
{
	pthread_t w, r;

	pthread_create(&w, NULL, writer, NULL);
	pthread_create(&r, NULL, reader, NULL);
	pthread_join(w, NULL);
	pthread_join(r, NULL);
	return 0;
}
