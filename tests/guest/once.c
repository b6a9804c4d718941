/* pthread_once: one run, everybody waits for it, a cancelled routine runs again. */
#include <pthread.h>
#include <semaphore.h>

#include "check.h"

static pthread_once_t control = PTHREAD_ONCE_INIT, again = PTHREAD_ONCE_INIT;
static sem_t started, never;
static int made, value, attempts;

static void make(void)
{
	made++;
	value = 42;
}

static void *use(void *arg)
{
	CHECK(pthread_once(&control, make) == 0);
	CHECK(value == 42);
	return arg;
}

static void cancelled_first(void)
{
	if (attempts++ > 0)
		return;
	sem_post(&started);
	sem_wait(&never);
}

static void *try_again(void *arg)
{
	pthread_once(&again, cancelled_first);
	return arg;
}

int main(void)
{
	pthread_t t[3];
	void *result;

	for (int i = 0; i < 3; i++)
		CHECK(pthread_create(&t[i], NULL, use, NULL) == 0);
	for (int i = 0; i < 3; i++)
		CHECK(pthread_join(t[i], NULL) == 0);
	CHECK(made == 1);

	CHECK(sem_init(&started, 0, 0) == 0 && sem_init(&never, 0, 0) == 0);
	CHECK(pthread_create(&t[0], NULL, try_again, NULL) == 0);
	CHECK(sem_wait(&started) == 0);
	CHECK(pthread_cancel(t[0]) == 0);
	CHECK(pthread_join(t[0], &result) == 0 && result == PTHREAD_CANCELED);
	CHECK(pthread_once(&again, cancelled_first) == 0);
	CHECK(attempts == 2);
	SUCCESS();
	return 0;
}
