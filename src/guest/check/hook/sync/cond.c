#include "guest/check/hook/sync/cond.h"

#include <errno.h>

#include "guest/check/hook/call.h"
#include "guest/check/hook/cancel.h"
#include "guest/check/hook/sync/mutex.h"
#include "guest/check/mem/heap.h"
#include "guest/check/mem/undo.h"
#include "guest/os/real.h"
#include "guest/check/rec/rec.h"

/* rt_thread.wake_reason of a thread in a wait. */
enum wake_reason { WAKE_NONE, WAKE_SIGNAL, WAKE_SPURIOUS };

/* The C library sets this in the condition's word of references when it is destroyed. */
#define REFS_DESTROYED 4

/* rt_obj.waiters = threads asleep, not yet signalled. */
static struct rt_obj *cond_obj(const void *c)
{
	struct rt_obj *o = obj_find((uintptr_t)c);

	return likely(o && o->kind == OBJ_COND) ? o : obj_get(c, OBJ_COND);
}

/* The same for whoever uses it. */
static struct rt_obj *live_cond(const void *c, uint32_t site)
{
	heap_check(c, sizeof(pthread_cond_t), site, true);
	if (unlikely(((const pthread_cond_t *)c)->__data.__wrefs & REFS_DESTROYED))
		rt_fail(FAILURE_SYNC_MISUSE, site, (uintptr_t)c, 0,
			"use of a condition after pthread_cond_destroy");
	return cond_obj(c);
}

static bool mutex_ready(struct rt_thread *t, const struct rt_op *op)
{
	const struct rt_obj *o = obj_find(op->addr);

	return !o || mutex_verdict(t, o) != EBUSY;
}

static bool is_asleep_at(const struct rt_thread *t, uint64_t cond)
{
	return call_is_parked(t) && t->op->kind == EVENT_COND_WAKE && t->op->addr == cond;
}

/* The sleeper number n of the condition, in the order of thread numbers. */
static struct rt_thread *sleeper(uint64_t cond, uint32_t n)
{
	struct rt_thread *t;

	for (uint32_t tid = 0; (t = thread_by_tid(tid)) != NULL; tid++)
		if (is_asleep_at(t, cond) && n-- == 0)
			return t;
	rt_trouble("a condition variable lost a waiter");
}

/*
 * From now on the operation is a plain request for the mutex, which neither a time limit nor a
 * cancellation lets pass.
 */
static void stand_at_mutex(struct rt_op *op)
{
	op->kind = EVENT_LOCK;
	op->addr = op->value;
	op->ready = mutex_ready;
	op->timed = 0;
	op->flags = 0;
	op->spurious = NULL;
}

static void wake_sleeper(struct rt_thread *t, struct rt_obj *o)
{
	obj_touch(o);
	o->waiters--;
	t->wake_reason = WAKE_SIGNAL;
	t->waker = rt_self()->tid;
	stand_at_mutex(t->op);
	sched_wake(t->op->addr);
}

/* A sleeper wakes up though nobody woke it. */
static void wake_for_nothing(struct rt_thread *t)
{
	struct rt_obj *o = cond_obj((const void *)t->op->addr);

	obj_touch(o);
	o->waiters--;
	t->wake_reason = WAKE_SPURIOUS;
	stand_at_mutex(t->op);
	sched_refresh(t);
}

/* Sleeps until signalled, cancelled or out of time; returns 0 with the mutex free to take. */
static int sleep_at(struct rt_op *op, const void *c)
{
	struct rt_thread *t = rt_self();
	enum step_result step = sched_step(op);
	struct rt_obj *o;

	if (t->wake_reason != WAKE_NONE)
		return 0;
	o = cond_obj(c);
	obj_touch(o);
	o->waiters--;
	if (step == STEP_TIMEOUT)
		rec_access(EVENT_COND_TIMEOUT, SYNC_TIMED, op->site, op->addr, op->value, 0);
	stand_at_mutex(op);
	sched_step(op);
	return step == STEP_TIMEOUT ? ETIMEDOUT : 0;
}

/* Takes the mutex again; its depth goes back by the one level that the wait gave up. */
static int wake_up(const struct rt_op *op, const void *c, const void *m)
{
	struct rt_thread *t = rt_self();
	struct rt_obj *o = mutex_obj(m, op->site);
	uint32_t waker = t->wake_reason == WAKE_SIGNAL ? t->waker : THREAD_NONE;
	int result = mutex_verdict(t, o);

	if (!result)
		result = mutex_take(t, o, op->site);
	rec_event(EVENT_COND_WAKE, op->site, (uintptr_t)c, (uintptr_t)m, waker);
	return result;
}

/* Gives up the mutex and counts itself as a sleeper, in one step. */
static int fall_asleep(struct rt_op *op, const void *c, const void *m)
{
	struct rt_thread *t = rt_self();
	struct rt_obj *o;

	sched_step(op);
	live_cond(c, op->site);
	o = mutex_obj(m, op->site);
	if (obj_owner(o) != t->tid && (o->type != MUTEX_NORMAL || o->robust))
		return EPERM;
	if (obj_owner(o) != t->tid)
		rt_fail(FAILURE_SYNC_MISUSE, op->site, (uintptr_t)m, 0,
			"wait on a condition with a mutex that this thread does not hold");
	rec_access(EVENT_COND_WAIT, op->size, op->site, op->addr, op->value, 0);
	mutex_drop(t, o);
	o = cond_obj(c);
	obj_touch(o);
	o->waiters++;
	t->wake_reason = WAKE_NONE;
	return 0;
}

