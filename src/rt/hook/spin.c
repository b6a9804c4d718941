/* Spin locks.  They wait in the scheduler like mutexes: spinning would only burn steps. */
#include <errno.h>
#include <pthread.h>

#include "rt/hook/call.h"
#include "rt/mem/heap.h"
#include "rt/mem/undo.h"
#include "rt/os/real.h"
#include "rt/rec/rec.h"
#include "rt/sched/obj.h"
#include "rt/sched/thread.h"

static struct rt_obj *spin_obj(const volatile pthread_spinlock_t *l, uint32_t site)
{
	struct rt_obj *o = obj_find((uintptr_t)l);

	heap_check((const void *)l, sizeof(*l), site, true);
	if (unlikely(!o || o->kind != OBJ_SPIN)) {
		o = obj_get((const void *)l, OBJ_SPIN);
		obj_touch(o);
		o->owner = THREAD_NONE;
	}
	return o;
}

static bool ready(struct rt_thread *t, const struct rt_op *op)
{
	const struct rt_obj *o = obj_find(op->addr);

	return !o || o->owner == THREAD_NONE;
}

static void take(struct rt_obj *o, uint32_t site)
{
	obj_touch(o);
	o->owner = rt_self()->tid;
	o->site = site;
	thread_hold(rt_self(), o->addr, site, OBJ_SPIN);
}

RT_EXPORT int pthread_spin_init(pthread_spinlock_t *l, int shared)
{
	if (!rt_controlled())
		return REAL(pthread_spin_init)(l, shared);
	uint32_t site = sched_take_site();
	struct rt_obj *o;

	sched_mark(EVENT_OBJ_INIT, site, (uintptr_t)l, 0, OBJ_SPIN);
	o = obj_find((uintptr_t)l);
	if (o)
		obj_remove(o);
	undo_touch((void *)l, sizeof(*l));
	spin_obj(l, site)->init_site = site;
	return REAL(pthread_spin_init)(l, shared);
}

RT_EXPORT int pthread_spin_destroy(pthread_spinlock_t *l)
{
	if (!rt_controlled())
		return REAL(pthread_spin_destroy)(l);
	uint32_t site = sched_take_site();
	struct rt_obj *o;

	sched_mark(EVENT_OBJ_DESTROY, site, (uintptr_t)l, 0, OBJ_SPIN);
	o = obj_find((uintptr_t)l);
	if (o && o->kind == OBJ_SPIN && o->owner != THREAD_NONE)
		rt_fail(FAILURE_SYNC_MISUSE, site, (uintptr_t)l, o->owner,
			"destroy of a spin lock that thread %u holds", o->owner);
	if (o)
		obj_remove(o);
	return 0;
}

RT_EXPORT int pthread_spin_lock(pthread_spinlock_t *l)
{
	if (!rt_controlled())
		return REAL(pthread_spin_lock)(l);
	struct rt_op op = call_op(EVENT_SPIN_LOCK, (const void *)l, ready);

	sched_step(&op);
	take(spin_obj(l, op.site), op.site);
	rec_event(EVENT_SPIN_LOCK, op.site, op.addr, 0, 0);
	return 0;
}

RT_EXPORT int pthread_spin_trylock(pthread_spinlock_t *l)
{
	if (!rt_controlled())
		return REAL(pthread_spin_trylock)(l);
	struct rt_op op = call_op(EVENT_SPIN_TRYLOCK, (const void *)l, NULL);
	struct rt_obj *o;
	int result;

	sched_step(&op);
	o = spin_obj(l, op.site);
	result = o->owner == THREAD_NONE ? 0 : EBUSY;
	if (result == 0)
		take(o, op.site);
	rec_event(EVENT_SPIN_TRYLOCK, op.site, op.addr, (uint64_t)result, 0);
	return result;
}

RT_EXPORT int pthread_spin_unlock(pthread_spinlock_t *l)
{
	if (!rt_controlled())
		return REAL(pthread_spin_unlock)(l);
	struct rt_op op = call_op(EVENT_SPIN_UNLOCK, (const void *)l, NULL);
	struct rt_obj *o;

	sched_step(&op);
	o = spin_obj(l, op.site);
	if (o->owner != rt_self()->tid)
		rt_fail(FAILURE_SYNC_MISUSE, op.site, op.addr, 0,
			"unlock of a spin lock that this thread does not hold");
	obj_touch(o);
	o->owner = THREAD_NONE;
	rec_event(EVENT_SPIN_UNLOCK, op.site, op.addr, 0, 0);
	thread_unhold(rt_self(), op.addr);
	sched_wake(op.addr);
	return 0;
}
