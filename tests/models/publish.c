/* Data and a flag without a fence: the flag may be seen before the data when stores are reordered. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data, flag;

static void *publisher(void *arg)
{
	atomic_store_explicit(&data, 1, memory_order_relaxed);
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, publisher, NULL);
	if (atomic_load_explicit(&flag, memory_order_relaxed))
		assert(atomic_load_explicit(&data, memory_order_relaxed) == 1);
	pthread_join(t, NULL);
	return 0;
}
