#include "guest/stable/hook/mutex.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>

#include "guest/stable/conf.h"
#include "guest/stable/hook/hook.h"
#include "guest/stable/hook/section.h"
#include "guest/stable/sched/local.h"
#include "guest/stable/os.h"
#include "guest/stable/sched/pool.h"
#include "guest/stable/real.h"
#include "guest/stable/sched/policy.h"

/* Bits of the kind, as in the C library's own headers and initialisers. */
#define KIND_TYPE 3
#define KIND_ROBUST 16
#define KIND_SHARED 128
#define NOT_RECOVERABLE (INT_MAX - 1) /* as the owner */

/* In the field for lock elision, which robust mutexes never use. */
#define PRIVATE_MARK 0x6864

static bool is_shared(const pthread_mutex_t *m)
{
	int kind = m->__data.__kind;
	return (kind & KIND_SHARED) &&
	       !((kind & KIND_ROBUST) && m->__data.__elision == PRIVATE_MARK);
}

/* The C library takes every robust mutex for a shared one; only its attributes know better. */
static void mark_private(pthread_mutex_t *m, const pthread_mutexattr_t *attr)
{
	int shared = PTHREAD_PROCESS_PRIVATE;
	if ((m->__data.__kind & KIND_ROBUST) && attr &&
	    pthread_mutexattr_getpshared(attr, &shared) == 0 && shared == PTHREAD_PROCESS_PRIVATE)
		m->__data.__elision = PRIVATE_MARK;
}

/*
 * The owner of a robust mutex is what the kernel sees, in the lock itself: the other field has a
 * mark while the state it protects is not consistent.
 */
int mutex_robust_owner(const pthread_mutex_t *m)
{
	return m->__data.__lock & FUTEX_TID_MASK;
}

static bool owner_ended(int os_tid)
{
	for (struct sched_thread *t = sched.all; t; t = t->all_next) {
		if (t->os_tid == os_tid)
			return t->finished;
	}
	return os_tid != 0;
}

/* The C library's trylock keeps a robust mutex that was given up, and nobody else sees that it was.
 */
static int try_original(pthread_mutex_t *m)
{
	if (__builtin_expect(m->__data.__owner == NOT_RECOVERABLE, 0))
		return ENOTRECOVERABLE;
	return real.pthread_mutex_trylock(m);
}

static bool may_be_local(const pthread_mutex_t *m)
{
	return sched_policy->local && local_fits(m);
}

int mutex_try(void *mutex)
{
	pthread_mutex_t *m = mutex;
	struct sched_thread *t = sched_self;
	bool local = may_be_local(m);
	if (local && !local_claim(t, m))
		return EBUSY;
	int result = try_original(m);
	if (local && result == 0)
		local_taken(t, m);
	if (__builtin_expect(result != EBUSY, 1))
		return result;
	int kind = m->__data.__kind;
	if ((kind & KIND_TYPE) == PTHREAD_MUTEX_ERRORCHECK &&
	    m->__data.__owner == sched_self->os_tid)
		return EDEADLK;
	/* The kernel hands over a dead owner's robust mutex as soon as that thread is gone.  Owners
	 * in other processes live as long as they like. */
	while (result == EBUSY && (kind & KIND_ROBUST) && !is_shared(m) &&
	       owner_ended(mutex_robust_owner(m))) {
		os_yield();
		result = try_original(m);
	}
	return result;
}

int mutex_block(void *mutex)
{
	pthread_mutex_t *m = mutex;
	int result = real.pthread_mutex_lock(m);
	if (result == 0 && may_be_local(m))
		local_of(m)->counted = 1;
	return result;
}

/* Another process may hold it: wait in the kernel, outside the schedule. */
static int lock_shared(struct sched_thread *t, pthread_mutex_t *m)
{
	hook_log(t, STABLE_OP_MUTEX_LOCK, m, STABLE_RES_BLOCKED, 0);
	hook_leave_shared(t);
	return real.pthread_mutex_lock(m);
}

static int lock_slow(struct sched_thread *t, pthread_mutex_t *m, uint16_t op)
{
	if (is_shared(m))
		return lock_shared(t, m);
	struct hook_acquire a = {.op = op,
				 .addr = m,
				 .try = mutex_try,
				 .block = mutex_block,
				 .lock = true};
	int result = hook_acquire(t, &a);
	hook_end(t);
	return result;
}

