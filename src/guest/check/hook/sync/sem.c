/*
 * Semaphores.  rt_obj.sem as in wire/rules.h.
 *
 * A semaphore seen for the first time (made before control began, or by sem_open) has the tokens
 * that the C library sees in it.  Named semaphores are modelled within this process only.
 */
#include <errno.h>
#include <limits.h>
#include <semaphore.h>
#include <stdarg.h>

#include "guest/check/hook/call.h"
#include "guest/check/hook/cancel.h"
#include "guest/check/hook/system/signals.h"
#include "guest/check/mem/heap.h"
#include "guest/check/mem/undo.h"
#include "guest/check/rec/rec.h"
#include "guest/check/sched/obj.h"
#include "guest/check/sched/spin.h"
#include "guest/os/real.h"

/* The word of the C library's semaphore that says whether processes share it. */
#define SEM_PRIVATE 0
#define SEM_SHARED 128
#define SEM_DESTROYED 0x5e3dead

/* So close to the most a semaphore can hold, another order of the operations may be refused. */
#define SEM_NEARLY_FULL (SEM_VALUE_MAX - 65536)

static int *sharing_word(sem_t *s)
{
	return (int *)(void *)((char *)s + sizeof(uint64_t));
}

/* All zero is what sem_init(s, 0, 0) leaves, so one that was never initialised may pass as that. */
static bool is_live(sem_t *s)
{
	return *sharing_word(s) == SEM_PRIVATE || *sharing_word(s) == SEM_SHARED;
}

static void check_life(sem_t *s, uint32_t site)
{
	if (likely(is_live(s)))
		return;
	rt_fail(FAILURE_SYNC_MISUSE, site, (uintptr_t)s, 0,
		*sharing_word(s) == SEM_DESTROYED ? "use of a semaphore after sem_destroy"
						  : "use of a semaphore that was never initialised");
}

static struct rt_obj *sem_obj(sem_t *s)
{
	struct rt_obj *o = obj_find((uintptr_t)s);
	int tokens = 0;

	if (likely(o && o->kind == OBJ_SEM))
		return o;
	REAL(sem_getvalue)(s, &tokens);
	o = obj_get(s, OBJ_SEM);
	obj_touch(o);
	o->sem.tokens = tokens > 0 ? (uint32_t)tokens : 0;
	return o;
}

/* The same for whoever uses it. */
static struct rt_obj *live_sem(sem_t *s, uint32_t site)
{
	heap_check(s, sizeof(*s), site, true);
	check_life(s, site);
	return sem_obj(s);
}

static int fail(int number)
{
	errno = number;
	return -1;
}

static bool ready(struct rt_thread *t, const struct rt_op *op)
{
	sem_t *s = (sem_t *)op->addr;

	return !is_live(s) || rule_sem_ask(&sem_obj(s)->sem) == RULE_GO;
}

/* Whether somebody sleeps at it. */
static bool in_use(const struct rt_obj *o)
{
	return !rule_sem_idle(&o->sem, call_standing_at(EVENT_SEM_WAIT, o->addr));
}

static int wait_token(sem_t *s, clockid_t clock, const struct timespec *when)
{
	struct rt_op op = call_op(EVENT_SEM_WAIT, s, ready);
	enum step_result step;
	struct rt_obj *o;

	if (when && !call_time_valid(when)) {
		cancel_point();
		return fail(EINVAL);
	}
	heap_check(s, sizeof(*s), op.site, true);
	op.flags = OP_CANCEL | OP_INTR;
	if (when)
		call_expires_at(&op, clock, when);
	do {
		step = sched_step(&op);
		cancel_point();
		if (step == STEP_INTR && signals_handle())
			return fail(EINTR);
	} while (step == STEP_INTR);
	if (step == STEP_TIMEOUT) {
		rec_access(EVENT_SEM_TIMEOUT, SYNC_TIMED, op.site, op.addr, 0, 0);
		return fail(ETIMEDOUT);
	}
	o = live_sem(s, op.site);
	obj_touch(o);
	rule_sem_take(&o->sem);
	rec_access(EVENT_SEM_WAIT, op.size, op.site, op.addr, o->sem.tokens, 0);
	return 0;
}

