/*
 * Readers-writer locks.  rt_obj fields: rwlock as in wire/rules.h, waiters = writers that wait (they
 * hold back new readers of a lock that prefers writers), type = the preference.
 */
#include <errno.h>
#include <pthread.h>

#include "guest/check/hook/call.h"
#include "guest/check/mem/heap.h"
#include "guest/check/mem/undo.h"
#include "guest/check/rec/rec.h"
#include "guest/check/sched/obj.h"
#include "guest/check/sched/spin.h"
#include "guest/check/sched/thread.h"
#include "guest/os/real.h"

/* A lock request: which side, and until when (NULL = for ever). */
struct request {
	pthread_rwlock_t *lock;
	bool write;
	clockid_t clock;
	const struct timespec *when;
};

/* In the word of the preference, until an initialiser writes it: the lock was destroyed. */
#define RWLOCK_DESTROYED 0xdeadf00du

static struct rt_obj *rwlock_obj(const pthread_rwlock_t *l)
{
	struct rt_obj *o = obj_find((uintptr_t)l);

	if (unlikely(!o || o->kind != OBJ_RWLOCK)) {
		o = obj_get(l, OBJ_RWLOCK);
		obj_touch(o);
		o->type = (uint8_t)l->__data.__flags;
	}
	return o;
}

/* The same for whoever uses it. */
static struct rt_obj *live_rwlock(const pthread_rwlock_t *l, uint32_t site)
{
	heap_check(l, sizeof(*l), site, true);
	if (unlikely(l->__data.__flags == RWLOCK_DESTROYED))
		rt_fail(FAILURE_SYNC_MISUSE, site, (uintptr_t)l, 0,
			"use of a rwlock after pthread_rwlock_destroy");
	if (unlikely(l->__data.__flags == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP))
		rt_unseen(site, "whom a rwlock that prefers writers keeps waiting");
	return rwlock_obj(l);
}

/* As mutex_verdict(): 0 acquired, EBUSY must wait, or the error. */
static int verdict(const struct rt_thread *t, const struct rt_obj *o, bool write)
{
	enum rule_answer answer = rule_rwlock_ask(&o->rwlock, RULE_WHO(t), write);

	if (answer != RULE_GO)
		return answer == RULE_OWN ? EDEADLK : EBUSY;
	if (write)
		return 0;
	if (o->type == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP && o->waiters)
		return EBUSY;
	return o->rwlock.readers == UINT32_MAX ? EAGAIN : 0;
}

static bool ready(struct rt_thread *t, const struct rt_op *op)
{
	const struct rt_obj *o = obj_find(op->addr);

	return !o || verdict(t, o, op->kind == EVENT_WRLOCK) != EBUSY;
}

static void take(struct rt_thread *t, struct rt_obj *o, bool write, uint32_t site)
{
	obj_touch(o);
	rule_rwlock_take(&o->rwlock, RULE_WHO(t), write);
	o->site = site;
	thread_hold(t, o->addr, site, OBJ_RWLOCK);
}

static void count_waiting_writer(const struct request *r, bool waits)
{
	struct rt_obj *o;

	if (!r->write)
		return;
	o = rwlock_obj(r->lock);
	obj_touch(o);
	/* Memory that became another lock meanwhile knows of nobody. */
	o->waiters = waits ? o->waiters + 1 : o->waiters - (o->waiters > 0);
	if (o->type == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
		sched_wake(o->addr);
}

static bool would_share(const struct rt_thread *t, uint64_t addr)
{
	const struct rt_obj *o = obj_find(addr);

	return !o || verdict(t, o, false) == 0;
}

static bool would_own(const struct rt_thread *t, uint64_t addr)
{
	const struct rt_obj *o = obj_find(addr);

	return !o || verdict(t, o, true) == 0;
}

static int try_now(const struct request *r, int busy)
{
	enum event_kind kind = r->write ? EVENT_TRYWRLOCK : EVENT_TRYRDLOCK;
	struct rt_op op = call_op(kind, r->lock, NULL);
	struct rt_thread *t = rt_self();
	struct rt_obj *o;
	int result;

	sched_step(&op);
	o = live_rwlock(r->lock, op.site);
	result = verdict(t, o, r->write);
	if (result == 0)
		take(t, o, r->write, op.site);
	else if (result == EDEADLK || result == EBUSY)
		result = busy;
	rec_event(kind, op.site, op.addr, (uint64_t)result, o->rwlock.readers);
	spin_tried(t, op.addr, result == 0, r->write ? would_own : would_share);
	return result;
}

static int lock(const struct request *r)
{
	enum event_kind kind = r->write ? EVENT_WRLOCK : EVENT_RDLOCK;
	struct rt_thread *t = rt_self();
	enum step_result step;
	struct rt_obj *o;
	int result;

	/* A limit that is no valid time only matters when the lock would have to wait. */
	if (r->when && !call_time_valid(r->when))
		return try_now(r, EINVAL);
	struct rt_op op = call_op(kind, r->lock, ready);

	if (r->when)
		call_expires_at(&op, r->clock, r->when);
	count_waiting_writer(r, true);
	step = sched_step(&op);
	count_waiting_writer(r, false);
	if (step == STEP_TIMEOUT) {
		rec_access(EVENT_LOCK_TIMEOUT, SYNC_TIMED, op.site, op.addr, kind, 0);
		return ETIMEDOUT;
	}
	o = live_rwlock(r->lock, op.site);
	result = verdict(t, o, r->write);
	if (result) {
		rec_event(r->write ? EVENT_TRYWRLOCK : EVENT_TRYRDLOCK, op.site, op.addr,
			  (uint64_t)result, 0);
		return result;
	}
	take(t, o, r->write, op.site);
	rec_access(kind, op.size, op.site, op.addr, 0, o->rwlock.readers);
	return 0;
}

/* Whether t surely has no read lock on addr: the list of held locks is complete and lacks it. */
static bool surely_not_held(const struct rt_thread *t, uint64_t addr)
{
	for (uint32_t i = 0; i < t->held_count; i++)
		if (t->held[i].addr == addr)
			return false;
	return t->held_count < RT_MAX_HELD;
}

static int unlock(pthread_rwlock_t *l)
{
	struct rt_op op = call_op(EVENT_RWUNLOCK, l, NULL);
	struct rt_thread *t = rt_self();
	struct rt_obj *o;

	sched_step(&op);
	o = live_rwlock(l, op.site);
	if (rule_rwlock_ask_drop(&o->rwlock, RULE_WHO(t)) == RULE_MISUSE ||
	    (o->rwlock.writer != RULE_WHO(t) && surely_not_held(t, op.addr)))
		rt_fail(FAILURE_SYNC_MISUSE, op.site, op.addr, 0,
			"unlock of a rwlock that this thread does not hold");
	obj_touch(o);
	rule_rwlock_drop(&o->rwlock, RULE_WHO(t));
	rec_event(EVENT_RWUNLOCK, op.site, op.addr, 0, o->rwlock.readers);
	thread_unhold(t, op.addr);
	sched_wake(op.addr);
	return 0;
}

RT_EXPORT int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *attr)
{
	if (!rt_controlled())
		return REAL(pthread_rwlock_init)(l, attr);
	struct rt_op op = call_life(EVENT_OBJ_INIT, l, OBJ_RWLOCK, 0);
	struct rt_obj *o;
	int result;

	sched_step(&op);
	heap_check(l, sizeof(*l), op.site, true);
	o = obj_find(op.addr);
	if (o && o->kind == OBJ_RWLOCK && !call_may_begin(o))
		rt_fail(FAILURE_SYNC_MISUSE, op.site, op.addr, obj_owner(o),
			"initialisation of a rwlock that thread %u holds", obj_owner(o));
	rec_event(EVENT_OBJ_INIT, op.site, op.addr, 0, OBJ_RWLOCK);
	undo_touch(l, sizeof(*l));
	result = REAL(pthread_rwlock_init)(l, attr);
	if (o && !result)
		obj_remove(o);
	if (!result)
		live_rwlock(l, op.site)->init_site = op.site;
	return result;
}