/* Without the turn, if the mutex is the caller's own and free; leaves the wrapper then. */
static bool lock_own(struct sched_thread *t, pthread_mutex_t *m, uint16_t op)
{
	if (!local_owns(t, m) || real.pthread_mutex_trylock(m) != 0)
		return false;
	local_of(m)->counted = 0;
	local_done(t, op, m, false);
	hook_leave(t);
	return true;
}

static bool unlock_own(struct sched_thread *t, pthread_mutex_t *m, uint16_t op)
{
	/* A last release may have to fail, which is for the other path. */
	if (!local_owns(t, m) || m->__data.__owner != t->os_tid)
		return false;
	if (local_of(m)->counted)
		hook_held(t, -1);
	real.pthread_mutex_unlock(m);
	local_done(t, op, m, true);
	hook_leave(t);
	return true;
}

int mutex_lock_as(pthread_mutex_t *m, uintptr_t caller, uint16_t op)
{
	struct sched_thread *t = hook_enter(caller);
	if (!t) {
		hook_outside(m, caller);
		section_ask(NESTED_LOCK, m, caller);
		return real.pthread_mutex_lock(m);
	}
	if (lock_own(t, m, op))
		return 0;
	hook_turn(t, op);
	int result = mutex_try(m);
	if (__builtin_expect(result == EBUSY, 0))
		return lock_slow(t, m, op);
	if (result == 0)
		hook_held(t, 1);
	hook_log(t, op, m, (uint16_t)result, 0);
	hook_end(t);
	return result;
}

int mutex_lock(pthread_mutex_t *m, uintptr_t caller)
{
	return mutex_lock_as(m, caller, STABLE_OP_MUTEX_LOCK);
}

/* Waits only for the owner to give the mutex up, not for the mutex itself. */
static int try_once(struct sched_thread *t, pthread_mutex_t *m)
{
	bool local = may_be_local(m);
	while (local && !local_claim(t, m))
		hook_wait(t, STABLE_OP_MUTEX_TRYLOCK, m, 0);
	int result = try_original(m);
	if (local && result == 0)
		local_taken(t, m);
	return result;
}

int mutex_trylock(pthread_mutex_t *m, uintptr_t caller)
{
	struct sched_thread *t = hook_enter(caller);
	if (!t) {
		hook_outside(m, caller);
		section_ask(NESTED_TRYLOCK, m, caller);
		return real.pthread_mutex_trylock(m);
	}
	if (lock_own(t, m, STABLE_OP_MUTEX_TRYLOCK))
		return 0;
	hook_turn(t, STABLE_OP_MUTEX_TRYLOCK);
	int result = try_once(t, m);
	if (result == 0)
		hook_held(t, 1);
	hook_log(t, STABLE_OP_MUTEX_TRYLOCK, m, (uint16_t)result, 0);
	hook_end(t);
	return result;
}

int mutex_release(pthread_mutex_t *m)
{
	bool counted = !may_be_local(m) || local_of(m)->counted;
	int result = real.pthread_mutex_unlock(m);
	if (result == 0) {
		if (counted)
			hook_held(sched_self, -1);
		pool_released(sched_self, m);
		/* Nobody will ever release a robust mutex that was given up: all are told. */
		if (__builtin_expect(m->__data.__owner == NOT_RECOVERABLE, 0))
			sched_broadcast(m);
		else
			sched_signal(m);
	}
	return result;
}

int mutex_unlock_as(pthread_mutex_t *m, uintptr_t caller, uint16_t op)
{
	struct sched_thread *t = hook_enter(caller);
	if (!t) {
		section_ask(NESTED_UNLOCK, m, caller);
		int result = real.pthread_mutex_unlock(m);
		hook_outside_wake(m, caller, false);
		return result;
	}
	if (unlock_own(t, m, op))
		return 0;
	hook_turn(t, op);
	int result = mutex_release(m);
	hook_log(t, op, m, (uint16_t)result, 0);
	hook_end(t);
	return result;
}

