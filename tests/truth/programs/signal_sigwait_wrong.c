/*
 * Two signals of one number are one while the first is pending: the second sigwait may wait for
 * ever.
 *
 * expect: 4
 * match: not all
 */
#include <pthread.h>
#include <signal.h>

static sigset_t set;

static void *thread(void *arg)
{
	int number;

	sigwait(&set, &number);
	sigwait(&set, &number);
	return NULL;
}

int main(void)
{
	pthread_t t;

	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &set, NULL);
	pthread_create(&t, NULL, thread, NULL);
	pthread_kill(t, SIGUSR1);
	pthread_kill(t, SIGUSR1);
	pthread_join(t, NULL);
	return 0;
}
