#include "guest/stable/hook/hook.h"

#include <errno.h>

#include "guest/stable/conf.h"
#include "guest/stable/hook/init.h"
#include "guest/stable/sched/local.h"
#include "guest/stable/sched/stall.h"
#include "guest/stable/msg.h"
#include "guest/stable/os.h"
#include "guest/stable/real.h"
#include "guest/stable/stack.h"

bool hook_special;
__thread bool hook_ended __attribute__((tls_model("initial-exec")));
const struct hook_sites *hook_sites;

struct sched_thread *hook_enter_slow(uintptr_t caller)
{
	struct sched_thread *t = sched_self;
	if (!t && init_runtime())
		t = sched_self;
	if (!t && init_is_active() && !hook_ended)
		msg_loose(STABLE_LOOSE_FOREIGN, caller);
	return t && !t->bypass ? t : NULL;
}

/* Random delay before an operation, to show that no schedule depends on time. */
static void delay(struct sched_thread *t)
{
	if (!t->delay_seed)
		t->delay_seed = os_tsc() | 1;
	t->delay_seed = t->delay_seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
	uint64_t pick = t->delay_seed >> 33;
	if (pick & 3)
		return;
	struct timespec pause = {0, (long)(pick % ((uint64_t)conf.delay * 1000))};
	sys_call3(SYS_nanosleep, &pause, 0, 0);
}

/* Programs that wrap their locks: the site of an operation is the caller of the wrapper. */
static void step_out(struct sched_thread *t)
{
	uint64_t pc[CONF_DEPTH_MAX + 1];
	uint32_t count = stack_capture(t->pc[0], pc, (uint32_t)conf.depth + 1);
	t->pc[0] = pc[count - 1];
}

bool hook_enter_special(struct sched_thread *t)
{
	if (conf.depth)
		step_out(t);
	/* Asynchronous cancellation must not tear the thread out of the queues. */
	if (t->cancel.async)
		real.pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, NULL);
	if (conf.delay)
		delay(t);
	if (!hook_sites || !hook_sites->is_outside(t))
		return true;
	msg_flag(STABLE_FLAG_PCS | STABLE_FLAG_NONDET);
	msg_loose(STABLE_LOOSE_SECTION, t->pc[0]);
	sched_see_outside();
	sched_nondet_begin(t);
	t->bypass = 0;
	return false;
}

void hook_learn_stalls(void)
{
	hook_special = true;
}

void hook_leave_special(struct sched_thread *t)
{
	if (hook_sites)
		hook_sites->check(t);
	/* The last time the turn was kept too long here. */
	if (stall_is_known(t->pc[0]) && sched_state(t) != SCHED_NONDET && !t->hold) {
		msg_loose(STABLE_LOOSE_STALL, t->pc[0]);
		sched_nondet_begin(t);
	}
	if (!t->cancel.async)
		return;
	/* It may be torn out of any computation, and then must not have the turn. */
	sched_nondet_begin(t);
	real.pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
}

void hook_log_slow(struct sched_thread *t, uint16_t op, void *addr, uint16_t res, uint32_t arg)
{
	struct schedlog_op entry = {.op = op, .res = res, .arg = arg, .addr = addr};
	if (schedlog_kind(op) == OBJ_THREAD && addr) {
		entry.obj = ((struct sched_thread *)addr)->tid;
		entry.addr = NULL;
	}
	schedlog_write(t, &entry);
}

void hook_log_thread(struct sched_thread *t, uint16_t op, uint32_t tid, uint16_t res)
{
	struct schedlog_op entry = {.op = op, .res = res, .obj = tid};
	if (schedlog_active)
		schedlog_write(t, &entry);
}

void hook_note_object(struct sched_thread *t, uint16_t op, void *addr)
{
	enum obj_kind kind = schedlog_kind(op);
	if (kind != OBJ_NONE && kind != OBJ_SOBA && kind != OBJ_THREAD)
		obj_check_isolation(obj_get(kind, addr), t->pc[0]);
}

void hook_outside(void *addr, uintptr_t caller)
{
	struct sched_thread *t = sched_self;
	if (t && t->pcs.depth)
		obj_used_outside(addr, caller);
}

void hook_outside_wake(void *addr, uintptr_t caller, bool all)
{
	if (!init_is_active())
		return;
	hook_outside(addr, caller);
	sched_notify(addr, all);
}

void hook_leave_shared(struct sched_thread *t)
{
	msg_loose(STABLE_LOOSE_SHARED, t->pc[0]);
	hook_end(t);
	sched_nondet_begin(t);
}

int hook_wait(struct sched_thread *t, uint16_t op, void *addr, uint64_t turns)
{
	hook_log(t, op, addr, STABLE_RES_BLOCKED, 0);
	t->wait.op = op;
	t->wait.kind = schedlog_kind(op);
	int reason = sched_wait(t, addr, turns);
	if (__builtin_expect(conf_profile_on, 0))
		profile_granted(t, op);
	return reason;
}

bool hook_cancel_pending(const struct sched_thread *t)
{
	return t->cancel.pending && !t->cancel.disabled;
}

