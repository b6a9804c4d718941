/*
 * kill() of the own process, with one thread that does not block the signal, and pending ones.
 *
 * expect: 0
 * drawn
 */
#include <assert.h>
#include <signal.h>
#include <unistd.h>

static volatile sig_atomic_t hits;

static void hit(int number)
{
	hits++;
}

int main(void)
{
	sigset_t set, pending;

	signal(SIGUSR1, hit);
	kill(getpid(), SIGUSR1);
	assert(hits == 1);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigprocmask(SIG_BLOCK, &set, NULL);
	kill(getpid(), SIGUSR1);
	assert(hits == 1);
	assert(sigpending(&pending) == 0 && sigismember(&pending, SIGUSR1) == 1);
	sigprocmask(SIG_UNBLOCK, &set, NULL);
	assert(hits == 2);
	return 0;
}
