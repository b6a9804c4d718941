/*
 * Semaphores.  rt_obj field count = tokens, waiters = threads in a wait.
 *
 * A semaphore seen for the first time (made before control began, or by sem_open) has the tokens
 * that the C library sees in it.  Named semaphores are modelled within this process only.
 */
#include <errno.h>
#include <limits.h>
#include <semaphore.h>
#include <stdarg.h>

#include "rt/hook/call.h"
#include "rt/hook/cancel.h"
#include "rt/mem/heap.h"
#include "rt/mem/undo.h"
#include "rt/os/real.h"
#include "rt/rec/rec.h"
#include "rt/sched/obj.h"

static struct rt_obj *sem_obj(sem_t *s, uint32_t site)
{
	struct rt_obj *o = obj_find((uintptr_t)s);
	int tokens = 0;

	heap_check(s, sizeof(*s), site, true);
	if (likely(o && o->kind == OBJ_SEM))
		return o;
	REAL(sem_getvalue)(s, &tokens);
	o = obj_get(s, OBJ_SEM);
	obj_touch(o);
	o->owner = THREAD_NONE;
	o->count = tokens > 0 ? (uint32_t)tokens : 0;
	return o;
}

static int fail(int number)
{
	errno = number;
	return -1;
}

static bool ready(struct rt_thread *t, const struct rt_op *op)
{
	const struct rt_obj *o = obj_find(op->addr);

	return !o || o->count > 0;
}

static void count_waiter(sem_t *s, int change, uint32_t site)
{
	struct rt_obj *o = sem_obj(s, site);

	obj_touch(o);
	o->waiters += (uint32_t)change;
}

static int wait_token(sem_t *s, clockid_t clock, const struct timespec *when)
{
	struct rt_op op = call_op(EVENT_SEM_WAIT, s, ready);
	enum step_result step;
	struct rt_obj *o = sem_obj(s, op.site);

	if (when && !call_time_valid(when)) {
		cancel_point();
		return fail(EINVAL);
	}
	op.flags = OP_CANCEL;
	if (when)
		call_expires_at(&op, clock, when);
	count_waiter(s, 1, op.site);
	step = sched_step(&op);
	count_waiter(s, -1, op.site);
	cancel_point();
	if (step == STEP_TIMEOUT) {
		rec_access(EVENT_SEM_TIMEOUT, SYNC_TIMED, op.site, op.addr, 0, 0);
		return fail(ETIMEDOUT);
	}
	o = sem_obj(s, op.site);
	obj_touch(o);
	o->count--;
	rec_access(EVENT_SEM_WAIT, op.size, op.site, op.addr, o->count, 0);
	return 0;
}

RT_EXPORT int sem_init(sem_t *s, int shared, unsigned int tokens)
{
	if (!rt_controlled())
		return REAL(sem_init)(s, shared, tokens);
	uint32_t site = sched_take_site();
	struct rt_obj *o;

	sched_mark(EVENT_OBJ_INIT, site, (uintptr_t)s, tokens, OBJ_SEM);
	undo_touch(s, sizeof(*s));
	if (REAL(sem_init)(s, shared, tokens))
		return -1;
	o = obj_find((uintptr_t)s);
	if (o)
		obj_remove(o);
	sem_obj(s, site)->init_site = site;
	return 0;
}

RT_EXPORT int sem_destroy(sem_t *s)
{
	if (!rt_controlled())
		return REAL(sem_destroy)(s);
	uint32_t site = sched_take_site();
	struct rt_obj *o;

	sched_mark(EVENT_OBJ_DESTROY, site, (uintptr_t)s, 0, OBJ_SEM);
	o = obj_find((uintptr_t)s);
	if (o && o->kind == OBJ_SEM && o->waiters)
		rt_fail(FAILURE_SYNC_MISUSE, site, (uintptr_t)s, o->waiters,
			"destroy of a semaphore on which a thread waits");
	if (o)
		obj_remove(o);
	return 0;
}

RT_EXPORT int sem_post(sem_t *s)
{
	if (!rt_controlled())
		return REAL(sem_post)(s);
	struct rt_op op = call_op(EVENT_SEM_POST, s, NULL);
	struct rt_obj *o;

	sched_step(&op);
	o = sem_obj(s, op.site);
	if (o->count == SEM_VALUE_MAX) {
		rec_event(EVENT_SEM_TRYWAIT, op.site, op.addr, EOVERFLOW, 0);
		return fail(EOVERFLOW);
	}
	obj_touch(o);
	o->count++;
	rec_event(EVENT_SEM_POST, op.site, op.addr, o->count, 0);
	sched_wake(op.addr);
	return 0;
}

RT_EXPORT int sem_wait(sem_t *s)
{
	return rt_controlled() ? wait_token(s, 0, NULL) : REAL(sem_wait)(s);
}

RT_EXPORT int sem_timedwait(sem_t *s, const struct timespec *when)
{
	return rt_controlled() ? wait_token(s, CLOCK_REALTIME, when) : REAL(sem_timedwait)(s, when);
}

RT_EXPORT int sem_clockwait(sem_t *s, clockid_t clock, const struct timespec *when)
{
	if (!rt_controlled())
		return REAL(sem_clockwait)(s, clock, when);
	if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
		return fail(EINVAL);
	return wait_token(s, clock, when);
}

RT_EXPORT int sem_trywait(sem_t *s)
{
	if (!rt_controlled())
		return REAL(sem_trywait)(s);
	struct rt_op op = call_op(EVENT_SEM_TRYWAIT, s, NULL);
	struct rt_obj *o;

	sched_step(&op);
	o = sem_obj(s, op.site);
	if (o->count == 0) {
		rec_event(EVENT_SEM_TRYWAIT, op.site, op.addr, EAGAIN, 0);
		return fail(EAGAIN);
	}
	obj_touch(o);
	o->count--;
	rec_event(EVENT_SEM_TRYWAIT, op.site, op.addr, 0, o->count);
	return 0;
}

RT_EXPORT int sem_getvalue(sem_t *s, int *value)
{
	if (!rt_controlled())
		return REAL(sem_getvalue)(s, value);
	struct rt_op op = call_op(EVENT_SEM_TRYWAIT, s, NULL);

	sched_step(&op);
	undo_touch(value, sizeof(*value));
	*value = (int)sem_obj(s, op.site)->count;
	/* It reads the count and takes nothing: recorded like a refused attempt. */
	rec_access(EVENT_SEM_TRYWAIT, SYNC_LOOK, op.site, op.addr, EAGAIN, (uint32_t)*value);
	return 0;
}

RT_EXPORT sem_t *sem_open(const char *name, int flags, ...)
{
	unsigned int tokens = 0;
	mode_t mode = 0;
	va_list args;

	if (flags & O_CREAT) {
		va_start(args, flags);
		mode = va_arg(args, mode_t);
		tokens = va_arg(args, unsigned int);
		va_end(args);
	}
	if (rt_controlled()) {
		rt_irreversible("sem_open(\"%s\")", name);
		rt_note("the named semaphore \"%s\" is modelled within this process only", name);
		undo_opaque();
	}
	return REAL(sem_open)(name, flags, mode, tokens);
}

RT_EXPORT int sem_close(sem_t *s)
{
	if (rt_controlled()) {
		rt_irreversible("sem_close");
		undo_opaque();
	}
	return REAL(sem_close)(s);
}

RT_EXPORT int sem_unlink(const char *name)
{
	if (rt_controlled())
		rt_irreversible("sem_unlink(\"%s\")", name);
	return REAL(sem_unlink)(name);
}
