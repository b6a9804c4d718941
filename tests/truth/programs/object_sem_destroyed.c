/*
 * A post may come after the semaphore was destroyed.
 *
 * expect: 1
 * match: semaphore after sem_destroy
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t tokens;

static void *worker(void *arg)
{
	sem_post(&tokens);
	sem_post(&tokens);
	return NULL;
}

int main(void)
{
	pthread_t t;

	sem_init(&tokens, 0, 0);
	pthread_create(&t, NULL, worker, NULL);
	sem_wait(&tokens);
	sem_destroy(&tokens);
	pthread_join(t, NULL);
	return 0;
}
