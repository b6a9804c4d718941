/*
 * Had the request come earlier, the thread would have ended at the semaphore.  That it cannot is
 * not looked into.
 *
 * expect: 4
 * match: cancellation of a thread that sleeps, waits, reads or writes
 */
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>

static sem_t s;
static atomic_int passed;

static void *work(void *arg)
{
	sem_wait(&s);
	passed = 1;
	for (;;)
		pthread_testcancel();
	return NULL;
}

int main(void)
{
	pthread_t t;

	sem_init(&s, 0, 1);
	pthread_create(&t, NULL, work, NULL);
	while (!passed)
		;
	pthread_cancel(t);
	pthread_join(t, NULL);
	return 0;
}
