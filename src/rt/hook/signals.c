/*
 * Signal handlers.  They come from outside, at no step of anybody's: they run outside control, in
 * the middle of whatever the process does, and what they do is not recorded.  Handlers for the
 * signals by which the runtime sees crashes are remembered and not installed.
 */
#include "rt/hook/signals.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "rt/hook/sigwait.h"
#include "rt/mem/undo.h"
#include "rt/os/real.h"

/* What the program asked for; the kernel has run_outside instead of its handlers. */
static struct sigaction asked[NSIG];
static uint8_t known[NSIG];

static void run_outside(int number, siginfo_t *info, void *context)
{
	struct sigaction *a = &asked[number];
	int saved = errno;

	rt_inside++;
	if (a->sa_flags & SA_SIGINFO)
		a->sa_sigaction(number, info, context);
	else
		a->sa_handler(number);
	rt_inside--;
	errno = saved;
}

static bool is_handler(const struct sigaction *a)
{
	return (a->sa_flags & SA_SIGINFO) || (a->sa_handler != SIG_DFL && a->sa_handler != SIG_IGN);
}

static bool is_crash(int number)
{
	return number == SIGSEGV || number == SIGBUS || number == SIGFPE || number == SIGILL ||
	       number == SIGSYS || number == SIGTRAP;
}

static int install(int number, const struct sigaction *wanted)
{
	struct sigaction real = *wanted;

	if (is_crash(number)) {
		rt_note("the program's handler for signal %d is not installed", number);
		return 0;
	}
	if (is_handler(wanted)) {
		real.sa_sigaction = run_outside;
		real.sa_flags |= SA_SIGINFO;
		rt_note("signal handlers run outside control");
	}
	return REAL(sigaction)(number, &real, NULL);
}

static int change(int number, const struct sigaction *wanted, struct sigaction *old)
{
	struct sigaction before;

	if (number <= 0 || number >= NSIG) {
		errno = EINVAL;
		return -1;
	}
	if (wanted)
		rt_irreversible("sigaction(%d)", number);
	if (known[number])
		before = asked[number];
	else if (is_crash(number))
		memset(&before, 0, sizeof(before));
	else if (REAL(sigaction)(number, NULL, &before) < 0)
		return -1;
	if (wanted && install(number, wanted) < 0)
		return -1;
	if (wanted) {
		asked[number] = *wanted;
		known[number] = 1;
	}
	if (old) {
		undo_touch(old, sizeof(*old));
		*old = before;
	}
	return 0;
}

RT_EXPORT int sigaction(int number, const struct sigaction *restrict wanted,
			struct sigaction *restrict old)
{
	return rt_controlled() ? change(number, wanted, old) : REAL(sigaction)(number, wanted, old);
}

RT_EXPORT sighandler_t signal(int number, sighandler_t handler)
{
	struct sigaction wanted, old;

	if (!rt_controlled())
		return REAL(signal)(number, handler);
	memset(&wanted, 0, sizeof(wanted));
	wanted.sa_handler = handler;
	wanted.sa_flags = SA_RESTART;
	return change(number, &wanted, &old) < 0 ? SIG_ERR : old.sa_handler;
}

RT_EXPORT int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
	if (rt_controlled() && set)
		rt_irreversible("sigprocmask");
	return REAL(sigprocmask)(how, set, old);
}

RT_EXPORT int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
	if (rt_controlled() && set)
		rt_irreversible("pthread_sigmask");
	return REAL(pthread_sigmask)(how, set, old);
}

RT_EXPORT int sigaltstack(const stack_t *restrict wanted, stack_t *restrict old)
{
	if (rt_controlled() && wanted)
		rt_irreversible("sigaltstack");
	return REAL(sigaltstack)(wanted, old);
}

static bool is_blocked(int number)
{
	sigset_t mask;

	return REAL(pthread_sigmask)(SIG_BLOCK, NULL, &mask) == 0 && sigismember(&mask, number);
}

void signals_send(struct rt_thread *t, int number)
{
	if (sigwait_is_wanted(t, number) || is_blocked(number)) {
		sigwait_send(t, number);
	} else if (t != rt_self() && known[number] && is_handler(&asked[number])) {
		siginfo_t info = {.si_signo = number, .si_code = SI_TKILL};

		rt_note("a signal for another thread runs its handler in the sender's context");
		run_outside(number, &info, NULL);
	} else {
		REAL(raise)(number);
	}
}
