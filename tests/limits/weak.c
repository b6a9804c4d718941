/* Dekker's entry without fences, under a lot of other work: advice about fences takes long. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int want[2], inside, noise;

static void *enter(void *arg)
{
	int me = (int)(long)arg;

	for (int i = 0; i < 12; i++)
		atomic_fetch_add_explicit(&noise, me + 1, memory_order_relaxed);
	atomic_store_explicit(&want[me], 1, memory_order_relaxed);
	if (!atomic_load_explicit(&want[!me], memory_order_relaxed)) {
		assert(atomic_fetch_add(&inside, 1) == 0);
		atomic_fetch_sub(&inside, 1);
	}
	for (int i = 0; i < 12; i++)
		atomic_store_explicit(&noise, i, memory_order_relaxed);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, enter, (void *)0);
	pthread_create(&b, NULL, enter, (void *)1);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
