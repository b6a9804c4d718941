/* Threads: create, join, detach, and the many things one can ask about or set on them. */
#include "guest/check/hook/life/thread.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>

#include "guest/check/engine/outsider.h"
#include "guest/check/engine/slot.h"
#include "guest/check/hook/call.h"
#include "guest/check/hook/cancel.h"
#include "guest/check/hook/life/sender.h"
#include "guest/check/hook/life/standing.h"
#include "guest/check/sched/upcall.h"
#include "guest/check/hook/system/ident.h"
#include "guest/check/hook/system/signals.h"
#include "guest/check/mem/heap.h"
#include "guest/check/mem/undo.h"
#include "guest/os/real.h"
#include "guest/check/rec/hidden.h"
#include "guest/check/rec/rec.h"
#include "guest/check/sched/memory.h"

static bool attr_detached(const pthread_attr_t *attr)
{
	int state = PTHREAD_CREATE_JOINABLE;

	return attr && pthread_attr_getdetachstate(attr, &state) == 0 &&
	       state == PTHREAD_CREATE_DETACHED;
}

void hook_thread_give(void *to, uint64_t value, uint8_t bytes, uint32_t site)
{
	heap_check(to, bytes, site, true);
	memory_store((uint64_t)to, value, bytes);
	/* Also on its own stack: others may have the address, or have had what lay there before. */
	rec_access(EVENT_WRITE, bytes, site, (uint64_t)to, value, ORDER_PLAIN | EVENT_GLUED);
}

/* What the thread will do depends on it: a number for the search, which nobody else asks for. */
static uint64_t start_number(const struct hook_thread_start *start)
{
	uint64_t n = hidden_mix((uint64_t)start->routine, (uint64_t)start->arg);

	return rec_details() ? n : 0;
}

int hook_thread_create(pthread_t *handle, const struct hook_thread_start *start)
{
	struct rt_op op = call_op(EVENT_THREAD_CREATE, NULL, NULL);
	struct rt_thread *t;

	op.value = start_number(start);
	sched_step(&op);
	t = thread_new(start->routine, start->arg, op.site, start->inner);
	t->detached = start->detached;
	t->cleanup = start->kind;
	t->sig_blocked = rt_self()->sig_blocked | start->blocked;
	standing_begin(t, start->attr, op.site);
	ident_begins(op.site);
	rec_event(EVENT_THREAD_CREATE, op.site, 0, op.value, t->tid);
	if (handle)
		hook_thread_give(handle, thread_handle(t), sizeof(*handle), op.site);
	if (!start->inner)
		sender_begin(t);
	return 0;
}

RT_EXPORT int pthread_create(pthread_t *handle, const pthread_attr_t *attr,
			     void *(*routine)(void *), void *arg)
{
	if (!rt_controlled()) {
		outsider_early(1);
		return REAL(pthread_create)(handle, attr, routine, arg);
	}
	struct hook_thread_start start = {routine, arg, attr_detached(attr), NULL, 0, false, attr};
	int refused = standing_asked(attr);

	return refused ? refused : hook_thread_create(handle, &start);
}

/* ---- join ---- */

static bool has_ended(struct rt_thread *t, const struct rt_op *op)
{
	return ((const struct rt_thread *)op->addr)->state == THREAD_FINISHED;
}

/* Two threads that join each other are not told: the C library lets them wait for ever. */
static int join_refused(const struct rt_thread *t)
{
	if (!t)
		return ESRCH;
	if (t->detached || t->joined)
		return EINVAL;
	return t == rt_self() ? EDEADLK : 0;
}

/* Who is refused may have come first in another order, which no event tells. */
static void tell_refused(int refused, uint32_t site)
{
	if (refused != EDEADLK)
		rt_unseen(site, "a thread is joined or detached more than once");
}

static void set_joined(struct rt_thread *t, uint8_t joined)
{
	t->joined = joined;
}

/* The thread is through: hands out its result and gives its place back. */
static void finish_join(struct rt_thread *t, void **result, uint32_t site)
{
	rec_event(EVENT_THREAD_JOIN, site, 0, 0, t->tid);
	sched_joined();
	if (result) {
		hidden_read(thread_result_cell(t), (uint64_t)t->result, site);
		hook_thread_give(result, (uint64_t)t->result, sizeof(*result), site);
	}
	thread_release(t);
}

