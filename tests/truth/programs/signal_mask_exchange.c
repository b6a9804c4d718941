/*
 * The set to block is also where the old one goes: it is read first.
 *
 * expect: 0
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static void *blocks(void *arg)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, &set);
	assert(!sigismember(&set, SIGUSR1));
	pthread_sigmask(SIG_BLOCK, 0, &set);
	assert(sigismember(&set, SIGUSR1));
	return arg;
}

int main(void)
{
	pthread_t thread;

	pthread_create(&thread, 0, blocks, 0);
	pthread_join(thread, 0);
	return 0;
}
