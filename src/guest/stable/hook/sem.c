#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>

#include "guest/stable/hook/hook.h"
#include "guest/stable/hook/section.h"
#include "guest/stable/real.h"

/* Errors travel as numbers; the wrappers turn them into -1 and errno at the end. */
static int answer(int result)
{
	if (result == 0)
		return 0;
	errno = result;
	return -1;
}

static int try_wait(void *s)
{
	int saved = errno, result = 0;
	if (real.sem_trywait(s) < 0)
		result = errno == EAGAIN ? EBUSY : errno;
	errno = saved;
	return result;
}

/* Semaphores of several processes are left to the kernel. */
static bool is_shared(sem_t *s)
{
	struct obj *o = obj_find(OBJ_SEM, s);
	return o && o->shared;
}

static int wait_original(sem_t *s, clockid_t clock, const struct timespec *limit)
{
	if (!limit)
		return real.sem_wait(s);
	return clock == CLOCK_REALTIME ? real.sem_timedwait(s, limit)
				       : real.sem_clockwait(s, clock, limit);
}

static int acquire(sem_t *s, clockid_t clock, const struct timespec *limit, uintptr_t caller)
{
	uint16_t op = limit ? STABLE_OP_SEM_TIMEDWAIT : STABLE_OP_SEM_WAIT;
	struct sched_thread *t = hook_begin(caller, op);
	if (!t) {
		hook_outside(s, caller);
		if (limit && section_timed(s, caller)) {
			int result = try_wait(s);
			return answer(result == EBUSY ? ETIMEDOUT : result);
		}
		section_ask(NESTED_SEM_WAIT, s, caller);
		return wait_original(s, clock, limit);
	}
	if (is_shared(s)) {
		hook_leave_shared(t);
		return wait_original(s, clock, limit);
	}
	struct hook_acquire a = {
		.op = op, .addr = s, .try = try_wait, .cancellable = true, .interruptible = true};
	if (limit && !hook_valid_time(limit)) {
		int result = try_wait(s);
		hook_end(t);
		return answer(result == EBUSY ? EINVAL : result);
	}
	if (limit)
		a.turns = hook_turns_until(t, clock, limit);
	int result = hook_acquire(t, &a);
	hook_end(t);
	if (result == ECANCELED) {
		hook_test_cancel(t);
		result = EINTR;
	}
	return answer(result);
}

HOOK_EXPORT int sem_init(sem_t *s, int shared, unsigned value)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_SEM_INIT);
	if (!t)
		section_ask(NESTED_TOUCH, s, HOOK_CALLER);
	int result = real.sem_init(s, shared, value);
	if (!t)
		return result;
	if (result == 0)
		obj_new(OBJ_SEM, s)->shared = shared != 0;
	hook_log(t, STABLE_OP_SEM_INIT, s, result ? (uint16_t)errno : 0, 0);
	hook_end(t);
	return result;
}

HOOK_EXPORT int sem_destroy(sem_t *s)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_SEM_DESTROY);
	if (!t)
		section_ask(NESTED_TOUCH, s, HOOK_CALLER);
	int result = real.sem_destroy(s);
	if (!t)
		return result;
	hook_log(t, STABLE_OP_SEM_DESTROY, s, result ? (uint16_t)errno : 0, 0);
	obj_forget(OBJ_SEM, s);
	hook_end(t);
	return result;
}

HOOK_EXPORT sem_t *sem_open(const char *name, int flags, ...)
{
	va_list args;
	va_start(args, flags);
	mode_t mode = flags & O_CREAT ? va_arg(args, mode_t) : 0;
	unsigned value = flags & O_CREAT ? va_arg(args, unsigned) : 0;
	va_end(args);
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_SEM_INIT);
	sem_t *s = real.sem_open(name, flags, mode, value);
	if (!t)
		return s;
	if (s != SEM_FAILED)
		obj_new(OBJ_SEM, s)->shared = 1;
	hook_log(t, STABLE_OP_SEM_INIT, s == SEM_FAILED ? NULL : s, 0, 0);
	hook_end(t);
	return s;
}

HOOK_EXPORT int sem_close(sem_t *s)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_SEM_DESTROY);
	if (!t)
		return real.sem_close(s);
	hook_log(t, STABLE_OP_SEM_DESTROY, s, 0, 0);
	obj_forget(OBJ_SEM, s);
	int result = real.sem_close(s);
	hook_end(t);
	return result;
}

HOOK_EXPORT int sem_wait(sem_t *s)
{
	return acquire(s, CLOCK_REALTIME, NULL, HOOK_CALLER);
}

HOOK_EXPORT int sem_timedwait(sem_t *s, const struct timespec *limit)
{
	return acquire(s, CLOCK_REALTIME, limit, HOOK_CALLER);
}

HOOK_EXPORT int sem_clockwait(sem_t *s, clockid_t clock, const struct timespec *limit)
{
	return acquire(s, clock, limit, HOOK_CALLER);
}

HOOK_EXPORT int sem_trywait(sem_t *s)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_SEM_TRYWAIT);
	if (!t) {
		hook_outside(s, HOOK_CALLER);
		section_ask(NESTED_SEM_TRYWAIT, s, HOOK_CALLER);
		return real.sem_trywait(s);
	}
	int result = try_wait(s);
	result = result == EBUSY ? EAGAIN : result;
	hook_log(t, STABLE_OP_SEM_TRYWAIT, s, (uint16_t)result, 0);
	hook_end(t);
	return answer(result);
}

HOOK_EXPORT int sem_post(sem_t *s)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_SEM_POST);
	if (!t) {
		section_ask(NESTED_SEM_POST, s, HOOK_CALLER);
		int result = real.sem_post(s);
		int saved = errno;
		hook_outside_wake(s, HOOK_CALLER, false);
		errno = saved;
		return result;
	}
	int result = real.sem_post(s);
	uint32_t woken = result == 0 ? sched_signal(s) : 0;
	hook_log(t, STABLE_OP_SEM_POST, s, result ? (uint16_t)errno : 0, woken);
	hook_end(t);
	return result;
}

HOOK_EXPORT int sem_getvalue(sem_t *s, int *value)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_SEM_GETVALUE);
	if (!t)
		section_ask(NESTED_LOOK, s, HOOK_CALLER);
	int result = real.sem_getvalue(s, value);
	if (!t)
		return result;
	hook_log(t, STABLE_OP_SEM_GETVALUE, s, result ? (uint16_t)errno : 0, 0);
	hook_end(t);
	return result;
}