int mutex_unlock(pthread_mutex_t *m, uintptr_t caller)
{
	return mutex_unlock_as(m, caller, STABLE_OP_MUTEX_UNLOCK);
}

int mutex_timedlock(pthread_mutex_t *m, clockid_t clock, const struct timespec *limit,
		    uintptr_t caller)
{
	struct sched_thread *t = hook_begin(caller, STABLE_OP_MUTEX_TIMEDLOCK);
	if (!t) {
		hook_outside(m, caller);
		if (section_timed(m, caller)) {
			int result = real.pthread_mutex_trylock(m);
			return result == EBUSY ? ETIMEDOUT : result;
		}
		return real.pthread_mutex_clocklock(m, clock, limit);
	}
	int result = mutex_try(m);
	if (result == EBUSY && !hook_valid_time(limit))
		result = EINVAL;
	if (result != EBUSY) {
		if (result == 0)
			hook_held(t, 1);
		hook_log(t, STABLE_OP_MUTEX_TIMEDLOCK, m, (uint16_t)result, 0);
		hook_end(t);
		return result;
	}
	if (is_shared(m)) {
		hook_leave_shared(t);
		return real.pthread_mutex_clocklock(m, clock, limit);
	}
	struct hook_acquire a = {.op = STABLE_OP_MUTEX_TIMEDLOCK,
				 .addr = m,
				 .try = mutex_try,
				 .lock = true,
				 .turns = hook_turns_until(t, clock, limit)};
	result = hook_acquire(t, &a);
	hook_end(t);
	return result;
}

HOOK_EXPORT int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr)
{
	struct sched_thread *t = hook_enter(HOOK_CALLER);
	if (!t)
		section_ask(NESTED_TOUCH, m, HOOK_CALLER);
	int result = real.pthread_mutex_init(m, attr);
	if (result == 0)
		mark_private(m, attr);
	if (!t)
		return result;
	/* Nobody else can use it before this thread has told them. */
	if (local_ready(t) && result == 0) {
		local_done(t, STABLE_OP_MUTEX_INIT, m, false);
		hook_leave(t);
		return 0;
	}
	hook_turn(t, STABLE_OP_MUTEX_INIT);
	if (schedlog_active)
		obj_new(OBJ_MUTEX, m);
	hook_log(t, STABLE_OP_MUTEX_INIT, m, (uint16_t)result, 0);
	hook_end(t);
	return result;
}

HOOK_EXPORT int pthread_mutex_destroy(pthread_mutex_t *m)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_MUTEX_DESTROY);
	if (!t) {
		section_ask(NESTED_TOUCH, m, HOOK_CALLER);
		return real.pthread_mutex_destroy(m);
	}
	int result = real.pthread_mutex_destroy(m);
	hook_log(t, STABLE_OP_MUTEX_DESTROY, m, (uint16_t)result, 0);
	if (result == 0) {
		obj_forget(OBJ_MUTEX, m);
		pool_forget(m);
	}
	hook_end(t);
	return result;
}

HOOK_EXPORT int pthread_mutex_lock(pthread_mutex_t *m)
{
	return mutex_lock(m, HOOK_CALLER);
}

HOOK_EXPORT int pthread_mutex_trylock(pthread_mutex_t *m)
{
	return mutex_trylock(m, HOOK_CALLER);
}

HOOK_EXPORT int pthread_mutex_unlock(pthread_mutex_t *m)
{
	return mutex_unlock(m, HOOK_CALLER);
}

HOOK_EXPORT int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *limit)
{
	return mutex_timedlock(m, CLOCK_REALTIME, limit, HOOK_CALLER);
}

HOOK_EXPORT int pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock,
					const struct timespec *limit)
{
	return mutex_timedlock(m, clock, limit, HOOK_CALLER);
}

HOOK_EXPORT int pthread_mutex_consistent(pthread_mutex_t *m)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_MUTEX_CONSISTENT);
	if (!t)
		return real.pthread_mutex_consistent(m);
	int result = real.pthread_mutex_consistent(m);
	hook_log(t, STABLE_OP_MUTEX_CONSISTENT, m, (uint16_t)result, 0);
	hook_end(t);
	return result;
}
