#include <errno.h>
#include <sched.h>
#include <unistd.h>

#include "guest/stable/conf.h"
#include "guest/stable/hook/hook.h"
#include "guest/stable/hook/init.h"
#include "guest/stable/hook/section.h"
#include "guest/stable/msg.h"
#include "guest/stable/real.h"
#include "guest/stable/sched/policy.h"

/*
 * Sleeps take logical time only.  Returns the nanoseconds that are left when a handled
 * signal came before the end, else 0.
 */
static uint64_t sleep_turns(struct sched_thread *t, uint64_t turns)
{
	uint64_t end = sched.time + turns, left = 0;
	if (!hook_cancel_pending(t)) {
		t->wait.cancellable = true;
		t->wait.interruptible = sched.handlers;
		hook_log(t, STABLE_OP_SLEEP, NULL, STABLE_RES_BLOCKED, (uint32_t)turns);
		t->wait.op = STABLE_OP_SLEEP;
		t->wait.kind = OBJ_NONE;
		if (sched_wait(t, t->times.clock, turns) == EINTR && sched.time < end)
			left = (end - sched.time) * (uint64_t)conf.r_ns;
		t->wait.cancellable = t->wait.interruptible = false;
	}
	hook_log(t, STABLE_OP_SLEEP, NULL, STABLE_RES_RETURN, 0);
	hook_end(t);
	hook_test_cancel(t);
	return left;
}

static struct timespec time_of(uint64_t ns)
{
	return (struct timespec){(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
}

/* How often in a row the caller has been here with no operation between. */
static uint32_t spins(uintptr_t caller)
{
	struct sched_thread *t = sched_self;
	if (!t || t->bypass)
		return 0;
	t->spin.count = t->pc[0] == caller && t->spin.site == caller ? t->spin.count + 1 : 0;
	t->spin.site = caller;
	return t->spin.count;
}

/*
 * A thread that yields again and again waits for memory, and when it goes on depends on when it
 * looked, unless nobody else computes then.
 */
HOOK_EXPORT int sched_yield(void)
{
	uint32_t again = spins(HOOK_CALLER);
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_YIELD);
	if (!t) {
		section_note(HOOK_CALLER);
		section_ask(NESTED_LOOK, NULL, HOOK_CALLER);
		return real.sched_yield();
	}
	if (again == 1 && sched.live > 1 && !sched_policy->serial)
		msg_loose(STABLE_LOOSE_SPIN, t->pc[0]);
	hook_log(t, STABLE_OP_YIELD, NULL, 0, 0);
	sched_yield_turn(t);
	hook_end(t);
	return 0;
}

#define EACH_LOOK 64  /* looks for a cancellation in a row that are turns, … */
#define LATER_LOOK 16 /* … and how many of the later ones make one */

/*
 * A loop may wait for its own cancellation, and whoever cancels needs a turn.  What a thread sees,
 * it sees with its turn, so that the place where it ends does not depend on time.
 */
HOOK_EXPORT void pthread_testcancel(void)
{
	real_ready();
	uint32_t again = spins(HOOK_CALLER);
	if (again >= EACH_LOOK && again % LATER_LOOK && !sched.outside_seen)
		return;
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_YIELD);
	bool ends = true;
	if (t) {
		ends = hook_cancel_pending(t) || sched.outside_seen;
		hook_log(t, STABLE_OP_YIELD, NULL, 0, 0);
		sched_yield_turn(t);
		hook_end(t);
	}
	if (ends)
		real.pthread_testcancel();
}

HOOK_EXPORT unsigned sleep(unsigned seconds)
{
	struct timespec length = {(time_t)seconds, 0};
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_SLEEP);
	/* In a section all orders are tried anyway. */
	if (!t)
		return nested_inside() ? 0 : real.sleep(seconds);
	uint64_t left = sleep_turns(t, hook_turns(&length));
	return (unsigned)((left + 999999999) / 1000000000);
}

