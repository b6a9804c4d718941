/*
 * Bug: a reader accepts a torn pair.
 * Cause: a sequence lock whose counter is stored relaxed: the data may reach memory outside of the
 * odd phase.
 * expect: assert
 * model: pso
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define relaxed memory_order_relaxed

static atomic_int sequence, left, right;

static void *writer(void *arg)
{
	atomic_store_explicit(&sequence, 1, relaxed);
	atomic_store_explicit(&left, 1, relaxed);
	atomic_store_explicit(&right, 1, relaxed);
	atomic_store_explicit(&sequence, 2, relaxed);
	return arg;
}

static void *reader(void *arg)
{
	int before = atomic_load_explicit(&sequence, relaxed);
	int l = atomic_load_explicit(&left, relaxed);
	int r = atomic_load_explicit(&right, relaxed);
	int after = atomic_load_explicit(&sequence, relaxed);

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
