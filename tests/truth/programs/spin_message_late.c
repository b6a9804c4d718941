/*
 * A message behind a flag that is waited for, and may overtake it.
 *
 * expect: 1
 * options: --model=pso
 */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int message, flag;

static void *reader(void *arg)
{
	while (!atomic_load_explicit(&flag, memory_order_acquire))
		;
	assert(atomic_load_explicit(&message, memory_order_relaxed) == 1);
	return arg;
}

static void *writer(void *arg)
{
	atomic_store_explicit(&message, 1, memory_order_relaxed);
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	return arg;
}

int main(void)
{
	pthread_t t, u;

	pthread_create(&t, NULL, reader, NULL);
	pthread_create(&u, NULL, writer, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
