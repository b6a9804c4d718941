/*
 * Bug: two threads are in the critical section together.
 * Cause: each announces itself and looks at the other without a fence; both stores may still be in
 * the store buffers.
 * expect: assert
 * model: tso
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define relaxed memory_order_relaxed

static atomic_int want[2];
static atomic_int inside;

static void *visitor(void *arg)
{
	int me = (int)(long)arg;

	atomic_store_explicit(&want[me], 1, relaxed);
	if (atomic_load_explicit(&want[1 - me], relaxed) == 0) {
		assert(atomic_fetch_add(&inside, 1) == 0);
		atomic_fetch_sub(&inside, 1);
	}
	atomic_store_explicit(&want[me], 0, relaxed);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, visitor, (void *)0L);
	pthread_create(&b, NULL, visitor, (void *)1L);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	return 0;
}
