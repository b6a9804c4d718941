#include "guest/stable/hook/cond.h"

#include <errno.h>

#include "guest/stable/hook/hook.h"
#include "guest/stable/hook/section.h"
#include "guest/stable/sched/local.h"
#include "guest/stable/hook/mutex.h"
#include "guest/stable/sched/pool.h"
#include "guest/stable/real.h"

/* Bits of the waiter counter: shared between processes, and the clock of timed waits. */
#define WREFS_SHARED 1
#define WREFS_MONOTONIC 2
#define CLOCK_OF_COND ((clockid_t)-1)

static int wait_original(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
			 const struct timespec *limit)
{
	if (!limit)
		return real.pthread_cond_wait(c, m);
	if (clock == CLOCK_OF_COND)
		return real.pthread_cond_timedwait(c, m, limit);
	return real.pthread_cond_clockwait(c, m, clock, limit);
}

static int relock(struct sched_thread *t, pthread_mutex_t *m)
{
	struct hook_acquire a = {.op = STABLE_OP_COND_RELOCK,
				 .addr = m,
				 .try = mutex_try,
				 .block = mutex_block,
				 .quiet = true,
				 .lock = true};
	return hook_acquire(t, &a);
}

/* With the turn: gives up the mutex, waits for a signal, takes the mutex again. */
static int wait_in_schedule(struct sched_thread *t, pthread_cond_t *c, pthread_mutex_t *m,
			    uint64_t turns)
{
	uint16_t op = turns ? STABLE_OP_COND_TIMEDWAIT : STABLE_OP_COND_WAIT;
	int result = 0;
	if (!hook_cancel_pending(t)) {
		result = mutex_release(m);
		if (result) {
			hook_log(t, op, c, (uint16_t)result, 0);
			return result;
		}
		pool_waits(t, c);
		t->wait.cancellable = true;
		result = hook_wait(t, op, c, turns);
		t->wait.cancellable = false;
		if (result == 0)
			pool_woken(t, m);
		int locked = relock(t, m);
		if (locked)
			result = locked;
	}
	hook_log(t, op, c, result ? (uint16_t)result : STABLE_RES_RETURN, 0);
	return result;
}

int cond_wait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock, const struct timespec *limit,
	      uintptr_t caller)
{
	if (limit && !hook_valid_time(limit))
		return EINVAL;
	struct sched_thread *t =
		hook_begin(caller, limit ? STABLE_OP_COND_TIMEDWAIT : STABLE_OP_COND_WAIT);
	if (!t) {
		hook_outside(c, caller);
		if (nested_inside())
			return section_cond_wait(c, m, limit != NULL, caller);
		return wait_original(c, m, clock, limit);
	}
	if (c->__data.__wrefs & WREFS_SHARED) {
		/* Other processes signal it; waiters of the mutex must not miss its release. */
		hook_leave_shared(t);
		sched_notify(m, false);
		return wait_original(c, m, clock, limit);
	}
	uint64_t turns = 0;
	if (limit) {
		clockid_t on = clock;
		if (clock == CLOCK_OF_COND)
			on = c->__data.__wrefs & WREFS_MONOTONIC ? CLOCK_MONOTONIC : CLOCK_REALTIME;
		turns = hook_turns_until(t, on, limit);
	}
	int result = wait_in_schedule(t, c, m, turns);
	hook_end(t);
	hook_test_cancel(t);
	return result == ECANCELED ? 0 : result;
}

int cond_wake(pthread_cond_t *c, int all, uintptr_t caller)
{
	uint16_t op = all ? STABLE_OP_COND_BROADCAST : STABLE_OP_COND_SIGNAL;
	int (*original)(pthread_cond_t *) = real.pthread_cond_signal;
	struct sched_thread *t = hook_begin(caller, op);
	original = all ? real.pthread_cond_broadcast : real.pthread_cond_signal;
	if (!t) {
		if (nested_inside())
			section_cond_wake(c, all, caller);
		int result = original(c);
		hook_outside_wake(c, caller, all);
		return result;
	}
	uint32_t woken = pool_wake(t, c, all);
	/* Deterministic waiters live in our queue; others wait in the original. */
	if (sched.outside_seen && (all || woken == 0))
		original(c);
	if (c->__data.__wrefs & WREFS_SHARED)
		original(c);
	hook_log(t, op, c, 0, woken);
	hook_end(t);
	return 0;
}

HOOK_EXPORT int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *attr)
{
	struct sched_thread *t = hook_enter(HOOK_CALLER);
	if (!t) {
		section_ask(NESTED_TOUCH, c, HOOK_CALLER);
		return real.pthread_cond_init(c, attr);
	}
	int result = real.pthread_cond_init(c, attr);
	if (local_ready(t) && result == 0) {
		local_done(t, STABLE_OP_COND_INIT, c, false);
		hook_leave(t);
		return 0;
	}
	hook_turn(t, STABLE_OP_COND_INIT);
	if (schedlog_active)
		obj_new(OBJ_COND, c);
	hook_log(t, STABLE_OP_COND_INIT, c, (uint16_t)result, 0);
	hook_end(t);
	return result;
}

HOOK_EXPORT int pthread_cond_destroy(pthread_cond_t *c)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_COND_DESTROY);
	if (!t) {
		section_ask(NESTED_TOUCH, c, HOOK_CALLER);
		return real.pthread_cond_destroy(c);
	}
	int result = real.pthread_cond_destroy(c);
	hook_log(t, STABLE_OP_COND_DESTROY, c, (uint16_t)result, 0);
	obj_forget(OBJ_COND, c);
	pool_forget(c);
	hook_end(t);
	return result;
}

HOOK_EXPORT int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
	return cond_wait(c, m, CLOCK_OF_COND, NULL, HOOK_CALLER);
}

HOOK_EXPORT int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
				       const struct timespec *limit)
{
	return cond_wait(c, m, CLOCK_OF_COND, limit, HOOK_CALLER);
}

HOOK_EXPORT int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
				       const struct timespec *limit)
{
	return cond_wait(c, m, clock, limit, HOOK_CALLER);
}

HOOK_EXPORT int pthread_cond_signal(pthread_cond_t *c)
{
	return cond_wake(c, 0, HOOK_CALLER);
}

HOOK_EXPORT int pthread_cond_broadcast(pthread_cond_t *c)
{
	return cond_wake(c, 1, HOOK_CALLER);
}