RT_EXPORT int sem_init(sem_t *s, int shared, unsigned int tokens)
{
	if (!rt_controlled())
		return REAL(sem_init)(s, shared, tokens);
	struct rt_op op = call_life(EVENT_OBJ_INIT, s, OBJ_SEM, tokens);
	struct rt_obj *o;

	sched_step(&op);
	heap_check(s, sizeof(*s), op.site, true);
	o = obj_find(op.addr);
	if (o && o->kind == OBJ_SEM && in_use(o))
		rt_fail(FAILURE_SYNC_MISUSE, op.site, op.addr, 0,
			"initialisation of a semaphore on which a thread waits");
	rec_event(EVENT_OBJ_INIT, op.site, op.addr, tokens, OBJ_SEM);
	undo_touch(s, sizeof(*s));
	if (REAL(sem_init)(s, shared, tokens))
		return -1;
	if (o)
		obj_remove(o);
	live_sem(s, op.site)->init_site = op.site;
	sched_wake(op.addr); /* somebody may stand at it already */
	return 0;
}

RT_EXPORT int sem_destroy(sem_t *s)
{
	if (!rt_controlled())
		return REAL(sem_destroy)(s);
	struct rt_op op = call_life(EVENT_OBJ_DESTROY, s, OBJ_SEM, 0);
	struct rt_obj *o;

	sched_step(&op);
	o = live_sem(s, op.site);
	if (in_use(o))
		rt_fail(FAILURE_SYNC_MISUSE, op.site, op.addr, 0,
			"destroy of a semaphore on which a thread waits");
	rec_event(EVENT_OBJ_DESTROY, op.site, op.addr, 0, OBJ_SEM);
	obj_remove(o);
	undo_touch(s, sizeof(*s));
	*sharing_word(s) = SEM_DESTROYED;
	return 0;
}

RT_EXPORT int sem_post(sem_t *s)
{
	if (!rt_controlled())
		return REAL(sem_post)(s);
	struct rt_op op = call_op(EVENT_SEM_POST, s, NULL);
	struct rt_obj *o;

	sched_step(&op);
	o = live_sem(s, op.site);
	if (unlikely(o->sem.tokens >= SEM_NEARLY_FULL))
		rt_unseen(op.site, "a semaphore that is nearly full");
	if (o->sem.tokens == SEM_VALUE_MAX) {
		spin_wrote(rt_self());
		rec_event(EVENT_SEM_TRYWAIT, op.site, op.addr, EOVERFLOW, 0);
		return fail(EOVERFLOW);
	}
	obj_touch(o);
	rule_sem_give(&o->sem);
	rec_event(EVENT_SEM_POST, op.site, op.addr, o->sem.tokens, 0);
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

static bool would_take(const struct rt_thread *t, uint64_t addr)
{
	const struct rt_obj *o = obj_find(addr);

	return o && rule_sem_ask(&o->sem) != RULE_WAIT;
}

RT_EXPORT int sem_trywait(sem_t *s)
{
	if (!rt_controlled())
		return REAL(sem_trywait)(s);
	struct rt_op op = call_op(EVENT_SEM_TRYWAIT, s, NULL);
	struct rt_obj *o;

	sched_step(&op);
	o = live_sem(s, op.site);
	if (rule_sem_ask(&o->sem) == RULE_WAIT) {
		rec_event(EVENT_SEM_TRYWAIT, op.site, op.addr, EAGAIN, 0);
		spin_tried(rt_self(), op.addr, false, would_take);
		return fail(EAGAIN);
	}
	spin_wrote(rt_self());
	obj_touch(o);
	rule_sem_take(&o->sem);
	rec_event(EVENT_SEM_TRYWAIT, op.site, op.addr, 0, o->sem.tokens);
	return 0;
}

RT_EXPORT int sem_getvalue(sem_t *s, int *value)
{
	if (!rt_controlled())
		return REAL(sem_getvalue)(s, value);
	struct rt_op op = call_op(EVENT_SEM_TRYWAIT, s, NULL);

	sched_step(&op);
	undo_touch(value, sizeof(*value));
	*value = (int)live_sem(s, op.site)->sem.tokens;
	spin_wrote(rt_self());
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
