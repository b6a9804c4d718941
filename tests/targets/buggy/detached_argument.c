/*
 * Bug: a detached thread reads its argument after it was freed.
 * Cause: the creator frees it once the thread has started, not once it has read it.
 * expect: use-after-free
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static sem_t started, finished;
static int seen;

static void *session(void *arg)
{
	int *number = arg;

	sem_post(&started);
	seen = *number;
	sem_post(&finished);
	return NULL;
}

int main(void)
{
	pthread_t t;
	int *number = malloc(sizeof(*number));

	*number = 3;
	sem_init(&started, 0, 0);
	sem_init(&finished, 0, 0);
	pthread_create(&t, NULL, session, number);
	pthread_detach(t);
	sem_wait(&started);
	free(number);
	sem_wait(&finished);
	return 0;
}
