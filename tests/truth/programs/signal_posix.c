/*
 * expect: 0
 * options: --engine=reset
 *
 * signal() of sources that ask for POSIX only: the handler is taken away when it has run.
 */
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t handled;

static void on_signal(int number)
{
	handled = number;
}

static void *nothing(void *arg)
{
	return arg;
}

int main(void)
{
	pthread_t t;

	signal(SIGUSR1, on_signal);
	raise(SIGUSR1);
	assert(handled == SIGUSR1);
	assert(signal(SIGUSR1, SIG_IGN) == SIG_DFL);
	pthread_create(&t, NULL, nothing, NULL);
	pthread_join(t, NULL);
	return 0;
}
