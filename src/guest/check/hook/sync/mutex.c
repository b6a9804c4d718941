#include "guest/check/hook/sync/mutex.h"

#include <errno.h>

#include "guest/check/hook/call.h"
#include "guest/check/mem/heap.h"
#include "guest/check/mem/undo.h"
#include "guest/check/rec/rec.h"
#include "guest/check/sched/spin.h"
#include "guest/check/sched/spin_sight.h"
#include "guest/os/real.h"

/* Bits of pthread_mutex_t.__data.__kind in the C library. */
#define KIND_TYPE 3
#define KIND_ROBUST 16
#define KIND_DESTROYED (-1)

/* rt_obj.extra[0] of a mutex without a pthread_mutex_t behind it: its type is not in memory. */
#define BARE 1

static void read_kind(struct rt_obj *o, const pthread_mutex_t *m, uint32_t site)
{
	static const uint8_t types[] = {
		[PTHREAD_MUTEX_TIMED_NP] = MUTEX_NORMAL,
		[PTHREAD_MUTEX_RECURSIVE_NP] = MUTEX_RECURSIVE,
		[PTHREAD_MUTEX_ERRORCHECK_NP] = MUTEX_ERRORCHECK,
		[PTHREAD_MUTEX_ADAPTIVE_NP] = MUTEX_NORMAL,
	};
	int kind = m->__data.__kind;
	uint8_t type = types[kind & KIND_TYPE];
	uint8_t robust = (kind & KIND_ROBUST) != 0;

	if (unlikely(kind == KIND_DESTROYED))
		rt_fail(FAILURE_SYNC_MISUSE, site, (uintptr_t)m, 0,
			"use of a mutex after pthread_mutex_destroy");
	if (likely(o->type == type && o->robust == robust))
		return;
	obj_touch(o);
	o->type = type;
	o->robust = robust;
}

struct rt_obj *mutex_obj(const void *m, uint32_t site)
{
	struct rt_obj *o = obj_find((uintptr_t)m);

	heap_check(m, sizeof(pthread_mutex_t), site, true);
	if (unlikely(!o || o->kind != OBJ_MUTEX)) {
		o = obj_get(m, OBJ_MUTEX);
		obj_touch(o);
		o->type = MUTEX_NORMAL;
		o->robust = 0;
		o->state = MUTEX_SOUND;
	}
	if (rule_mutex_idle(&o->mutex) && o->extra[0] != BARE)
		read_kind(o, m, site);
	return o;
}

void mutex_declare_recursive(const void *address)
{
	struct rt_obj *o = obj_find((uintptr_t)address);

	if (o && o->kind == OBJ_MUTEX && o->extra[0] == BARE)
		return;
	o = obj_get(address, OBJ_MUTEX);
	obj_touch(o);
	o->mutex = (struct rule_mutex){RULE_NOBODY, 0};
	o->type = MUTEX_RECURSIVE;
	o->robust = 0;
	o->state = MUTEX_SOUND;
	o->extra[0] = BARE;
}

int mutex_verdict(const struct rt_thread *t, const struct rt_obj *o)
{
	if (unlikely(o->state == MUTEX_LOST))
		return ENOTRECOVERABLE;
	switch (rule_mutex_ask(&o->mutex, RULE_WHO(t))) {
	case RULE_GO:
		return 0;
	case RULE_OWN:
		if (o->type == MUTEX_ERRORCHECK)
			return EDEADLK;
		if (o->type == MUTEX_RECURSIVE)
			return o->mutex.depth == UINT32_MAX ? EAGAIN : 0;
		return EBUSY; /* for ever */
	default:
		return EBUSY;
	}
}

static bool lock_ready(struct rt_thread *t, const struct rt_op *op)
{
	const struct rt_obj *o = obj_find(op->addr);

	return !o || mutex_verdict(t, o) != EBUSY;
}

int mutex_take(struct rt_thread *t, struct rt_obj *o, uint32_t site)
{
	obj_touch(o);
	rule_mutex_take(&o->mutex, RULE_WHO(t));
	if (o->mutex.depth > 1)
		return 0;
	o->site = site;
	thread_hold(t, o->addr, site, OBJ_MUTEX);
	sched_wake(o->addr); /* others that stand at it cannot have it now */
	if (likely(o->state != MUTEX_ORPHANED))
		return 0;
	o->state = MUTEX_INCONSISTENT;
	return EOWNERDEAD;
}

