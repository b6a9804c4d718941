/*
 * The barrier is initialised after the thread that waits at it was begun: only in some orders.
 *
 * expect: 1
 * match: barrier that was never initialised
 */
#include <pthread.h>

static pthread_barrier_t meet;

static void *worker(void *arg)
{
	pthread_barrier_wait(&meet);
	return NULL;
}

int main(void)
{
	pthread_t t;

	pthread_create(&t, NULL, worker, NULL);
	pthread_barrier_init(&meet, NULL, 1);
	pthread_join(t, NULL);
	return 0;
}
