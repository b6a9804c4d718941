/* Sleeps: operations that only end by their time limit, which the scheduler may let come early. */
#include "guest/check/hook/system/sleep.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "guest/check/hook/call.h"
#include "guest/check/hook/cancel.h"
#include "guest/check/hook/system/signals.h"
#include "guest/check/mem/undo.h"
#include "guest/os/real.h"
#include "guest/check/rec/rec.h"

#define NS_PER_S UINT64_C(1000000000)

static struct rt_op sleep_op(uint64_t ns)
{
	struct rt_op op = call_op(EVENT_SLEEP, rt_self(), call_never_ready);

	op.flags = OP_YIELD | OP_CANCEL | OP_INTR;
	op.value = ns;
	return op;
}

/* Returns what is left of it when a handler has ended it, else 0. */
static uint64_t sleep_in(struct rt_op *op)
{
	enum step_result step = sched_step(op);

	rec_event(EVENT_SLEEP, op->site, 0, op->value, 0);
	cancel_point();
	if (step != STEP_INTR)
		return 0;
	signals_handle();
	return op->deadline > sched_now() ? op->deadline - sched_now() : 1;
}

/* A sleep that a handler ends says what is left of it. */
static int sleep_result(uint64_t left, struct timespec *remaining)
{
	if (left && remaining) {
		undo_touch(remaining, sizeof(*remaining));
		*remaining = (struct timespec){(time_t)(left / NS_PER_S), (long)(left % NS_PER_S)};
	}
	return left ? EINTR : 0;
}

static int broken_off(int number)
{
	if (number)
		errno = number;
	return number ? -1 : 0;
}

uint64_t sleep_for(uint64_t ns)
{
	struct rt_op op = sleep_op(ns);

	call_expires_after(&op, ns);
	return sleep_in(&op);
}

RT_EXPORT int nanosleep(const struct timespec *duration, struct timespec *remaining)
{
	if (!rt_controlled())
		return REAL(nanosleep)(duration, remaining);
	if (!call_time_valid(duration) || duration->tv_sec < 0) {
		errno = EINVAL;
		return -1;
	}
	return broken_off(sleep_result(sleep_for(call_interval(duration)), remaining));
}

RT_EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *when,
			      struct timespec *remaining)
{
	struct rt_op op;
	uint64_t end;

	if (!rt_controlled())
		return REAL(clock_nanosleep)(clock, flags, when, remaining);
	if (!call_time_valid(when) || when->tv_sec < 0 || clock == CLOCK_THREAD_CPUTIME_ID)
		return EINVAL;
	end = call_interval(when);
	if (!(flags & TIMER_ABSTIME))
		return sleep_result(sleep_for(end), remaining);
	op = sleep_op(end);
	call_expires_at(&op, clock == CLOCK_TAI ? CLOCK_REALTIME : clock, when);
	return sleep_result(sleep_in(&op), NULL);
}

RT_EXPORT int usleep(useconds_t us)
{
	if (!rt_controlled())
		return REAL(usleep)(us);
	return broken_off(sleep_result(sleep_for((uint64_t)us * 1000), NULL));
}

RT_EXPORT unsigned int sleep(unsigned int seconds)
{
	if (!rt_controlled())
		return REAL(sleep)(seconds);
	/* Rounded up: what is left is never nothing. */
	return (unsigned int)((sleep_for(seconds * NS_PER_S) + NS_PER_S - 1) / NS_PER_S);
}