int cond_wait(const void *c, const void *m, clockid_t clock, const struct timespec *when)
{
	struct rt_op op = call_op(EVENT_COND_WAIT, c, NULL);
	int slept, taken;

	if (when && !call_time_valid(when))
		return EINVAL;
	cancel_point();
	op.value = (uintptr_t)m;
	op.size = when ? SYNC_TIMED : 0;
	taken = fall_asleep(&op, c, m);
	if (taken)
		return taken;
	op.kind = EVENT_COND_WAKE;
	op.ready = call_never_ready;
	/* A signal ends the wait like a wake-up without reason: then its handler runs. */
	op.flags = OP_CANCEL | OP_INTR;
	op.spurious = wake_for_nothing;
	if (when)
		call_expires_at(&op, clock, when);
	slept = sleep_at(&op, c);
	taken = wake_up(&op, c, m);
	if (rt_self()->wake_reason == WAKE_NONE && slept != ETIMEDOUT)
		cancel_point();
	return taken ? taken : slept;
}

void cond_signal(const void *c)
{
	struct rt_op op = call_op(EVENT_COND_SIGNAL, c, NULL);
	struct rt_obj *o;
	uint32_t woken, n;

	sched_step(&op);
	o = live_cond(c, op.site);
	woken = rule_wakes(o->waiters, 1);
	/* The choice of the sleeper belongs to this step, so it is recorded before the event. */
	n = sched_pick(rule_wake_ways(o->waiters, woken));
	rec_event(EVENT_COND_SIGNAL, op.site, op.addr, 0, woken);
	if (woken)
		wake_sleeper(sleeper(op.addr, n), o);
}

void cond_broadcast(const void *c)
{
	struct rt_op op = call_op(EVENT_COND_BROADCAST, c, NULL);
	struct rt_obj *o;
	uint32_t woken;

	sched_step(&op);
	o = live_cond(c, op.site);
	woken = rule_wakes(o->waiters, RULE_ALL);
	rec_event(EVENT_COND_BROADCAST, op.site, op.addr, 0, woken);
	while (woken-- > 0)
		wake_sleeper(sleeper(op.addr, 0), o);
}

void cond_init(const void *c)
{
	struct rt_op op = call_life(EVENT_OBJ_INIT, c, OBJ_COND, 0);
	struct rt_obj *o;

	sched_step(&op);
	heap_check(c, sizeof(pthread_cond_t), op.site, true);
	o = obj_find(op.addr);
	if (o && o->kind == OBJ_COND && !rule_cond_idle(o->waiters))
		rt_fail(FAILURE_SYNC_MISUSE, op.site, op.addr, o->waiters,
			"initialisation of a condition on which threads wait");
	if (o)
		obj_remove(o);
	rec_event(EVENT_OBJ_INIT, op.site, op.addr, 0, OBJ_COND);
	cond_obj(c)->init_site = op.site;
}

void cond_fini(void *c)
{
	struct rt_op op = call_life(EVENT_OBJ_DESTROY, c, OBJ_COND, 0);
	struct rt_obj *o;

	sched_step(&op);
	o = live_cond(c, op.site);
	if (!rule_cond_idle(o->waiters))
		rt_fail(FAILURE_SYNC_MISUSE, op.site, op.addr, o->waiters,
			"destroy of a condition on which threads wait");
	rec_event(EVENT_OBJ_DESTROY, op.site, op.addr, 0, OBJ_COND);
	obj_remove(o);
	undo_touch(c, sizeof(pthread_cond_t));
	((pthread_cond_t *)c)->__data.__wrefs |= REFS_DESTROYED;
}

RT_EXPORT int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *attr)
{
	if (!rt_controlled())
		return REAL(pthread_cond_init)(c, attr);
	cond_init(c);
	undo_touch(c, sizeof(*c));
	return REAL(pthread_cond_init)(c, attr);
}

RT_EXPORT int pthread_cond_destroy(pthread_cond_t *c)
{
	if (!rt_controlled())
		return REAL(pthread_cond_destroy)(c);
	cond_fini(c);
	return 0;
}

RT_EXPORT int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
	return rt_controlled() ? cond_wait(c, m, 0, NULL) : REAL(pthread_cond_wait)(c, m);
}

/* The C library keeps the clock of pthread_condattr_setclock in a bit of this word. */
static clockid_t clock_of(const pthread_cond_t *c)
{
	return c->__data.__wrefs & 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
}

RT_EXPORT int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m,
				     const struct timespec *when)
{
	if (!rt_controlled())
		return REAL(pthread_cond_timedwait)(c, m, when);
	return cond_wait(c, m, clock_of(c), when);
}

RT_EXPORT int pthread_cond_clockwait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
				     const struct timespec *when)
{
	if (!rt_controlled())
		return REAL(pthread_cond_clockwait)(c, m, clock, when);
	if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
		return EINVAL;
	return cond_wait(c, m, clock, when);
}

RT_EXPORT int pthread_cond_signal(pthread_cond_t *c)
{
	if (!rt_controlled())
		return REAL(pthread_cond_signal)(c);
	cond_signal(c);
	return 0;
}

RT_EXPORT int pthread_cond_broadcast(pthread_cond_t *c)
{
	if (!rt_controlled())
		return REAL(pthread_cond_broadcast)(c);
	cond_broadcast(c);
	return 0;
}
