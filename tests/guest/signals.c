/*
 * Signals: a thread that waits for them, and a handler.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static sigset_t set;
static volatile sig_atomic_t handled;

static void handle(int number)
{
	handled = number;
}

static void *take(void *arg)
{
	int number;

	CHECK(sigwait(&set, &number) == 0);
	return (void *)(long)number;
}

int main(void)
{
	struct timespec zero = {0, 0};
	struct sigaction action = {.sa_handler = handle}, old;
	pthread_t t;
	void *result;

	CHECK(sigemptyset(&set) == 0 && sigaddset(&set, SIGUSR1) == 0);
	CHECK(pthread_sigmask(SIG_BLOCK, &set, NULL) == 0);
	CHECK(sigtimedwait(&set, NULL, &zero) == -1 && errno == EAGAIN);
	CHECK(pthread_create(&t, NULL, take, NULL) == 0);
	CHECK(kill(getpid(), SIGUSR1) == 0);
	CHECK(pthread_join(t, &result) == 0 && (long)result == SIGUSR1);
	CHECK(pthread_create(&t, NULL, take, NULL) == 0);
	CHECK(pthread_kill(t, SIGUSR1) == 0);
	CHECK(pthread_join(t, &result) == 0 && (long)result == SIGUSR1);
	CHECK(pthread_kill(pthread_self(), SIGUSR1) == 0);
	CHECK(sigtimedwait(&set, NULL, &zero) == SIGUSR1);
	CHECK(sigaction(SIGUSR2, &action, &old) == 0);
	CHECK(old.sa_handler == SIG_DFL);
	CHECK(raise(SIGUSR2) == 0 && handled == SIGUSR2);
	CHECK(signal(SIGUSR2, SIG_IGN) == handle);
	CHECK(raise(SIGUSR2) == 0);
	SUCCESS();
	return 0;
}
