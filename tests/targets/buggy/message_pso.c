/*
 * Bug: the reader sees the flag but not the data.
 * Cause: relaxed stores; a machine with a store queue per location may swap them.
 * expect: assert
 * model: pso
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define relaxed memory_order_relaxed

static atomic_int data, flag;

static void *writer(void *arg)
{
	atomic_store_explicit(&data, 1, relaxed);
	atomic_store_explicit(&flag, 1, relaxed);
	return arg;
}

static void *reader(void *arg)
{
	if (atomic_load_explicit(&flag, relaxed))
		assert(atomic_load_explicit(&data, relaxed) == 1);
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