void mutex_drop(struct rt_thread *t, struct rt_obj *o)
{
	obj_touch(o);
	if (!rule_mutex_drop(&o->mutex, RULE_WHO(t)))
		return;
	if (unlikely(o->state == MUTEX_INCONSISTENT))
		o->state = MUTEX_LOST; /* released without pthread_mutex_consistent */
	thread_unhold(t, o->addr);
	sched_wake(o->addr);
}

static bool would_take(const struct rt_thread *t, uint64_t addr)
{
	const struct rt_obj *o = obj_find(addr);

	return !o || mutex_verdict(t, o) == 0;
}

static void record_try(const struct rt_op *op, const struct rt_obj *o, int result)
{
	bool taken = result == 0 || result == EOWNERDEAD;

	rec_event(EVENT_TRYLOCK, op->site, op->addr, taken ? 0 : (uint64_t)result,
		  taken ? o->mutex.depth : 0);
	if (!taken)
		spin_sight(thread_by_tid(obj_owner(o)), op->addr);
	spin_tried(rt_self(), op->addr, taken, would_take);
}

/* A limit that is no valid time only matters when the lock would have to wait. */
static int lock_with_bad_limit(const void *m, struct rt_op *op)
{
	struct rt_obj *o;
	int result;

	op->kind = EVENT_TRYLOCK;
	op->ready = NULL;
	sched_step(op);
	o = mutex_obj(m, op->site);
	result = mutex_verdict(rt_self(), o);
	if (result == 0)
		result = mutex_take(rt_self(), o, op->site);
	else if (result == EBUSY)
		result = EINVAL;
	record_try(op, o, result);
	return result;
}

int mutex_lock(const void *m, const struct mutex_limit *limit)
{
	struct rt_op op = call_op(EVENT_LOCK, m, lock_ready);
	struct rt_obj *o;
	int result;

	heap_check(m, sizeof(pthread_mutex_t), op.site, true);
	if (limit && !call_time_valid(limit->when))
		return lock_with_bad_limit(m, &op);
	if (limit)
		call_expires_at(&op, limit->clock, limit->when);
	if (sched_step(&op) == STEP_TIMEOUT) {
		spin_sight(thread_by_tid(obj_owner(mutex_obj(m, op.site))), op.addr);
		rec_access(EVENT_LOCK_TIMEOUT, SYNC_TIMED, op.site, op.addr, EVENT_LOCK, 0);
		return ETIMEDOUT;
	}
	o = mutex_obj(m, op.site);
	result = mutex_verdict(rt_self(), o);
	if (result) {
		/* EDEADLK and the like: it read the state of the mutex and took nothing. */
		spin_wrote(rt_self());
		rec_event(EVENT_TRYLOCK, op.site, op.addr, (uint64_t)result, 0);
		return result;
	}
	result = mutex_take(rt_self(), o, op.site);
	rec_access(EVENT_LOCK, op.size, op.site, op.addr, (uint64_t)result,
		   o->mutex.depth);
	return result;
}

int mutex_trylock(const void *m)
{
	struct rt_op op = call_op(EVENT_TRYLOCK, m, NULL);
	struct rt_thread *t = rt_self();
	struct rt_obj *o;
	int result;

	sched_step(&op);
	o = mutex_obj(m, op.site);
	result = mutex_verdict(t, o);
	if (result == 0)
		result = mutex_take(t, o, op.site);
	else if (result == EDEADLK && !o->robust)
		result = EBUSY;
	record_try(&op, o, result);
	return result;
}

int mutex_unlock(const void *m)
{
	struct rt_op op = call_op(EVENT_UNLOCK, m, NULL);
	struct rt_thread *t = rt_self();
	struct rt_obj *o;

	sched_step(&op);
	o = mutex_obj(m, op.site);
	if (rule_mutex_ask_drop(&o->mutex, RULE_WHO(t)) == RULE_GO) {
		rec_event(EVENT_UNLOCK, op.site, op.addr, 0, o->mutex.depth - 1);
		mutex_drop(t, o);
		return 0;
	}
	if (o->type == MUTEX_NORMAL && !o->robust)
		rt_fail(FAILURE_SYNC_MISUSE, op.site, op.addr, 0,
			rule_mutex_idle(&o->mutex) ? "unlock of a mutex that is not locked"
						   : "unlock of a mutex that another thread holds");
	spin_wrote(t);
	rec_event(EVENT_TRYLOCK, op.site, op.addr, EPERM, 0);
	return EPERM;
}

