/*
 * Real-time signals wait one behind the other, with what was sent along; of an ordinary signal the
 * first counts while it is pending.
 *
 * expect: 0
 * drawn
 */
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static sigset_t set;

static void *thread(void *arg)
{
	siginfo_t info;

	for (int i = 1; i <= 3; i++) {
		assert(sigwaitinfo(&set, &info) == SIGRTMIN);
		assert(info.si_value.sival_int == i);
	}
	return arg;
}

static void send(int number, int value)
{
	union sigval v = {.sival_int = value};

	sigqueue(getpid(), number, v);
}

int main(void)
{
	siginfo_t info;
	pthread_t t;
	sigset_t all;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	all = set;
	sigaddset(&all, SIGUSR1);
	pthread_sigmask(SIG_BLOCK, &all, NULL);
	pthread_create(&t, NULL, thread, NULL);
	for (int i = 1; i <= 3; i++)
		send(SIGRTMIN, i);
	pthread_join(t, NULL);
	send(SIGUSR1, 4);
	send(SIGUSR1, 5);
	assert(sigwaitinfo(&all, &info) == SIGUSR1 && info.si_value.sival_int == 4);
	sigpending(&all);
	assert(!sigismember(&all, SIGUSR1));
	return 0;
}
