/*
 * A barrier that nobody initialised: static memory is no barrier.
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
	pthread_join(t, NULL);
	return 0;
}
