/*
 * Bug: two threads wait at a barrier for a third that went home.
 * Cause: a worker that finds the stop flag returns without arriving.
 * expect: deadlock
 */
#include <pthread.h>
#include <stdatomic.h>

static pthread_barrier_t barrier;
static atomic_int stop;

static void *worker(void *arg)
{
	if (atomic_load(&stop))
		return arg;
	pthread_barrier_wait(&barrier);
	return arg;
}

int main(void)
{
	pthread_t t[3];

	pthread_barrier_init(&barrier, NULL, 3);
	for (int i = 0; i < 3; i++)
		pthread_create(&t[i], NULL, worker, NULL);
	atomic_store(&stop, 1);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
