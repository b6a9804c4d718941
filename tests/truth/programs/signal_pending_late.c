/*
 * What sigpending() stores is seen by others.
 *
 * expect: 1
 * match: assertion failed
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static sigset_t pending;

static void *worker(void *arg)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	raise(SIGUSR1);
	sigpending(&pending);
	return arg;
}

int main(void)
{
	pthread_t t;
	int seen;

	pthread_create(&t, NULL, worker, NULL);
	seen = sigismember(&pending, SIGUSR1);
	pthread_join(t, NULL);
	assert(seen == 0);
	return 0;
}
