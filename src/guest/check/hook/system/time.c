/*
 * Sleeps and clocks.  Clocks show virtual time.  The clock is state that threads share: reading it is
 * a scheduling point, and takes time, so that of two readings one is later (see rec/hidden.h).  A
 * loop that does nothing else would keep everybody else waiting, so the READS_PER_PAUSE-th reading in
 * a row without any other operation of the thread is a short sleep.
 */
#include <errno.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include <unistd.h>

#include "guest/check/hook/call.h"
#include "guest/check/hook/cancel.h"
#include "guest/check/hook/system/feed.h"
#include "guest/check/hook/system/signals.h"
#include "guest/check/hook/system/sleep.h"
#include "guest/check/mem/undo.h"
#include "guest/os/real.h"
#include "guest/check/rec/hidden.h"
#include "guest/check/rec/rec.h"
#include "guest/check/sched/thread.h"

#define NS_PER_S UINT64_C(1000000000)
#define READS_PER_PAUSE 16
#define PAUSE_NS 1000000

/* ---- sleeps: operations that only end by their time limit, which may come early ---- */

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

/* ---- clocks ---- */

/* Whether this reading is the last of a long row. */
static bool row_is_long(struct rt_thread *t)
{
	t->clock_row = t->clock_tix == t->next_tix ? t->clock_row + 1 : 0;
	if (t->clock_row < READS_PER_PAUSE)
		return false;
	t->clock_row = 0;
	return true;
}

static uint64_t read_clock(bool of_day)
{
	struct rt_op op = call_op(EVENT_CLOCK, NULL, NULL);
	uint64_t from, now;

	if (row_is_long(rt_self()))
		sleep_for(PAUSE_NS);
	sched_step(&op);
	from = sched_now();
	now = of_day ? sched_clock_real() : sched_clock_mono();
	rec_event(EVENT_CLOCK, op.site, 0, now, 0);
	hidden_update(hidden_cell(HIDDEN_CLOCK, 0), from, sched_now(), true, op.site);
	rt_self()->clock_tix = rt_self()->next_tix;
	return now;
}

static struct timespec split(uint64_t ns)
{
	return (struct timespec){(time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S)};
}

/* Processor time goes by like the time on the wall: one step after the other. */
static int clock_family(clockid_t clock)
{
	switch (clock) {
	case CLOCK_REALTIME:
	case CLOCK_REALTIME_COARSE:
	case CLOCK_TAI:
		return CLOCK_REALTIME;
	case CLOCK_MONOTONIC:
	case CLOCK_MONOTONIC_RAW:
	case CLOCK_MONOTONIC_COARSE:
	case CLOCK_BOOTTIME:
	case CLOCK_PROCESS_CPUTIME_ID:
	case CLOCK_THREAD_CPUTIME_ID:
		return CLOCK_MONOTONIC;
	default:
		return -1;
	}
}

RT_EXPORT int clock_gettime(clockid_t clock, struct timespec *to)
{
	int family = clock_family(clock);
	int64_t result;

	if (!rt_controlled())
		return REAL(clock_gettime)(clock, to);
	if (family < 0) {
		errno = EINVAL;
		return -1;
	}
	undo_touch(to, sizeof(*to));
	*to = split(read_clock(family == CLOCK_REALTIME));
	feed_value(RECORD_IN_CLOCK_GETTIME, to, sizeof(*to), &result);
	return 0;
}

RT_EXPORT int gettimeofday(struct timeval *restrict to, void *restrict zone)
{
	uint64_t now;
	int64_t result;

	if (!rt_controlled())
		return REAL(gettimeofday)(to, zone);
	now = read_clock(true);
	undo_touch(to, sizeof(*to));
	to->tv_sec = (time_t)(now / NS_PER_S);
	to->tv_usec = (suseconds_t)(now % NS_PER_S / 1000);
	feed_value(RECORD_IN_GETTIMEOFDAY, to, sizeof(*to), &result);
	return 0;
}

RT_EXPORT time_t time(time_t *to)
{
	int64_t result;
	time_t now;

	if (!rt_controlled())
		return REAL(time)(to);
	now = (time_t)(read_clock(true) / NS_PER_S);
	if (feed_value(RECORD_IN_TIME, NULL, 0, &result))
		now = (time_t)result;
	if (to) {
		undo_touch(to, sizeof(*to));
		*to = now;
	}
	return now;
}

RT_EXPORT int timespec_get(struct timespec *to, int base)
{
	if (!rt_controlled())
		return REAL(timespec_get)(to, base);
	if (base != TIME_UTC)
		return 0;
	undo_touch(to, sizeof(*to));
	*to = split(read_clock(true));
	return base;
}

RT_EXPORT clock_t clock(void)
{
	if (!rt_controlled())
		return REAL(clock)();
	return (clock_t)(read_clock(false) / (NS_PER_S / CLOCKS_PER_SEC));
}

RT_EXPORT clock_t times(struct tms *to)
{
	clock_t now;

	if (!rt_controlled())
		return REAL(times)(to);
	now = (clock_t)(read_clock(false) / (NS_PER_S / 100));
	if (to) {
		undo_touch(to, sizeof(*to));
		*to = (struct tms){.tms_utime = now};
	}
	return now;
}
