/*
 * The handler of a signal for a thread runs in that thread, never in the sender.
 *
 * expect: 4
 * match: no failure
 * drawn
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>

static pthread_t worker;
static atomic_int ready, hit;

static void handle(int number)
{
	assert(pthread_equal(pthread_self(), worker));
	atomic_store(&hit, 1);
}

static void *thread(void *arg)
{
	worker = pthread_self();
	atomic_store(&ready, 1);
	while (!atomic_load(&hit))
		continue;
	return arg;
}

int main(void)
{
	pthread_t t;

	signal(SIGUSR1, handle);
	pthread_create(&t, NULL, thread, NULL);
	while (!atomic_load(&ready))
		continue;
	pthread_kill(t, SIGUSR1);
	pthread_join(t, NULL);
	return 0;
}
