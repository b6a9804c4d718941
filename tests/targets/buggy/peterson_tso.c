/*
 * Bug: mutual exclusion fails: an increment is lost.
 * Cause: Peterson's algorithm without fences, which needs sequential consistency.
 * expect: assert
 * model: tso
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define relaxed memory_order_relaxed

static atomic_int flag[2], turn;
static volatile int counter;

static void *visitor(void *arg)
{
	int me = (int)(long)arg, other = 1 - me;

	atomic_store_explicit(&flag[me], 1, relaxed);
	atomic_store_explicit(&turn, other, relaxed);
	while (atomic_load_explicit(&flag[other], relaxed) &&
	       atomic_load_explicit(&turn, relaxed) == other)
		;
	counter = counter + 1;
	atomic_store_explicit(&flag[me], 0, relaxed);
	return NULL;
}

int main(void)
{
	pthread_t a, b;

	pthread_create(&a, NULL, visitor, (void *)0L);
	pthread_create(&b, NULL, visitor, (void *)1L);
	pthread_join(a, NULL);
	pthread_join(b, NULL);
	assert(counter == 2);
	return 0;
}
