/*
 * Barriers.  rt_obj fields: barrier as in wire/rules.h, round = number of completed rounds,
 * waiters = threads that have not left yet.
 */
#include <errno.h>
#include <limits.h>
#include <pthread.h>

#include "guest/check/hook/call.h"
#include "guest/check/mem/heap.h"
#include "guest/check/mem/undo.h"
#include "guest/os/real.h"
#include "guest/check/rec/rec.h"
#include "guest/check/sched/obj.h"

/* The front of the C library's barrier, for those initialised before control began. */
struct real_barrier {
	unsigned int in, current_round, count;
};

/* Until an initialiser writes it: the barrier was destroyed.  Its count is 0 then. */
#define BARRIER_DESTROYED 0xdeadba44u

static struct rt_obj *barrier_obj(const pthread_barrier_t *b, uint32_t site)
{
	struct rt_obj *o = obj_find((uintptr_t)b);

	heap_check(b, sizeof(*b), site, true);
	if (likely(o && o->kind == OBJ_BARRIER))
		return o;
	o = obj_get(b, OBJ_BARRIER);
	obj_touch(o);
	o->barrier.limit = ((const struct real_barrier *)b)->count;
	return o;
}

/* The same for whoever uses it: there is no static initialiser. */
static struct rt_obj *live_barrier(const pthread_barrier_t *b, uint32_t site)
{
	struct rt_obj *o = barrier_obj(b, site);

	if (likely(rule_barrier_ask(&o->barrier) != RULE_MISUSE))
		return o;
	rt_fail(FAILURE_SYNC_MISUSE, site, (uintptr_t)b, 0,
		((const struct real_barrier *)b)->in == BARRIER_DESTROYED
			? "use of a barrier after pthread_barrier_destroy"
			: "use of a barrier that was never initialised");
}

static bool leave_ready(struct rt_thread *t, const struct rt_op *op)
{
	const struct rt_obj *o = obj_find(op->addr);

	return !o || o->round != (uint32_t)op->value;
}

static bool destroy_ready(struct rt_thread *t, const struct rt_op *op)
{
	const struct rt_obj *o = obj_find(op->addr);

	return !o || o->kind != OBJ_BARRIER || o->waiters == 0 ||
	       !rule_barrier_idle(&o->barrier);
}

RT_EXPORT int pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *attr,
				   unsigned int count)
{
	if (!rt_controlled())
		return REAL(pthread_barrier_init)(b, attr, count);
	struct rt_op op = call_life(EVENT_OBJ_INIT, b, OBJ_BARRIER, count);
	struct rt_obj *o;
	int result;

	if (count == 0 || count > INT_MAX)
		return EINVAL;
	sched_step(&op);
	heap_check(b, sizeof(*b), op.site, true);
	o = obj_find(op.addr);
	if (o && o->kind == OBJ_BARRIER && !rule_barrier_idle(&o->barrier))
		rt_fail(FAILURE_SYNC_MISUSE, op.site, op.addr, o->barrier.arrived,
			"initialisation of a barrier at which threads wait");
	rec_event(EVENT_OBJ_INIT, op.site, op.addr, count, OBJ_BARRIER);
	undo_touch(b, sizeof(*b));
	result = REAL(pthread_barrier_init)(b, attr, count);
	if (result)
		return result;
	if (o)
		obj_remove(o);
	o = barrier_obj(b, op.site);
	o->barrier.limit = count;
	o->init_site = op.site;
	return 0;
}

/* Waits, like the C library, until the threads released last have left. */
RT_EXPORT int pthread_barrier_destroy(pthread_barrier_t *b)
{
	if (!rt_controlled())
		return REAL(pthread_barrier_destroy)(b);
	struct rt_op op = call_life(EVENT_OBJ_DESTROY, b, OBJ_BARRIER, 0);
	struct rt_obj *o;

	op.ready = destroy_ready;
	sched_step(&op);
	o = live_barrier(b, op.site);
	if (!rule_barrier_idle(&o->barrier))
		rt_fail(FAILURE_SYNC_MISUSE, op.site, op.addr, o->barrier.arrived,
			"destroy of a barrier at which threads wait");
	rec_event(EVENT_OBJ_DESTROY, op.site, op.addr, 0, OBJ_BARRIER);
	obj_remove(o);
	undo_touch(b, sizeof(*b));
	((struct real_barrier *)b)->in = BARRIER_DESTROYED;
	((struct real_barrier *)b)->count = 0;
	return 0;
}

static void leave(struct rt_obj *o, uint32_t site)
{
	obj_touch(o);
	o->waiters--;
	rec_event(EVENT_BARRIER_LEAVE, site, o->addr, o->round, 0);
	if (o->waiters == 0)
		sched_wake(o->addr);
}

RT_EXPORT int pthread_barrier_wait(pthread_barrier_t *b)
{
	if (!rt_controlled())
		return REAL(pthread_barrier_wait)(b);
	struct rt_op op = call_op(EVENT_BARRIER_ARRIVE, b, NULL);
	struct rt_obj *o;

	sched_step(&op);
	o = live_barrier(b, op.site);
	obj_touch(o);
	o->waiters++;
	rec_access(EVENT_BARRIER_ARRIVE, rule_barrier_completes(&o->barrier) ? SYNC_LAST : 0, op.site,
		   op.addr, (uint64_t)o->barrier.limit << 32 | o->round, o->barrier.arrived + 1);
	if (rule_barrier_arrive(&o->barrier)) {
		o->round++;
		sched_wake(op.addr);
		leave(o, op.site);
		return PTHREAD_BARRIER_SERIAL_THREAD;
	}
	op.kind = EVENT_BARRIER_LEAVE;
	op.value = o->round;
	op.ready = leave_ready;
	sched_step(&op);
	leave(barrier_obj(b, op.site), op.site);
	return 0;
}
