/*
 * Bug: a thread spins for ever.
 * Cause: the spinner waits for a value that is overwritten before it looks.
 * expect: livelock
 */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int phase;

static void *waiter(void *arg)
{
	while (atomic_load(&phase) != 1)
		;
	return arg;
}

static void *driver(void *arg)
{
	atomic_store(&phase, 1);
	atomic_store(&phase, 2);
	return arg;
}

int main(void)
{
	pthread_t w, d;

	pthread_create(&w, NULL, waiter, NULL);
	pthread_create(&d, NULL, driver, NULL);
	pthread_join(w, NULL);
	pthread_join(d, NULL);
	return 0;
}
