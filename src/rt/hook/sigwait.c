/*
 * Waiting for signals: those the kernel has for the process, and those that threads sent to one
 * another, which never leave the model.
 */
#include "rt/hook/sigwait.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>

#include "rt/hook/io.h"
#include "rt/os/real.h"
#include "rt/os/sys.h"
#include "rt/sched/thread.h"

#define SIGNAL_SET_BYTES 8 /* the kernel's */

/* Sent to a thread and not taken yet; sending ends a run of the reset engine, so no undo. */
static uint64_t pending_of[WIRE_MAX_THREADS];

static uint64_t bit(int number)
{
	return UINT64_C(1) << (number - 1);
}

/* The kernel's set is the front of the C library's. */
static uint64_t bits_of(const sigset_t *set)
{
	uint64_t bits;

	memcpy(&bits, set, sizeof(bits));
	return bits;
}

static bool signal_ready(struct rt_thread *t, const struct rt_op *op)
{
	uint64_t pending = 0;

	sys_call(SYS_rt_sigpending, (long)&pending, SIGNAL_SET_BYTES, 0, 0, 0, 0);
	return ((pending | pending_of[t->tid]) & bits_of(op->data)) != 0;
}

bool sigwait_is_wanted(const struct rt_thread *t, int number)
{
	return call_is_parked(t) && t->op->ready == signal_ready &&
	       (bits_of(t->op->data) & bit(number));
}

void sigwait_send(struct rt_thread *t, int number)
{
	pending_of[t->tid] |= bit(number);
	sched_wake_io();
}

/* Waits until there is one, then takes the lowest that a thread sent, or leaves it to the kernel.
 */
static int take_own(const sigset_t *set, int64_t timeout_ns, uint32_t *site)
{
	struct rt_op op = call_op(EVENT_IO, NULL, signal_ready);
	uint64_t *own = &pending_of[rt_self()->tid], found;
	int number;

	op.data = (void *)set;
	io_step(&op, timeout_ns);
	*site = op.site;
	found = *own & bits_of(set);
	if (!found)
		return 0;
	number = __builtin_ctzll(found) + 1;
	*own &= ~bit(number);
	return number;
}

RT_EXPORT int sigwait(const sigset_t *set, int *number)
{
	uint32_t site;
	int own, failed = 0;

	if (!rt_controlled())
		return REAL(sigwait)(set, number);
	own = take_own(set, -1, &site);
	if (own)
		*number = own;
	else
		failed = REAL(sigwait)(set, number);
	io_done(site, 0, failed ? -failed : *number, IO_SIGNAL);
	return failed;
}

RT_EXPORT int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
	const struct timespec zero = {0, 0};
	uint32_t site;
	int result;

	if (!rt_controlled())
		return REAL(sigtimedwait)(set, info, timeout);
	result = take_own(set, timeout ? (int64_t)call_interval(timeout) : -1, &site);
	if (!result)
		result = REAL(sigtimedwait)(set, info, &zero);
	else if (info)
		*info = (siginfo_t){.si_signo = result, .si_code = SI_TKILL};
	io_done(site, 0, result, IO_SIGNAL);
	return result;
}

RT_EXPORT int sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
	return rt_controlled() ? sigtimedwait(set, info, NULL) : REAL(sigwaitinfo)(set, info);
}

/* Handlers run outside control, so nothing here knows when one did: the wait never ends. */
static int wait_for_handler(void)
{
	struct rt_op op = call_op(EVENT_IO, NULL, call_never_ready);

	rt_note("pause and sigsuspend do not return under control");
	io_step(&op, -1);
	errno = EINTR;
	return -1;
}

RT_EXPORT int pause(void)
{
	return rt_controlled() ? wait_for_handler() : REAL(pause)();
}

RT_EXPORT int sigsuspend(const sigset_t *mask)
{
	return rt_controlled() ? wait_for_handler() : REAL(sigsuspend)(mask);
}