HOOK_EXPORT int usleep(useconds_t us)
{
	struct timespec length = {us / 1000000, (long)(us % 1000000) * 1000};
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_SLEEP);
	if (!t)
		return nested_inside() ? 0 : real.usleep(us);
	if (sleep_turns(t, hook_turns(&length)) == 0)
		return 0;
	errno = EINTR;
	return -1;
}

HOOK_EXPORT int nanosleep(const struct timespec *length, struct timespec *left)
{
	if (!hook_valid_time(length)) {
		errno = EINVAL;
		return -1;
	}
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_SLEEP);
	if (!t)
		return nested_inside() ? 0 : real.nanosleep(length, left);
	uint64_t rest = sleep_turns(t, hook_turns(length));
	if (left)
		*left = time_of(rest);
	if (rest == 0)
		return 0;
	errno = EINTR;
	return -1;
}

HOOK_EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *time,
				struct timespec *left)
{
	if (!hook_valid_time(time))
		return EINVAL;
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_SLEEP);
	if (!t)
		return nested_inside() ? 0 : real.clock_nanosleep(clock, flags, time, left);
	bool absolute = flags & TIMER_ABSTIME;
	uint64_t turns = absolute ? hook_turns_until(t, clock, time) : hook_turns(time);
	uint64_t rest = sleep_turns(t, turns);
	if (left && !absolute)
		*left = time_of(rest);
	return rest ? EINTR : 0;
}

/* The reading a later deadline of this thread is likely to be built on. */
static void remember(int which, int64_t ns)
{
	struct sched_thread *t = sched_self;
	if (!t || t->bypass)
		return;
	t->times.clock[which].ns = ns;
	t->times.clock[which].read = true;
	t->times.clock[which].used = false;
}

/*
 * With virtual time, clocks show logical time.  Looking at it takes a turn: so what a thread sees
 * does not depend on how far others have come meanwhile, and a loop that waits for a time ends.
 */
static bool virtual_now(struct timespec *to, uintptr_t caller)
{
	if (!conf.vtime || !init_is_active())
		return false;
	struct sched_thread *t = hook_begin(caller, STABLE_OP_YIELD);
	uint64_t ns = sched.time * (uint64_t)conf.r_ns;
	if (t)
		hook_end(t);
	to->tv_sec = 1000000000 + (time_t)(ns / 1000000000);
	to->tv_nsec = (long)(ns % 1000000000);
	return true;
}

HOOK_EXPORT int clock_gettime(clockid_t clock, struct timespec *to)
{
	real_ready();
	bool wall = clock == CLOCK_REALTIME || clock == CLOCK_MONOTONIC;
	if (!wall)
		return real.clock_gettime(clock, to);
	int result = virtual_now(to, HOOK_CALLER) ? 0 : real.clock_gettime(clock, to);
	if (result == 0)
		remember(clock == CLOCK_MONOTONIC, to->tv_sec * 1000000000 + to->tv_nsec);
	return result;
}

HOOK_EXPORT int timespec_get(struct timespec *to, int base)
{
	real_ready();
	if (base == TIME_UTC && clock_gettime(CLOCK_REALTIME, to) == 0)
		return base;
	return real.timespec_get(to, base);
}

HOOK_EXPORT int gettimeofday(struct timeval *restrict to, void *restrict zone)
{
	struct timespec now;
	real_ready();
	if (!virtual_now(&now, HOOK_CALLER)) {
		int result = real.gettimeofday(to, zone);
		if (result == 0)
			remember(0, to->tv_sec * 1000000000 + to->tv_usec * 1000);
		return result;
	}
	to->tv_sec = now.tv_sec;
	to->tv_usec = now.tv_nsec / 1000;
	remember(0, to->tv_sec * 1000000000 + to->tv_usec * 1000);
	return 0;
}

HOOK_EXPORT time_t time(time_t *to)
{
	struct timespec now;
	real_ready();
	time_t seconds = virtual_now(&now, HOOK_CALLER) ? now.tv_sec : real.time(NULL);
	remember(0, seconds * 1000000000);
	if (to)
		*to = seconds;
	return seconds;
}