RT_EXPORT int pthread_rwlock_destroy(pthread_rwlock_t *l)
{
	if (!rt_controlled())
		return REAL(pthread_rwlock_destroy)(l);
	struct rt_op op = call_life(EVENT_OBJ_DESTROY, l, OBJ_RWLOCK, 0);
	struct rt_obj *o;

	sched_step(&op);
	o = live_rwlock(l, op.site);
	if (!rule_rwlock_idle(&o->rwlock))
		rt_fail(FAILURE_SYNC_MISUSE, op.site, op.addr, 0,
			"destroy of a rwlock that is locked");
	rec_event(EVENT_OBJ_DESTROY, op.site, op.addr, 0, OBJ_RWLOCK);
	obj_remove(o);
	undo_touch(l, sizeof(*l));
	l->__data.__flags = RWLOCK_DESTROYED;
	return 0;
}

RT_EXPORT int pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
	struct request r = {l, false, 0, NULL};

	return rt_controlled() ? lock(&r) : REAL(pthread_rwlock_rdlock)(l);
}

RT_EXPORT int pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
	struct request r = {l, true, 0, NULL};

	return rt_controlled() ? lock(&r) : REAL(pthread_rwlock_wrlock)(l);
}

RT_EXPORT int pthread_rwlock_tryrdlock(pthread_rwlock_t *l)
{
	struct request r = {l, false, 0, NULL};

	return rt_controlled() ? try_now(&r, EBUSY) : REAL(pthread_rwlock_tryrdlock)(l);
}

RT_EXPORT int pthread_rwlock_trywrlock(pthread_rwlock_t *l)
{
	struct request r = {l, true, 0, NULL};

	return rt_controlled() ? try_now(&r, EBUSY) : REAL(pthread_rwlock_trywrlock)(l);
}

RT_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const struct timespec *when)
{
	struct request r = {l, false, CLOCK_REALTIME, when};

	return rt_controlled() ? lock(&r) : REAL(pthread_rwlock_timedrdlock)(l, when);
}

RT_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const struct timespec *when)
{
	struct request r = {l, true, CLOCK_REALTIME, when};

	return rt_controlled() ? lock(&r) : REAL(pthread_rwlock_timedwrlock)(l, when);
}

static int lock_on_clock(const struct request *r)
{
	if (r->clock != CLOCK_REALTIME && r->clock != CLOCK_MONOTONIC)
		return EINVAL;
	return lock(r);
}

RT_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t *l, clockid_t clock,
					 const struct timespec *when)
{
	struct request r = {l, false, clock, when};

	return rt_controlled() ? lock_on_clock(&r)
			       : REAL(pthread_rwlock_clockrdlock)(l, clock, when);
}

RT_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t *l, clockid_t clock,
					 const struct timespec *when)
{
	struct request r = {l, true, clock, when};

	return rt_controlled() ? lock_on_clock(&r)
			       : REAL(pthread_rwlock_clockwrlock)(l, clock, when);
}

RT_EXPORT int pthread_rwlock_unlock(pthread_rwlock_t *l)
{
	return rt_controlled() ? unlock(l) : REAL(pthread_rwlock_unlock)(l);
}