uint32_t mutex_begin(const void *m)
{
	struct rt_op op = call_life(EVENT_OBJ_INIT, m, OBJ_MUTEX, 0);
	const struct rt_obj *o;

	sched_step(&op);
	heap_check(m, sizeof(pthread_mutex_t), op.site, true);
	o = obj_find(op.addr);
	if (o && o->kind == OBJ_MUTEX && !call_may_begin(o))
		rt_fail(FAILURE_SYNC_MISUSE, op.site, op.addr, obj_owner(o),
			"initialisation of a mutex that thread %u holds", obj_owner(o));
	rec_event(EVENT_OBJ_INIT, op.site, op.addr, 0, OBJ_MUTEX);
	return op.site;
}

void mutex_forget(const void *m)
{
	struct rt_obj *o = obj_find((uintptr_t)m);
	struct rt_thread *holder;

	if (!o)
		return;
	if (o->kind == OBJ_MUTEX && !rule_mutex_idle(&o->mutex)) {
		holder = thread_by_tid(obj_owner(o));
		if (holder)
			thread_unhold(holder, o->addr);
	}
	obj_remove(o);
}

void mutex_thread_end(struct rt_thread *t)
{
	for (uint32_t i = t->held_count; i-- > 0;) {
		struct rt_obj *o = obj_find(t->held[i].addr);

		if (!o || o->kind != OBJ_MUTEX || !o->robust || obj_owner(o) != t->tid)
			continue;
		obj_touch(o);
		o->state = o->state == MUTEX_LOST ? MUTEX_LOST : MUTEX_ORPHANED;
		o->mutex = (struct rule_mutex){RULE_NOBODY, 0};
		thread_unhold(t, o->addr);
		sched_wake(o->addr);
	}
}

RT_EXPORT int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr)
{
	if (!rt_controlled())
		return REAL(pthread_mutex_init)(m, attr);
	uint32_t site = mutex_begin(m);
	int result;

	undo_touch(m, sizeof(*m));
	result = REAL(pthread_mutex_init)(m, attr);
	if (result)
		return result;
	mutex_forget(m);
	mutex_obj(m, site)->init_site = site;
	return 0;
}

RT_EXPORT int pthread_mutex_destroy(pthread_mutex_t *m)
{
	if (!rt_controlled())
		return REAL(pthread_mutex_destroy)(m);
	struct rt_op op = call_life(EVENT_OBJ_DESTROY, m, OBJ_MUTEX, 0);
	struct rt_obj *o;

	sched_step(&op);
	o = mutex_obj(m, op.site);
	if (!rule_mutex_idle(&o->mutex) && rt_ctl->job.flags & JOB_DESTROY_BUSY)
		return EBUSY;
	if (!rule_mutex_idle(&o->mutex))
		rt_fail(FAILURE_SYNC_MISUSE, op.site, op.addr, obj_owner(o),
			"destroy of a mutex that thread %u holds", obj_owner(o));
	rec_event(EVENT_OBJ_DESTROY, op.site, op.addr, 0, OBJ_MUTEX);
	mutex_forget(m);
	undo_touch(m, sizeof(*m));
	return REAL(pthread_mutex_destroy)(m);
}

RT_EXPORT int pthread_mutex_lock(pthread_mutex_t *m)
{
	return rt_controlled() ? mutex_lock(m, NULL) : REAL(pthread_mutex_lock)(m);
}

RT_EXPORT int pthread_mutex_trylock(pthread_mutex_t *m)
{
	return rt_controlled() ? mutex_trylock(m) : REAL(pthread_mutex_trylock)(m);
}

RT_EXPORT int pthread_mutex_timedlock(pthread_mutex_t *m, const struct timespec *when)
{
	struct mutex_limit limit = {CLOCK_REALTIME, when};

	return rt_controlled() ? mutex_lock(m, &limit) : REAL(pthread_mutex_timedlock)(m, when);
}

RT_EXPORT int pthread_mutex_clocklock(pthread_mutex_t *m, clockid_t clock,
				      const struct timespec *when)
{
	struct mutex_limit limit = {clock, when};

	if (!rt_controlled())
		return REAL(pthread_mutex_clocklock)(m, clock, when);
	if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
		return EINVAL;
	return mutex_lock(m, &limit);
}

RT_EXPORT int pthread_mutex_unlock(pthread_mutex_t *m)
{
	return rt_controlled() ? mutex_unlock(m) : REAL(pthread_mutex_unlock)(m);
}

RT_EXPORT int pthread_mutex_consistent(pthread_mutex_t *m)
{
	if (!rt_controlled())
		return REAL(pthread_mutex_consistent)(m);
	struct rt_obj *o = mutex_obj(m, sched_take_site());

	if (!o->robust || o->state != MUTEX_INCONSISTENT || obj_owner(o) != rt_self()->tid)
		return EINVAL;
	obj_touch(o);
	o->state = MUTEX_SOUND;
	return 0;
}
