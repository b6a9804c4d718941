/* nondet: every thread waits; a signal handler posts the semaphore. */
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <unistd.h>

#include "check.h"

static sem_t sem;

static void handler(int number)
{
	(void)number;
	sem_post(&sem);
}

static void *work(void *unused)
{
	(void)unused;
	sem_wait(&sem);
	return NULL;
}

int main(void)
{
	pthread_t t;
	sem_init(&sem, 0, 0);
	signal(SIGALRM, handler);
	alarm(1);
	pthread_create(&t, NULL, work, NULL);
	EXPECT(pthread_join(t, NULL) == 0);
	return 0;
}
