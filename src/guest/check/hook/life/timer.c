/*
 * Timers in virtual time.  An armed timer is a thread of its own that sleeps until it expires and
 * then does what the timer is for: a signal for the process, or a function (SIGEV_THREAD).  So when
 * it expires is the scheduler's choice, as with every sleep, and nothing waits for a real clock.
 *
 * A timer whose signal would end the process is a watchdog against real time, which does not pass
 * here: it never expires.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "guest/check/hook/call.h"
#include "guest/check/hook/system/ident.h"
#include "guest/check/hook/system/signals.h"
#include "guest/check/hook/system/sleep.h"
#include "guest/check/hook/life/thread.h"
#include "guest/check/mem/undo.h"
#include "guest/os/real.h"
#include "guest/check/rec/hidden.h"

#define NS_PER_S UINT64_C(1000000000)
#define NS_PER_US UINT64_C(1000)
#define MAX_TIMERS 64
#define PROCESS_TIMERS 3 /* of setitimer, at the front: their signals are fixed */
#define INDEX_BITS 8

struct timer {
	uint32_t used;
	uint32_t armed; /* how often it was set: a sleeper of an earlier time is through */
	uint64_t deadline, first, interval; /* deadline 0: not armed; first: when it was set */
	int notify, number;	     /* as in struct sigevent */
	uint32_t tid;		     /* THREAD_NONE: any thread */
	void (*function)(union sigval);
	union sigval value;
};

static struct timer timers[MAX_TIMERS];
static const int process_signals[PROCESS_TIMERS] = {
	[ITIMER_REAL] = SIGALRM, [ITIMER_VIRTUAL] = SIGVTALRM, [ITIMER_PROF] = SIGPROF};

static uint64_t timer_cell(uint32_t index)
{
	return hidden_cell(HIDDEN_OTHER, index + 1);
}

/* ---- expiry ---- */

static void *run_function(void *arg)
{
	const struct timer *t = arg;

	t->function(t->value);
	return NULL;
}

static void run_function_elsewhere(struct timer *t)
{
	struct hook_thread_start start = {run_function, t, true, NULL, SIGNALS_ALL, true, NULL};

	if (hook_thread_create(NULL, &start))
		rt_unseen(SITE_NONE, "a timer could not run its function: too many threads");
}

static void expire(struct timer *t)
{
	struct rt_thread *who = t->tid == THREAD_NONE ? NULL : thread_by_tid(t->tid);

	if (t->notify == SIGEV_THREAD && t->interval)
		run_function_elsewhere(t);
	else if (t->notify == SIGEV_THREAD)
		run_function(t);
	else if (signals_action(t->number) == SIGNAL_FATAL)
		rt_note("a timer whose signal ends the process does not expire");
	else if (who)
		signals_send(who, t->number, (uint64_t)t->value.sival_ptr, SITE_NONE);
	else
		signals_send_process(t->number, (uint64_t)t->value.sival_ptr, SITE_NONE);
}

/* The sleeper: arg = index of the timer and how often it had been set. */
static void *timer_sleeper(void *arg)
{
	uint64_t what = (uint64_t)arg, ns;
	uint32_t index = what & ((1u << INDEX_BITS) - 1), armed = (uint32_t)(what >> INDEX_BITS);
	struct timer *t = &timers[index];

	for (;;) {
		ns = t->armed == armed && t->deadline > sched_now() ? t->deadline - sched_now() : 0;
		sleep_for(ns);
		hidden_read(timer_cell(index), t->armed, SITE_NONE);
		if (t->armed != armed)
			return NULL;
		undo_touch(t, sizeof(*t));
		t->deadline = t->interval ? sched_now() + t->interval : 0;
		expire(t);
		if (!t->interval)
			return NULL;
	}
}

/* ---- setting ---- */

