/*
 * A thread may come to the barrier after main has destroyed it.
 *
 * expect: 1
 * match: barrier after pthread_barrier_destroy
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t meet;
static atomic_int begun;

static void *worker(void *arg)
{
	begun = 1;
	pthread_barrier_wait(&meet);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_barrier_init(&meet, NULL, 1);
	pthread_create(&t, NULL, worker, NULL);
	if (begun)
		pthread_barrier_destroy(&meet);
	pthread_join(t, NULL);
	return 0;
}
