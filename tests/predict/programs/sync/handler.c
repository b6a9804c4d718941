/*
 * Correct: what is written before a signal is sent, its handler reads.
 */
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>

static int x;
static atomic_int ready, done;

static void handler(int number)
{
	(void)number;
	assert(x == 1);
	atomic_store(&done, 1);
}

static void *waiter(void *arg)
{
	atomic_store(&ready, 1);
	while (!atomic_load(&done))
		sched_yield();
	return arg;
}

int main(void)
{
	pthread_t t;

	signal(SIGUSR1, handler);
	pthread_create(&t, NULL, waiter, NULL);
	while (!atomic_load(&ready))
		sched_yield();
	x = 1;
	pthread_kill(t, SIGUSR1);
	pthread_join(t, NULL);
	return 0;
}
