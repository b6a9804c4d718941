/*
 * Main leaves by pthread_exit, so that the process waits for the others: one that nobody wakes is
 * a deadlock.
 *
 * expect: 1
 * match: deadlock
 * drawn
 */
#include <pthread.h>
#include <semaphore.h>

static sem_t never;

static void *thread(void *arg)
{
	sem_wait(&never);
	return arg;
}

int main(void)
{
	pthread_t t;

	sem_init(&never, 0, 0);
	pthread_create(&t, NULL, thread, NULL);
	pthread_exit(NULL);
}
