#include <errno.h>

#include "guest/stable/hook/hook.h"
#include "guest/stable/hook/section.h"
#include "guest/stable/real.h"

/*
 * Barriers have no try form, so the scheduler keeps the count itself.  The original object exists
 * as well, for threads outside the schedule and for barriers between processes.
 */

HOOK_EXPORT int pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *attr,
				     unsigned count)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_BARRIER_INIT);
	int result = real.pthread_barrier_init(b, attr, count);
	if (!t)
		return result;
	if (result == 0) {
		int shared = PTHREAD_PROCESS_PRIVATE;
		if (attr)
			pthread_barrierattr_getpshared(attr, &shared);
		struct obj *o = obj_new(OBJ_BARRIER, b);
		o->size = count;
		o->shared = shared == PTHREAD_PROCESS_SHARED;
	}
	hook_log(t, STABLE_OP_BARRIER_INIT, b, (uint16_t)result, count);
	hook_end(t);
	return result;
}

HOOK_EXPORT int pthread_barrier_destroy(pthread_barrier_t *b)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_BARRIER_DESTROY);
	if (!t)
		return real.pthread_barrier_destroy(b);
	struct obj *o = obj_find(OBJ_BARRIER, b);
	int result = o && o->arrived ? EBUSY : real.pthread_barrier_destroy(b);
	hook_log(t, STABLE_OP_BARRIER_DESTROY, b, (uint16_t)result, 0);
	if (result == 0)
		obj_forget(OBJ_BARRIER, b);
	hook_end(t);
	return result;
}

HOOK_EXPORT int pthread_barrier_wait(pthread_barrier_t *b)
{
	struct sched_thread *t = hook_begin(HOOK_CALLER, STABLE_OP_BARRIER_WAIT);
	if (!t) {
		hook_outside(b, HOOK_CALLER);
		if (nested_inside())
			return section_barrier_wait(b, HOOK_CALLER);
		return real.pthread_barrier_wait(b);
	}
	struct obj *o = obj_find(OBJ_BARRIER, b);
	if (!o || o->shared) {
		hook_leave_shared(t);
		return real.pthread_barrier_wait(b);
	}
	int result = 0;
	if (++o->arrived == o->size) {
		o->arrived = 0;
		uint32_t woken = sched_broadcast(b);
		hook_log(t, STABLE_OP_BARRIER_WAIT, b, STABLE_RES_SERIAL, woken);
		result = PTHREAD_BARRIER_SERIAL_THREAD;
	} else {
		hook_wait(t, STABLE_OP_BARRIER_WAIT, b, 0);
		hook_log(t, STABLE_OP_BARRIER_WAIT, b, STABLE_RES_RETURN, 0);
	}
	hook_end(t);
	return result;
}
