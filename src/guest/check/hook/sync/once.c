/*
 * Things that happen once: pthread_once, call_once, and the guards of function-local statics in
 * C++.  rt_obj.once as in wire/rules.h.
 */
#include "guest/check/hook/sync/once.h"

#include <pthread.h>
#include <threads.h>

#include "guest/check/hook/call.h"
#include "guest/check/mem/heap.h"
#include "guest/check/mem/undo.h"
#include "guest/os/real.h"
#include "guest/check/rec/rec.h"
#include "guest/check/sched/obj.h"
#include "guest/check/sched/thread.h"

/* What the C library leaves in a once_control whose routine has run. */
#define REAL_ONCE_DONE 2

static struct rt_obj *once_obj(const void *control, bool done)
{
	struct rt_obj *o = obj_find((uintptr_t)control);

	if (unlikely(!o || o->kind != OBJ_ONCE)) {
		o = obj_get(control, OBJ_ONCE);
		obj_touch(o);
		o->once.state = done ? RULE_ONCE_DONE : RULE_ONCE_NEW;
	} else if (unlikely(o->once.state != RULE_ONCE_RUNNING &&
			    done != (o->once.state == RULE_ONCE_DONE))) {
		/* The memory became a new object without a word. */
		obj_touch(o);
		o->once.state = done ? RULE_ONCE_DONE : RULE_ONCE_NEW;
	}
	return o;
}

static bool ready(struct rt_thread *t, const struct rt_op *op)
{
	const struct rt_obj *o = obj_find(op->addr);

	return !o || rule_once_ask(&o->once) == RULE_GO;
}

/* Whether the caller is the one to run the initialiser; waits while somebody else does. */
static bool once_begin(const void *control, bool (*is_done)(const void *control))
{
	struct rt_op op = call_op(EVENT_ONCE_BEGIN, control, ready);
	struct rt_obj *o;

	once_obj(control, is_done(control));
	sched_step(&op);
	heap_check(control, sizeof(int), op.site, true);
	o = once_obj(control, is_done(control));
	obj_touch(o);
	if (!rule_once_begin(&o->once, RULE_WHO(rt_self()))) {
		rec_event(EVENT_ONCE_PASS, op.site, op.addr, 0, 0);
		return false;
	}
	o->site = op.site;
	rec_event(EVENT_ONCE_BEGIN, op.site, op.addr, 0, 0);
	thread_hold(rt_self(), op.addr, op.site, OBJ_ONCE);
	return true;
}

/* The initialiser is through (done) or was left by an exception or a cancellation. */
static void once_end(void *control, bool done, size_t bytes, uint32_t mark)
{
	struct rt_op op = call_op(EVENT_ONCE_END, control, NULL);
	struct rt_obj *o;

	sched_step(&op);
	o = obj_get(control, OBJ_ONCE);
	obj_touch(o);
	rule_once_end(&o->once, done);
	if (done) {
		undo_touch(control, bytes);
		__builtin_memcpy(control, &mark, bytes);
	}
	rec_event(EVENT_ONCE_END, op.site, op.addr, done, 0);
	/* The program itself looks at the first byte of a guard before it asks. */
	if (done && bytes == 1)
		rec_access(EVENT_WRITE, 1, op.site, op.addr, mark, ORDER_RELEASE | EVENT_GLUED);
	thread_unhold(rt_self(), op.addr);
	sched_wake(op.addr);
}

static bool control_done(const void *control)
{
	return *(const int *)control & REAL_ONCE_DONE;
}

struct running {
	void *control;
	bool finished;
};

/* Runs on every way out of once_run, unwinding included. */
static void leave_once(struct running *r)
{
	once_end(r->control, r->finished, sizeof(int), REAL_ONCE_DONE);
}

void once_run(void *control, void (*routine)(void))
{
	if (!once_begin(control, control_done))
		return;
	__attribute__((cleanup(leave_once))) struct running r = {control, false};

	routine();
	r.finished = true;
}

RT_EXPORT int pthread_once(pthread_once_t *control, void (*routine)(void))
{
	if (!rt_controlled())
		return REAL(pthread_once)(control, routine);
	once_run(control, routine);
	return 0;
}

RT_EXPORT void call_once(once_flag *flag, void (*routine)(void))
{
	if (rt_controlled())
		once_run(flag, routine);
	else
		REAL(call_once)(flag, routine);
}

static bool guard_done(const void *guard)
{
	return *(const char *)guard != 0;
}

/*
 * Guards outside control when the process has no C++ runtime that we can find (it came with a
 * private dlopen): the first byte says done, the second in progress, as the ABI leaves free.
 */
static int plain_acquire(char *guard)
{
	while (!__atomic_load_n(&guard[0], __ATOMIC_ACQUIRE)) {
		if (!__atomic_exchange_n(&guard[1], 1, __ATOMIC_ACQUIRE))
			return !__atomic_load_n(&guard[0], __ATOMIC_ACQUIRE);
		REAL(sched_yield)();
	}
	return 0;
}

static void plain_release(char *guard, char done)
{
	__atomic_store_n(&guard[0], done, __ATOMIC_RELEASE);
	__atomic_store_n(&guard[1], 0, __ATOMIC_RELEASE);
}

RT_EXPORT int __cxa_guard_acquire(int64_t *guard)
{
	if (rt_controlled())
		return once_begin(guard, guard_done);
	return REAL(__cxa_guard_acquire) ? real___cxa_guard_acquire(guard)
					 : plain_acquire((char *)guard);
}

RT_EXPORT void __cxa_guard_release(int64_t *guard)
{
	if (rt_controlled())
		once_end(guard, true, 1, 1);
	else if (REAL(__cxa_guard_release))
		real___cxa_guard_release(guard);
	else
		plain_release((char *)guard, 1);
}

RT_EXPORT void __cxa_guard_abort(int64_t *guard)
{
	if (rt_controlled())
		once_end(guard, false, 1, 0);
	else if (REAL(__cxa_guard_abort))
		real___cxa_guard_abort(guard);
	else
		plain_release((char *)guard, 0);
}
