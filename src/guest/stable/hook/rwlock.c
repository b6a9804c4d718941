#include <errno.h>

#include "guest/stable/hook/hook.h"
#include "guest/stable/hook/section.h"
#include "guest/stable/real.h"

static int try_read(void *l)
{
	return real.pthread_rwlock_tryrdlock(l);
}

/* A try reports EBUSY where locking twice for writing must report EDEADLK. */
static int try_write(void *lock)
{
	pthread_rwlock_t *l = lock;
	int result = real.pthread_rwlock_trywrlock(l);
	if (result == EBUSY && l->__data.__cur_writer == sched_self->os_tid)
		return EDEADLK;
	return result;
}

struct deadline {
	clockid_t clock;
	const struct timespec *limit; /* NULL: none */
};

static int acquire_original(pthread_rwlock_t *l, bool write, const struct deadline *until)
{
	if (!until->limit)
		return write ? real.pthread_rwlock_wrlock(l) : real.pthread_rwlock_rdlock(l);
	if (until->clock == CLOCK_REALTIME)
		return write ? real.pthread_rwlock_timedwrlock(l, until->limit)
			     : real.pthread_rwlock_timedrdlock(l, until->limit);
	return write ? real.pthread_rwlock_clockwrlock(l, until->clock, until->limit)
		     : real.pthread_rwlock_clockrdlock(l, until->clock, until->limit);
}

static int acquire(pthread_rwlock_t *l, uint16_t op, const struct deadline *until, uintptr_t caller)
{
	bool write = op == STABLE_OP_RWLOCK_WRLOCK || op == STABLE_OP_RWLOCK_TIMEDWRLOCK;
	struct sched_thread *t = hook_begin(caller, op);
	if (!t || l->__data.__shared) {
		if (t)
			hook_leave_shared(t);
		hook_outside(l, caller);
		if (until->limit && section_timed(l, caller)) {
			int result = write ? try_write(l) : try_read(l);
			return result == EBUSY ? ETIMEDOUT : result;
		}
		section_ask(write ? NESTED_WRLOCK : NESTED_RDLOCK, l, caller);
		return acquire_original(l, write, until);
	}
	struct hook_acquire a = {
		.op = op, .addr = l, .try = write ? try_write : try_read, .lock = true};
	if (!write && l->__data.__cur_writer == t->os_tid) {
		hook_log(t, op, l, EDEADLK, 0);
		hook_end(t);
		return EDEADLK;
	}
	if (until->limit)
		a.turns = hook_turns_until(t, until->clock, until->limit);
	int result = hook_acquire(t, &a);
	hook_end(t);
	return result;
}

static int attempt(pthread_rwlock_t *l, uint16_t op, int (*original)(pthread_rwlock_t *),
		   struct sched_thread *t, uintptr_t caller)
{
	if (!t) {
		hook_outside(l, caller);
		section_ask(NESTED_TRYLOCK, l, caller);
		return original(l);
	}
	int result = original(l);
	if (result == 0)
		hook_held(t, 1);
	hook_log(t, op, l, (uint16_t)result, 0);
	hook_end(t);
	return result;
}

HOOK_EXPORT int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *attr)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_RWLOCK_INIT);
	int result = real.pthread_rwlock_init(l, attr);
	if (!t)
		return result;
	if (schedlog_active)
		obj_new(OBJ_RWLOCK, l);
	hook_log(t, STABLE_OP_RWLOCK_INIT, l, (uint16_t)result, 0);
	hook_end(t);
	return result;
}

HOOK_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t *l)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_RWLOCK_DESTROY);
	if (!t)
		section_ask(NESTED_TOUCH, l, HOOK_CALLER);
	int result = real.pthread_rwlock_destroy(l);
	if (!t)
		return result;
	hook_log(t, STABLE_OP_RWLOCK_DESTROY, l, (uint16_t)result, 0);
	obj_forget(OBJ_RWLOCK, l);
	hook_end(t);
	return result;
}

HOOK_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
	return acquire(l, STABLE_OP_RWLOCK_RDLOCK, &(struct deadline){0, NULL}, HOOK_CALLER);
}

HOOK_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
	return acquire(l, STABLE_OP_RWLOCK_WRLOCK, &(struct deadline){0, NULL}, HOOK_CALLER);
}

HOOK_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *limit)
{
	struct deadline until = {CLOCK_REALTIME, limit};
	return acquire(l, STABLE_OP_RWLOCK_TIMEDRDLOCK, &until, HOOK_CALLER);
}

HOOK_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *l, clockid_t clock,
					   const struct timespec *limit)
{
	struct deadline until = {clock, limit};
	return acquire(l, STABLE_OP_RWLOCK_TIMEDRDLOCK, &until, HOOK_CALLER);
}

HOOK_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *limit)
{
	struct deadline until = {CLOCK_REALTIME, limit};
	return acquire(l, STABLE_OP_RWLOCK_TIMEDWRLOCK, &until, HOOK_CALLER);
}

HOOK_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *l, clockid_t clock,
					   const struct timespec *limit)
{
	struct deadline until = {clock, limit};
	return acquire(l, STABLE_OP_RWLOCK_TIMEDWRLOCK, &until, HOOK_CALLER);
}

HOOK_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t *l)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_RWLOCK_TRYRDLOCK);
	return attempt(l, STABLE_OP_RWLOCK_TRYRDLOCK, real.pthread_rwlock_tryrdlock, t,
		       HOOK_CALLER);
}

HOOK_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t *l)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_RWLOCK_TRYWRLOCK);
	return attempt(l, STABLE_OP_RWLOCK_TRYWRLOCK, real.pthread_rwlock_trywrlock, t,
		       HOOK_CALLER);
}

HOOK_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *l)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_RWLOCK_UNLOCK);
	if (!t)
		section_ask(NESTED_RWUNLOCK, l, HOOK_CALLER);
	int result = real.pthread_rwlock_unlock(l);
	if (!t) {
		hook_outside_wake(l, HOOK_CALLER, true);
		return result;
	}
	/* All waiters: one reader alone would keep the others asleep, or strand a writer. */
	uint32_t woken = result == 0 ? sched_broadcast(l) : 0;
	if (result == 0)
		hook_held(t, -1);
	hook_log(t, STABLE_OP_RWLOCK_UNLOCK, l, (uint16_t)result, woken);
	hook_end(t);
	return result;
}