static void arm(uint32_t index, uint64_t first, uint64_t interval)
{
	struct timer *t = &timers[index];
	/* Signals are for the program's own threads. */
	struct hook_thread_start start = {timer_sleeper, NULL, true, NULL, SIGNALS_ALL, true, NULL};

	undo_touch(t, sizeof(*t));
	t->armed++;
	t->deadline = first ? sched_now() + first : 0;
	t->first = first;
	t->interval = first ? interval : 0;
	hidden_write(timer_cell(index), t->armed, SITE_NONE);
	if (!first || t->notify == SIGEV_NONE)
		return;
	start.arg = (void *)((uint64_t)t->armed << INDEX_BITS | index);
	if (hook_thread_create(NULL, &start))
		rt_unseen(SITE_NONE, "a timer could not be set: too many threads");
}

static uint64_t in_units(uint64_t ns, uint64_t unit)
{
	return ns / unit + (ns % unit != 0);
}

/* Rounded up, never nothing while it is armed. */
static uint64_t time_left(const struct timer *t, uint64_t unit)
{
	uint64_t now = sched_now(), left;

	if (!t->deadline)
		return 0;
	left = in_units(t->deadline > now ? t->deadline - now : 1, unit);
	if (left != in_units(t->first, unit))
		rt_unseen(SITE_NONE, "how much time a timer has left depends on the schedule");
	return left * unit;
}

static struct timer *process_timer(uint32_t which)
{
	struct timer *t = &timers[which];

	if (!t->used) {
		undo_touch(t, sizeof(*t));
		t->used = 1;
		t->notify = SIGEV_SIGNAL;
		t->number = process_signals[which];
		t->tid = THREAD_NONE;
	}
	return t;
}

/* The step at which a timer is looked at or set. */
static void timer_step(void)
{
	sched_mark(EVENT_YIELD, sched_take_site(), 0, 0, 0);
}

static uint64_t set_alarm(uint64_t ns, uint64_t unit)
{
	struct timer *t = process_timer(ITIMER_REAL);
	uint64_t left;

	timer_step();
	left = time_left(t, unit);
	arm(ITIMER_REAL, ns, 0);
	return left / unit;
}

RT_EXPORT unsigned int alarm(unsigned int seconds)
{
	if (!rt_controlled())
		return REAL(alarm)(seconds);
	return (unsigned int)set_alarm(seconds * NS_PER_S, NS_PER_S);
}

RT_EXPORT useconds_t ualarm(useconds_t us, useconds_t interval)
{
	if (!rt_controlled())
		return REAL(ualarm)(us, interval);
	if (interval)
		rt_unseen(SITE_NONE, "the interval of ualarm");
	return (useconds_t)set_alarm((uint64_t)us * NS_PER_US, NS_PER_US);
}

static struct timeval to_timeval(uint64_t ns)
{
	return (struct timeval){(time_t)(ns / NS_PER_S), (suseconds_t)(ns % NS_PER_S / NS_PER_US)};
}

static uint64_t from_timeval(const struct timeval *v)
{
	return (uint64_t)v->tv_sec * NS_PER_S + (uint64_t)v->tv_usec * NS_PER_US;
}

static void look_at_process_timer(uint32_t which, struct itimerval *to)
{
	const struct timer *t = process_timer(which);

	if (!to)
		return;
	undo_touch(to, sizeof(*to));
	to->it_interval = to_timeval(t->interval);
	to->it_value = to_timeval(time_left(t, NS_PER_US));
}

RT_EXPORT int setitimer(__itimer_which_t which, const struct itimerval *restrict value,
			struct itimerval *restrict old)
{
	if (!rt_controlled())
		return REAL(setitimer)(which, value, old);
	if ((unsigned int)which >= PROCESS_TIMERS) {
		errno = EINVAL;
		return -1;
	}
	timer_step();
	look_at_process_timer((uint32_t)which, old);
	if (value)
		arm((uint32_t)which, from_timeval(&value->it_value),
		    from_timeval(&value->it_interval));
	return 0;
}

RT_EXPORT int getitimer(__itimer_which_t which, struct itimerval *value)
{
	if (!rt_controlled())
		return REAL(getitimer)(which, value);
	if ((unsigned int)which >= PROCESS_TIMERS) {
		errno = EINVAL;
		return -1;
	}
	timer_step();
	look_at_process_timer((uint32_t)which, value);
	return 0;
}

