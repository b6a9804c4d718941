/*
 * Signals from outside: sent by another process or by the terminal.  The program's own signals and
 * timers are sent again by the program that is executed again; these are inputs, of the thread that
 * waited for them or of the handler that they ran.
 */
#include "guest/record/record.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

#include "guest/os/real.h"
#include "guest/os/sys.h"

/* What the kernel sends for a terminal has no sender; nor have the expiries of timers. */
static bool from_terminal(int number)
{
	return number == SIGINT || number == SIGQUIT || number == SIGHUP || number == SIGTSTP ||
	       number == SIGCONT || number == SIGWINCH;
}

static bool from_outside(const siginfo_t *info)
{
	if (info->si_code == SI_KERNEL)
		return from_terminal(info->si_signo);
	return (info->si_code == SI_USER || info->si_code == SI_QUEUE ||
		info->si_code == SI_TKILL) &&
	       info->si_pid != sys_getpid();
}

static void note(int number, const siginfo_t *info, const void *caller)
{
	uint32_t outside = number > 0 && from_outside(info);
	struct rec_answer a = {.kind = RECORD_IN_SIGNAL,
			       .result = number,
			       .detail = __builtin_ia32_rdtsc(),
			       .data = &outside,
			       .bytes = sizeof(outside),
			       .caller = caller,
			       .failed = number < 0};

	rec_input_note(&a);
}

void rec_signal_handled(const siginfo_t *info, const void *handler)
{
	if (from_outside(info))
		note(info->si_signo, info, handler);
}

RECORD_EXPORT int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *limit)
{
	siginfo_t own = {.si_signo = 0};
	int number = REAL(sigtimedwait)(set, &own, limit);

	note(number, &own, REC_CALLER);
	if (number > 0 && info)
		*info = own;
	return number;
}

RECORD_EXPORT int sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
	siginfo_t own = {.si_signo = 0};
	int number = REAL(sigwaitinfo)(set, &own);

	note(number, &own, REC_CALLER);
	if (number > 0 && info)
		*info = own;
	return number;
}

/* Handlers of other signals do not end this wait, and errno stays what it was. */
RECORD_EXPORT int sigwait(const sigset_t *set, int *to)
{
	siginfo_t own = {.si_signo = 0};
	int saved = errno, number, failed;

	do
		number = REAL(sigwaitinfo)(set, &own);
	while (number < 0 && errno == EINTR);
	failed = number < 0 ? errno : 0;
	errno = saved;
	if (failed)
		return failed;
	note(number, &own, REC_CALLER);
	*to = number;
	return 0;
}
