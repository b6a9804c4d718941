/*
 * The semaphore is initialised a second time while a thread sleeps at it.
 *
 * expect: 1
 * match: initialisation of a semaphore on which a thread waits
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t tokens;

static void *worker(void *arg)
{
	sem_wait(&tokens);
	return NULL;
}

int main(void)
{
	pthread_t t;

	sem_init(&tokens, 0, 0);
	pthread_create(&t, NULL, worker, NULL);
	sem_init(&tokens, 0, 1);
	pthread_join(t, NULL);
	return 0;
}