/* ---- POSIX timers: a timer_t is the index ---- */

static struct timer *find(timer_t timer)
{
	uintptr_t index = (uintptr_t)timer;

	if (index >= PROCESS_TIMERS && index < MAX_TIMERS && timers[index].used)
		return &timers[index];
	errno = EINVAL;
	return NULL;
}

static void describe(struct timer *t, const struct sigevent *event, uint32_t index)
{
	*t = (struct timer){.used = 1,
			    .armed = t->armed,
			    .notify = SIGEV_SIGNAL,
			    .number = SIGALRM,
			    .tid = THREAD_NONE,
			    .value.sival_int = (int)index};
	if (!event)
		return;
	t->notify = event->sigev_notify;
	t->number = event->sigev_signo;
	t->value = event->sigev_value;
	if (event->sigev_notify == SIGEV_THREAD)
		t->function = event->sigev_notify_function;
	/* The kernel's number of a thread, as gettid() gave it. */
	if (event->sigev_notify == SIGEV_THREAD_ID)
		t->tid = (uint32_t)(event->_sigev_un._tid - IDENT_PID);
}

RT_EXPORT int timer_create(clockid_t clock, struct sigevent *restrict event,
			   timer_t *restrict timer)
{
	if (!rt_controlled())
		return REAL(timer_create)(clock, event, timer);
	timer_step();
	for (uint32_t i = PROCESS_TIMERS; i < MAX_TIMERS; i++) {
		if (timers[i].used)
			continue;
		undo_touch(&timers[i], sizeof(timers[i]));
		undo_touch(timer, sizeof(*timer));
		describe(&timers[i], event, i);
		*timer = (timer_t)(uintptr_t)i;
		return 0;
	}
	errno = EAGAIN;
	return -1;
}

RT_EXPORT int timer_delete(timer_t timer)
{
	struct timer *t;

	if (!rt_controlled())
		return REAL(timer_delete)(timer);
	timer_step();
	t = find(timer);
	if (!t)
		return -1;
	arm((uint32_t)(t - timers), 0, 0);
	t->used = 0;
	return 0;
}

static struct timespec to_timespec(uint64_t ns)
{
	return (struct timespec){(time_t)(ns / NS_PER_S), (long)(ns % NS_PER_S)};
}

static void look_at_timer(const struct timer *t, struct itimerspec *to)
{
	if (!to)
		return;
	undo_touch(to, sizeof(*to));
	to->it_interval = to_timespec(t->interval);
	to->it_value = to_timespec(time_left(t, 1));
}

RT_EXPORT int timer_settime(timer_t timer, int flags, const struct itimerspec *restrict value,
			    struct itimerspec *restrict old)
{
	struct rt_op when = {.timed = 0};
	struct timer *t;
	uint64_t first;

	if (!rt_controlled())
		return REAL(timer_settime)(timer, flags, value, old);
	timer_step();
	t = find(timer);
	if (!t)
		return -1;
	if (!call_time_valid(&value->it_value) || !call_time_valid(&value->it_interval)) {
		errno = EINVAL;
		return -1;
	}
	look_at_timer(t, old);
	first = call_interval(&value->it_value);
	if (first && (flags & TIMER_ABSTIME)) {
		/* Which clock it was made for makes no difference to when it may expire. */
		call_expires_at(&when, CLOCK_REALTIME, &value->it_value);
		first = when.deadline > sched_now() ? when.deadline - sched_now() : 1;
	}
	arm((uint32_t)(t - timers), first, call_interval(&value->it_interval));
	return 0;
}

RT_EXPORT int timer_gettime(timer_t timer, struct itimerspec *value)
{
	struct timer *t;

	if (!rt_controlled())
		return REAL(timer_gettime)(timer, value);
	timer_step();
	t = find(timer);
	if (t)
		look_at_timer(t, value);
	return t ? 0 : -1;
}

/* Each expiry is told by itself: none runs over. */
RT_EXPORT int timer_getoverrun(timer_t timer)
{
	if (!rt_controlled())
		return REAL(timer_getoverrun)(timer);
	return find(timer) ? 0 : -1;
}
