/* Waiting for signals, and for handlers to run. */
#include "guest/check/hook/system/sigwait.h"

#include <errno.h>
#include <signal.h>
#include <string.h>

#include "guest/check/hook/cancel.h"
#include "guest/check/hook/system/feed.h"
#include "guest/check/hook/system/io.h"
#include "guest/check/hook/system/sigsend.h"
#include "guest/check/mem/undo.h"
#include "guest/os/real.h"
#include "guest/check/rec/rec.h"

static bool signal_ready(struct rt_thread *t, const struct rt_op *op)
{
	return (signals_pending(t) & *(const uint64_t *)op->data) != 0;
}

static bool is_waiting(const struct rt_thread *t)
{
	return t != rt_self() && t->op && t->op->ready == signal_ready &&
	       t->state != THREAD_FINISHED && t->state != THREAD_GONE;
}

bool sigwait_is_wanted(const struct rt_thread *t, int number)
{
	return is_waiting(t) && (*(const uint64_t *)t->op->data & signals_bit(number));
}

bool sigwait_anybody(void)
{
	struct rt_thread *t;

	for (uint32_t tid = 0; (t = thread_by_tid(tid)) != NULL; tid++)
		if (t->state == THREAD_SPINNING && t->op->ready == signal_ready)
			return true;
	return false;
}

void sigwait_wake(void)
{
	struct rt_thread *t;

	for (uint32_t tid = 0; (t = thread_by_tid(tid)) != NULL; tid++)
		if (is_waiting(t))
			sched_wake(t->op->addr);
	sched_wake_io();
}

/* A wait for the outside that handlers break off. */
static enum step_result wait_step(struct rt_op *op, int64_t timeout_ns)
{
	enum step_result step;

	op->flags = OP_IO | OP_CANCEL | OP_INTR;
	if (timeout_ns == 0)
		op->ready = NULL;
	if (timeout_ns > 0)
		call_expires_after(op, (uint64_t)timeout_ns);
	step = sched_step(op);
	cancel_point();
	return step;
}

/* With a time limit, which no search knows how to end early. */
static int wait_limited(uint64_t bits, int64_t timeout_ns, siginfo_t *info, uint32_t site)
{
	struct rt_op op = call_op(EVENT_IO, NULL, signal_ready);
	int number = -1;

	rt_unseen(site, "a wait for a signal with a time limit");
	op.site = site;
	op.data = &bits;
	if (wait_step(&op, timeout_ns) == STEP_INTR)
		signals_handle();
	else
		number = signals_take(rt_self(), bits, info);
	io_done(site, 0, number, IO_SIGNAL);
	return number;
}

/* Looks until there is one, and stands still while nothing has changed. */
static int wait_unlimited(uint64_t bits, siginfo_t *info, uint32_t site)
{
	struct rt_op op = {.kind = EVENT_SPIN_PARK,
			   .flags = OP_YIELD | OP_CANCEL | OP_INTR,
			   .site = site,
			   .aux = SIGSEND_READS,
			   .addr = (uint64_t)&bits,
			   .ready = signal_ready,
			   .data = &bits};
	struct rt_thread *t = rt_self();
	uint64_t before = t->sig_blocked;
	int number;

	for (;;) {
		/* What it waits for is not to interrupt it, blocked or not. */
		t->sig_blocked = before | bits;
		sigsend_look(site);
		number = signals_take(t, bits, info);
		if (!number && sched_step(&op) == STEP_INTR)
			number = -1;
		t->sig_blocked = before;
		if (number < 0)
			signals_handle();
		if (number)
			return number;
		rec_event(EVENT_SPIN_PARK, site, op.addr, 0, op.aux);
		cancel_point();
	}
}

/*
 * Waits for a signal of the set; timeout_ns < 0: for ever.  0 when the time is over, negative when
 * a handler ran instead.
 */
static int wait_for_signal(const sigset_t *set, int64_t timeout_ns, siginfo_t *info)
{
	uint32_t site = sched_take_site();
	int number;

	memset(info, 0, sizeof(*info));
	if (feed_signal(&number)) {
		info->si_signo = number;
		return number;
	}
	if (timeout_ns > 0)
		return wait_limited(signals_bits(set), timeout_ns, info, site);
	if (timeout_ns < 0)
		return wait_unlimited(signals_bits(set), info, site);
	sigsend_look(site);
	return signals_take(rt_self(), signals_bits(set), info);
}

RT_EXPORT int sigwait(const sigset_t *set, int *number)
{
	siginfo_t info;
	int got;

	if (!rt_controlled())
		return REAL(sigwait)(set, number);
	do
		got = wait_for_signal(set, -1, &info);
	while (got <= 0);
	undo_touch(number, sizeof(*number));
	*number = got;
	return 0;
}

RT_EXPORT int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *timeout)
{
	siginfo_t found;
	int got;

	if (!rt_controlled())
		return REAL(sigtimedwait)(set, info, timeout);
	got = wait_for_signal(set, timeout ? (int64_t)call_interval(timeout) : -1, &found);
	if (got > 0 && info) {
		undo_touch(info, sizeof(*info));
		*info = found;
	}
	if (got <= 0)
		errno = got ? EINTR : EAGAIN;
	return got > 0 ? got : -1;
}

RT_EXPORT int sigwaitinfo(const sigset_t *set, siginfo_t *info)
{
	return rt_controlled() ? sigtimedwait(set, info, NULL) : REAL(sigwaitinfo)(set, info);
}

RT_EXPORT int sigpending(sigset_t *set)
{
	uint64_t bits;

	if (!rt_controlled())
		return REAL(sigpending)(set);
	sigsend_look(sched_take_site());
	bits = signals_pending(rt_self()) & rt_self()->sig_blocked;
	undo_touch(set, sizeof(*set));
	sigemptyset(set);
	memcpy(set, &bits, sizeof(bits));
	return 0;
}

/* Returns when a handler has run, with a mask of its own until then. */
static int wait_for_handler(uint64_t mask)
{
	struct rt_op op = call_op(EVENT_IO, NULL, call_never_ready);
	struct rt_thread *t = rt_self();
	uint64_t before = t->sig_blocked;

	t->sig_blocked = mask;
	sigsend_adopt(t);
	while (wait_step(&op, -1) != STEP_INTR)
		continue;
	signals_handle();
	io_done(op.site, 0, -1, IO_SIGNAL);
	signals_set_mask(before);
	errno = EINTR;
	return -1;
}

RT_EXPORT int pause(void)
{
	return rt_controlled() ? wait_for_handler(rt_self()->sig_blocked) : REAL(pause)();
}

RT_EXPORT int sigsuspend(const sigset_t *mask)
{
	return rt_controlled() ? wait_for_handler(signals_bits(mask)) : REAL(sigsuspend)(mask);
}
