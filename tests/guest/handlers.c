/*
 * Handlers run in the thread that a signal is for and break off its waits; masks belong to threads
 * and are inherited; jumps leave handlers.
 */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <time.h>
#include <unistd.h>

#include "check.h"

static pthread_t first;
static atomic_int done, handled;
static sem_t never;
static sigjmp_buf back;
static volatile int jumps;

static void handle(int number)
{
	CHECK(pthread_equal(pthread_self(), first));
	atomic_fetch_add(&handled, 1);
	errno = ERANGE;
}

static void jump(int number)
{
	jumps++;
	siglongjmp(back, 1);
}

static void *disturb(void *arg)
{
	while (!atomic_load(&done)) {
		CHECK(pthread_kill(first, SIGUSR1) == 0);
		usleep(1000);
	}
	return NULL;
}

static void *inherits(void *arg)
{
	sigset_t now;

	CHECK(pthread_sigmask(SIG_BLOCK, NULL, &now) == 0 && sigismember(&now, SIGUSR2) == 1);
	CHECK(pthread_sigmask(SIG_UNBLOCK, &now, NULL) == 0);
	return NULL;
}

static void waits_are_broken_off(void)
{
	struct sigaction action = {.sa_handler = handle};
	struct timespec rest = {0, 0}, hour = {3600, 0};
	pthread_t t;

	CHECK(sem_init(&never, 0, 0) == 0);
	CHECK(sigaction(SIGUSR1, &action, NULL) == 0);
	CHECK(pthread_create(&t, NULL, disturb, NULL) == 0);
	CHECK(sem_wait(&never) == -1 && errno == EINTR);
	CHECK(nanosleep(&hour, &rest) == 0 || (errno == EINTR && rest.tv_sec >= 0));
	CHECK(atomic_load(&handled) > 0);
	atomic_store(&done, 1);
	CHECK(pthread_join(t, NULL) == 0);
}

static void masks_are_inherited(void)
{
	sigset_t set, now;
	pthread_t t;

	CHECK(sigemptyset(&set) == 0 && sigaddset(&set, SIGUSR2) == 0);
	CHECK(sigprocmask(SIG_BLOCK, &set, NULL) == 0);
	CHECK(pthread_create(&t, NULL, inherits, NULL) == 0);
	CHECK(pthread_join(t, NULL) == 0);
	CHECK(sigprocmask(SIG_BLOCK, NULL, &now) == 0 && sigismember(&now, SIGUSR2) == 1);
	CHECK(raise(SIGUSR2) == 0 && sigpending(&now) == 0 && sigismember(&now, SIGUSR2) == 1);
	CHECK(signal(SIGUSR2, SIG_IGN) == SIG_DFL);
	CHECK(sigprocmask(SIG_UNBLOCK, &set, NULL) == 0);
}

static void jumps_leave_handlers(void)
{
	sigset_t now;

	CHECK(signal(SIGUSR1, jump) == handle);
	if (sigsetjmp(back, 1) == 0 || jumps < 3)
		raise(SIGUSR1);
	CHECK(jumps == 3);
	CHECK(sigprocmask(SIG_BLOCK, NULL, &now) == 0 && sigismember(&now, SIGUSR1) == 0);
}

int main(void)
{
	first = pthread_self();
	waits_are_broken_off();
	masks_are_inherited();
	jumps_leave_handlers();
	SUCCESS();
	return 0;
}