int hook_thread_join(pthread_t handle, void **result, clockid_t clock, const struct timespec *when)
{
	struct rt_thread *t = thread_by_handle(handle);
	struct rt_op op = call_op(EVENT_THREAD_JOIN, t, has_ended);
	int refused = join_refused(t);
	enum step_result step;

	if (refused) {
		tell_refused(refused, op.site);
		return refused;
	}
	if (when && !call_time_valid(when))
		return EINVAL;
	if (when) {
		rt_unseen(op.site, "a join with a limit of time");
		call_expires_at(&op, clock, when);
	}
	op.aux = t->tid;
	op.flags = OP_CANCEL | OP_INTR;
	do {
		set_joined(t, 1);
		step = sched_step(&op);
		if (step == STEP_INTR) {
			set_joined(t, 0);
			signals_handle();
		}
	} while (step == STEP_INTR);
	if (cancel_due(rt_self())) {
		set_joined(t, 0);
		cancel_act();
	}
	if (step == STEP_TIMEOUT) {
		set_joined(t, 0);
		rec_event(EVENT_YIELD, op.site, 0, ETIMEDOUT, 0);
		return ETIMEDOUT;
	}
	finish_join(t, result, op.site);
	return 0;
}

RT_EXPORT int pthread_join(pthread_t handle, void **result)
{
	if (rt_controlled())
		return hook_thread_join(handle, result, 0, NULL);
	outsider_early(-1);
	return REAL(pthread_join)(handle, result);
}

RT_EXPORT int pthread_timedjoin_np(pthread_t handle, void **result, const struct timespec *when)
{
	return rt_controlled() ? hook_thread_join(handle, result, CLOCK_REALTIME, when)
			       : REAL(pthread_timedjoin_np)(handle, result, when);
}

RT_EXPORT int pthread_clockjoin_np(pthread_t handle, void **result, clockid_t clock,
				   const struct timespec *when)
{
	if (!rt_controlled())
		return REAL(pthread_clockjoin_np)(handle, result, clock, when);
	if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC)
		return EINVAL;
	return hook_thread_join(handle, result, clock, when);
}

RT_EXPORT int pthread_tryjoin_np(pthread_t handle, void **result)
{
	if (!rt_controlled())
		return REAL(pthread_tryjoin_np)(handle, result);
	struct rt_thread *t = thread_by_handle(handle);
	struct rt_op op = call_op(EVENT_THREAD_JOIN, t, NULL);
	int refused;

	op.flags = OP_YIELD;
	sched_step(&op);
	t = thread_by_handle(handle);
	refused = join_refused(t);
	if (refused) {
		tell_refused(refused, op.site);
		return refused;
	}
	rt_unseen(op.site, "pthread_tryjoin_np() asks whether a thread has ended");
	if (t->state != THREAD_FINISHED) {
		rec_event(EVENT_YIELD, op.site, 0, EBUSY, 0);
		return EBUSY;
	}
	finish_join(t, result, op.site);
	return 0;
}

int hook_thread_detach(pthread_t handle)
{
	struct rt_thread *t = thread_by_handle(handle);
	struct rt_op op = call_op(EVENT_THREAD_DETACH, t, NULL);

	sched_step(&op);
	t = thread_by_handle(handle);
	if (!t || t->detached || t->joined)
		tell_refused(EINVAL, op.site);
	if (!t)
		return ESRCH;
	if (t->detached)
		return EINVAL;
	rec_event(EVENT_THREAD_DETACH, op.site, 0, 0, t->tid);
	t->detached = 1;
	if (t->state == THREAD_FINISHED)
		thread_release(t);
	return 0;
}

RT_EXPORT int pthread_detach(pthread_t handle)
{
	return rt_controlled() ? hook_thread_detach(handle) : REAL(pthread_detach)(handle);
}

int hook_yield(void)
{
	struct rt_op op = call_op(EVENT_YIELD, NULL, NULL);

	op.flags = OP_YIELD | OP_NO_DRAIN;
	sched_step(&op);
	rec_event(EVENT_YIELD, op.site, 0, 0, 0);
	return 0;
}

RT_EXPORT int sched_yield(void)
{
	return rt_controlled() ? hook_yield() : REAL(sched_yield)();
}

RT_EXPORT int pthread_getcpuclockid(pthread_t handle, clockid_t *clock)
{
	if (!rt_controlled())
		return REAL(pthread_getcpuclockid)(handle, clock);
	undo_touch(clock, sizeof(*clock));
	*clock = CLOCK_THREAD_CPUTIME_ID;
	return thread_by_handle(handle) ? 0 : ESRCH;
}
