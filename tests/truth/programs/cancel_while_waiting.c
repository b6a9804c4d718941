/*
 * A semaphore is a cancellation point at which a thread waits: more than the search knows.
 *
 * expect: 4
 * match: cancellation of a thread that sleeps, waits, reads or writes
 */
#include <pthread.h>
#include <semaphore.h>
#include <stddef.h>

static sem_t s;

static void *work(void *arg)
{
	sem_wait(&s);
	return NULL;
}

int main(void)
{
	pthread_t t;

	sem_init(&s, 0, 0);
	pthread_create(&t, NULL, work, NULL);
	pthread_cancel(t);
	pthread_join(t, NULL);
	return 0;
}
