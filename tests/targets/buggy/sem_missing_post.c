/*
 * Bug: a worker waits for a licence that nobody gives back.
 * Cause: the early return forgets the post.
 * expect: deadlock
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static sem_t licences;
static atomic_int cancelled;

static void *worker(void *arg)
{
	sem_wait(&licences);
	if (atomic_load(&cancelled))
		return arg;
	sem_post(&licences);
	return arg;
}

static void *canceller(void *arg)
{
	atomic_store(&cancelled, 1);
	return arg;
}

int main(void)
{
	pthread_t t[3];

	sem_init(&licences, 0, 1);
	pthread_create(&t[0], NULL, worker, NULL);
	pthread_create(&t[1], NULL, canceller, NULL);
	pthread_create(&t[2], NULL, worker, NULL);
	for (int i = 0; i < 3; i++)
		pthread_join(t[i], NULL);
	return 0;
}
