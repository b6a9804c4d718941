/*
 * A semaphore that is full refuses; a search does not know, and that is said.
 *
 * expect: 4
 * match: nearly full
 */
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t sem;

static void *worker(void *arg)
{
	sem_post(&sem);
	return arg;
}

int main(void)
{
	pthread_t t;

	sem_init(&sem, 0, SEM_VALUE_MAX);
	pthread_create(&t, NULL, worker, NULL);
	sem_wait(&sem);
	pthread_join(t, NULL);
	return 0;
}
