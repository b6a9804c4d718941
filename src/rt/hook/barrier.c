/*
 * Barriers.  rt_obj fields: limit = threads needed, count = threads that arrived in this round,
 * round = number of completed rounds, waiters = threads that have not left yet.
 */
#include <errno.h>
#include <limits.h>
#include <pthread.h>

#include "rt/hook/call.h"
#include "rt/mem/heap.h"
#include "rt/mem/undo.h"
#include "rt/os/real.h"
#include "rt/rec/rec.h"
#include "rt/sched/obj.h"

/* The front of the C library's barrier, for those initialised before control began. */
struct real_barrier {
	unsigned int in, current_round, count;
};

static struct rt_obj *barrier_obj(const pthread_barrier_t *b, uint32_t site)
{
	struct rt_obj *o = obj_find((uintptr_t)b);

	heap_check(b, sizeof(*b), site, true);
	if (likely(o && o->kind == OBJ_BARRIER))
		return o;
	o = obj_get(b, OBJ_BARRIER);
	obj_touch(o);
	o->owner = THREAD_NONE;
	o->limit = ((const struct real_barrier *)b)->count;
	return o;
}

static bool leave_ready(struct rt_thread *t, const struct rt_op *op)
{
	const struct rt_obj *o = obj_find(op->addr);

	return !o || o->round != (uint32_t)op->value;
}

static bool destroy_ready(struct rt_thread *t, const struct rt_op *op)
{
	const struct rt_obj *o = obj_find(op->addr);

	return !o || o->kind != OBJ_BARRIER || o->waiters == 0 || o->count > 0;
}

RT_EXPORT int pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *attr,
				   unsigned int count)
{
	if (!rt_controlled())
		return REAL(pthread_barrier_init)(b, attr, count);
	uint32_t site = sched_take_site();
	struct rt_obj *o;
	int result;

	sched_mark(EVENT_OBJ_INIT, site, (uintptr_t)b, count, OBJ_BARRIER);
	undo_touch(b, sizeof(*b));
	result = REAL(pthread_barrier_init)(b, attr, count);
	if (result)
		return result;
	o = obj_find((uintptr_t)b);
	if (o)
		obj_remove(o);
	o = barrier_obj(b, site);
	o->limit = count;
	o->init_site = site;
	return 0;
}

/* Waits, like the C library, until the threads released last have left. */
RT_EXPORT int pthread_barrier_destroy(pthread_barrier_t *b)
{
	if (!rt_controlled())
		return REAL(pthread_barrier_destroy)(b);
	struct rt_op op = call_op(EVENT_OBJ_DESTROY, b, destroy_ready);
	struct rt_obj *o;

	sched_step(&op);
	rec_event(EVENT_OBJ_DESTROY, op.site, op.addr, 0, OBJ_BARRIER);
	o = obj_find((uintptr_t)b);
	if (!o)
		return 0;
	if (o->kind == OBJ_BARRIER && o->count > 0)
		rt_fail(FAILURE_SYNC_MISUSE, op.site, op.addr, o->count,
			"destroy of a barrier at which threads wait");
	obj_remove(o);
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
	o = barrier_obj(b, op.site);
	obj_touch(o);
	o->waiters++;
	o->count++;
	rec_access(EVENT_BARRIER_ARRIVE, o->count >= o->limit ? SYNC_LAST : 0, op.site, op.addr,
		   (uint64_t)o->limit << 32 | o->round, o->count);
	if (o->count >= o->limit) {
		o->count = 0;
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
