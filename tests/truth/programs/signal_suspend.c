/*
 * sigsuspend() returns when the handler has run, and the mask is as before.
 *
 * expect: 4
 * match: may interrupt a thread
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static volatile sig_atomic_t hit;
static pthread_t first;

static void handle(int number)
{
	hit = 1;
}

static void *thread(void *arg)
{
	pthread_kill(first, SIGUSR2);
	return arg;
}

int main(void)
{
	sigset_t set, old, now;
	pthread_t t;

	first = pthread_self();
	signal(SIGUSR2, handle);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR2);
	sigprocmask(SIG_BLOCK, &set, &old);
	pthread_create(&t, NULL, thread, NULL);
	while (!hit)
		sigsuspend(&old);
	sigprocmask(SIG_BLOCK, NULL, &now);
	assert(sigismember(&now, SIGUSR2) == 1);
	pthread_join(t, NULL);
	return 0;
}
