/*
 * A message behind a relaxed flag: with the flag seen, the plain store may still be on its way.
 *
 * expect: 1
 * match: data race
 * match: (commits|writes) message
 * options: --model=pso --races=error
 */
#include <pthread.h>
#include <stdatomic.h>

static int message, got;
static atomic_int flag;

static void *sender(void *arg)
{
	message = 1;
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
	return arg;
}

static void *receiver(void *arg)
{
	if (atomic_load_explicit(&flag, memory_order_acquire))
		got = message;
	return arg;
}

int main(void)
{
	pthread_t t[2];

	pthread_create(&t[0], NULL, sender, NULL);
	pthread_create(&t[1], NULL, receiver, NULL);
	pthread_join(t[0], NULL);
	pthread_join(t[1], NULL);
	return 0;
}
