/*
 * Spin locks.  They wait in the scheduler like mutexes: spinning would only burn steps.
 *
 * The program's memory stays as the C library's initialiser left it, so it tells a lock that was
 * never initialised (there is no static initialiser) and one that was destroyed.
 */
#include <errno.h>
#include <pthread.h>

#include "guest/check/hook/call.h"
#include "guest/check/mem/heap.h"
#include "guest/check/mem/undo.h"
#include "guest/check/rec/rec.h"
#include "guest/check/sched/obj.h"
#include "guest/check/sched/spin.h"
#include "guest/check/sched/spin_sight.h"
#include "guest/check/sched/thread.h"
#include "guest/os/real.h"

#define SPIN_FREE 1 /* what the C library calls unlocked */
#define SPIN_DESTROYED 0x5bad10c

static void check_life(const volatile pthread_spinlock_t *l, uint32_t site)
{
	if (likely(*l == SPIN_FREE))
		return;
	rt_fail(FAILURE_SYNC_MISUSE, site, (uintptr_t)l, 0,
		*l == SPIN_DESTROYED ? "use of a spin lock after pthread_spin_destroy"
				     : "use of a spin lock that was never initialised");
}

static struct rt_obj *spin_obj(const volatile pthread_spinlock_t *l, uint32_t site)
{
	struct rt_obj *o = obj_find((uintptr_t)l);

	heap_check((const void *)l, sizeof(*l), site, true);
	check_life(l, site);
	return likely(o && o->kind == OBJ_SPIN) ? o : obj_get((const void *)l, OBJ_SPIN);
}

static bool ready(struct rt_thread *t, const struct rt_op *op)
{
	const struct rt_obj *o = obj_find(op->addr);

	return !o || rule_mutex_ask(&o->mutex, RULE_WHO(t)) == RULE_GO;
}

static void take(struct rt_obj *o, uint32_t site)
{
	obj_touch(o);
	rule_mutex_take(&o->mutex, RULE_WHO(rt_self()));
	o->site = site;
	thread_hold(rt_self(), o->addr, site, OBJ_SPIN);
}

RT_EXPORT int pthread_spin_init(pthread_spinlock_t *l, int shared)
{
	if (!rt_controlled())
		return REAL(pthread_spin_init)(l, shared);
	struct rt_op op = call_life(EVENT_OBJ_INIT, (const void *)l, OBJ_SPIN, 0);
	struct rt_obj *o;
	int result;

	sched_step(&op);
	heap_check((const void *)l, sizeof(*l), op.site, true);
	o = obj_find(op.addr);
	if (o && o->kind == OBJ_SPIN && !call_may_begin(o))
		rt_fail(FAILURE_SYNC_MISUSE, op.site, op.addr, obj_owner(o),
			"initialisation of a spin lock that thread %u holds", obj_owner(o));
	if (o)
		obj_remove(o);
	rec_event(EVENT_OBJ_INIT, op.site, op.addr, 0, OBJ_SPIN);
	undo_touch((void *)l, sizeof(*l));
	result = REAL(pthread_spin_init)(l, shared);
	spin_obj(l, op.site)->init_site = op.site;
	return result;
}

RT_EXPORT int pthread_spin_destroy(pthread_spinlock_t *l)
{
	if (!rt_controlled())
		return REAL(pthread_spin_destroy)(l);
	struct rt_op op = call_life(EVENT_OBJ_DESTROY, (const void *)l, OBJ_SPIN, 0);
	struct rt_obj *o;

	sched_step(&op);
	o = spin_obj(l, op.site);
	if (!rule_mutex_idle(&o->mutex))
		rt_fail(FAILURE_SYNC_MISUSE, op.site, op.addr, obj_owner(o),
			"destroy of a spin lock that thread %u holds", obj_owner(o));
	obj_remove(o);
	rec_event(EVENT_OBJ_DESTROY, op.site, op.addr, 0, OBJ_SPIN);
	undo_touch((void *)l, sizeof(*l));
	*l = SPIN_DESTROYED;
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

static bool would_take(const struct rt_thread *t, uint64_t addr)
{
	const struct rt_obj *o = obj_find(addr);

	return !o || rule_mutex_ask(&o->mutex, RULE_WHO(t)) == RULE_GO;
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
	result = rule_mutex_ask(&o->mutex, RULE_WHO(rt_self())) == RULE_GO ? 0 : EBUSY;
	if (result == 0)
		take(o, op.site);
	if (result)
		spin_sight(thread_by_tid(obj_owner(o)), op.addr);
	rec_event(EVENT_SPIN_TRYLOCK, op.site, op.addr, (uint64_t)result, 0);
	spin_tried(rt_self(), op.addr, result == 0, would_take);
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
	if (rule_mutex_ask_drop(&o->mutex, RULE_WHO(rt_self())) == RULE_MISUSE)
		rt_fail(FAILURE_SYNC_MISUSE, op.site, op.addr, 0,
			"unlock of a spin lock that this thread does not hold");
	obj_touch(o);
	rule_mutex_drop(&o->mutex, RULE_WHO(rt_self()));
	rec_event(EVENT_SPIN_UNLOCK, op.site, op.addr, 0, 0);
	thread_unhold(rt_self(), op.addr);
	sched_wake(op.addr);
	return 0;
}
