/*
 * The same with a limit on rounds of loops.
 *
 * expect: 4
 * match: cut off by a limit
 * options: --loop-bound=3
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void *thread(void *arg)
{
	for (int i = 0; i < 8; i++)
		if (atomic_load(&x))
			atomic_fetch_add(&y, 1);
	assert(atomic_load(&y) != 5);
	return arg;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, thread, NULL);
	atomic_store(&x, 1);
	return 0;
}