static int wait_once(struct sched_thread *t, const struct hook_acquire *a, uint64_t end)
{
	if (a->turns && sched.time >= end) {
		if (t->wait.prepared)
			sched_wait_abandon(t, a->addr);
		return ETIMEDOUT;
	}
	t->wait.cancellable = a->cancellable;
	t->wait.interruptible = a->interruptible && sched.handlers_break;
	int reason = hook_wait(t, a->op, a->addr, a->turns ? end - sched.time : 0);
	t->wait.cancellable = t->wait.interruptible = false;
	return reason;
}

#define STARVED 64 /* times woken in vain */

/*
 * Threads outside the schedule take the object whenever it is free and the caller is about to: it
 * has to compete for it as they do.
 */
static int acquire_outside(struct sched_thread *t, const struct hook_acquire *a)
{
	sched_put_turn(t);
	sched_nondet_begin(t);
	int result = a->block(a->addr);
	sched_get_turn(t);
	return result;
}

int hook_acquire(struct sched_thread *t, const struct hook_acquire *a)
{
	uint64_t end = sched.time + a->turns;
	int result;
	for (int waits = 0;; waits++) {
		if (a->cancellable && hook_cancel_pending(t)) {
			result = ECANCELED;
			break;
		}
		result = a->try(a->addr);
		if (result != EBUSY)
			break;
		if (__builtin_expect(waits >= STARVED, 0) && a->block && sched.outside_seen) {
			result = acquire_outside(t, a);
			break;
		}
		if (sched_wait_prepare(t, a->addr)) {
			result = a->try(a->addr);
			if (result != EBUSY) {
				sched_wait_abandon(t, a->addr);
				break;
			}
		}
		int reason = wait_once(t, a, end);
		if (reason == ETIMEDOUT || reason == EINTR) {
			/* Release and expiry may coincide: one more look. */
			result = a->try(a->addr);
			result = result == EBUSY ? reason : result;
			break;
		}
	}
	if (t->local.wants)
		local_withdraw(t);
	if (a->lock && (result == 0 || result == EOWNERDEAD))
		hook_held(t, 1);
	if (!a->quiet)
		hook_log(t, a->op, a->addr, (uint16_t)result, 0);
	return result;
}

void hook_test_cancel(struct sched_thread *t)
{
	if (hook_cancel_pending(t))
		real.pthread_testcancel();
}

bool hook_valid_time(const struct timespec *time)
{
	return time->tv_nsec >= 0 && time->tv_nsec < 1000000000;
}

static uint64_t turns_of(int64_t ns)
{
	int64_t turns = ns / conf.r_ns;
	if (!conf.clamp)
		return turns < 1 ? 1 : (uint64_t)turns;
	int64_t floor = 5 * (int64_t)sched.live + 1;
	if (turns < floor)
		turns = floor;
	if (turns > conf.clamp_max)
		turns = conf.clamp_max;
	return turns < 1 ? 1 : (uint64_t)turns;
}

#define NS_LIMIT ((int64_t)4000000000) /* seconds: beyond that the product overflows */

static int64_t ns_of(const struct timespec *time)
{
	int64_t seconds = time->tv_sec;
	if (seconds > NS_LIMIT)
		seconds = NS_LIMIT;
	if (seconds < -NS_LIMIT)
		seconds = -NS_LIMIT;
	return seconds * 1000000000 + time->tv_nsec;
}

uint64_t hook_turns(const struct timespec *relative)
{
	return turns_of(ns_of(relative));
}

/*
 * A deadline is a clock reading plus a length.  The thread's last reading of that clock is almost
 * always the very one, and then the length is exact and the same in every run.  Later deadlines
 * measured from the same reading count from the logical time of the first.
 */
static bool turns_from_reading(struct sched_thread *t, clockid_t clock, int64_t deadline,
			       uint64_t *turns)
{
	int which = clock == CLOCK_REALTIME ? 0 : clock == CLOCK_MONOTONIC ? 1 : -1;
	if (which < 0 || !t->times.clock[which].read)
		return false;
	if (!t->times.clock[which].used) {
		t->times.clock[which].used = true;
		t->times.clock[which].at = sched.time;
	}
	int64_t passed = (int64_t)(sched.time - t->times.clock[which].at) * conf.r_ns;
	*turns = turns_of(deadline - t->times.clock[which].ns - passed);
	return true;
}

uint64_t hook_turns_until(struct sched_thread *t, clockid_t clock, const struct timespec *absolute)
{
	static bool said;
	struct timespec now;
	uint64_t turns;
	if (t->times.base_set)
		return turns_of(ns_of(absolute) - t->times.base_ns);
	if (turns_from_reading(t, clock, ns_of(absolute), &turns))
		return turns;
	sys_call3(SYS_clock_gettime, clock, &now, 0);
	if (!said) {
		said = true;
		ctl->flags |= STABLE_FLAG_BASE_TIME;
		msg_say("a deadline at @%lx was measured against the clock; "
			"heddle_set_base_time() makes it exact",
			(unsigned long)t->pc[0]);
	}
	return turns_of(ns_of(absolute) - ns_of(&now));
}
