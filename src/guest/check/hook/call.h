/*
 * What all interposers share: describing an operation, and time limits.
 *
 * The form of every interposer:
 *
 *	if (!rt_controlled())
 *		return REAL(name)(…);
 *	struct rt_op op = call_op(EVENT_…, object, ready function or NULL);
 *	sched_step(&op);
 *	obj_touch(o); … change the model …
 *	rec_event(EVENT_…, op.site, op.addr, value, aux);
 *	sched_wake(op.addr);
 *
 * Objects are looked up again after sched_step(): others ran in between and may have destroyed
 * them.
 */
#ifndef HEDDLE_RT_HOOK_CALL_H
#define HEDDLE_RT_HOOK_CALL_H

#include <time.h>

#include "guest/check/sched/core.h"
#include "guest/check/sched/obj.h"
#include "guest/check/sched/thread.h"

typedef bool (*call_ready_fn)(struct rt_thread *t, const struct rt_op *op);

/* An operation on an object at the call site named by the instrumented caller, if any. */
static inline struct rt_op call_op(enum event_kind kind, const void *object, call_ready_fn ready)
{
	uint64_t sp = rt_self()->at_sp;

	return (struct rt_op){
		.kind = (uint8_t)kind,
		.sp = sp,
		.site = sched_take_site(),
		.addr = (uintptr_t)object,
		.ready = ready,
	};
}

/* An object of that kind begins (EVENT_OBJ_INIT, with its first number) or ends. */
static inline struct rt_op call_life(enum event_kind kind, const void *object, enum wire_obj is,
				     uint64_t value)
{
	struct rt_op op = call_op(kind, object, NULL);

	op.aux = is;
	op.value = value;
	return op;
}

/* Whether t stands at an operation: only then is t->op more than a left-over. */
static inline bool call_is_parked(const struct rt_thread *t)
{
	return t != rt_self() && t->op && (t->state == THREAD_PARKED || t->state == THREAD_BLOCKED);
}

/* How many threads stand at an operation of that kind on the object. */
uint32_t call_standing_at(enum event_kind kind, uint64_t addr);
/* Whether the running thread may make a new lock where the model has o. */
bool call_may_begin(const struct rt_obj *o);

/* A ready function for what only a time limit, a signal or a cancellation ends. */
bool call_never_ready(struct rt_thread *t, const struct rt_op *op);

/* Whether the nanoseconds are in range. */
static inline bool call_time_valid(const struct timespec *when)
{
	return (unsigned long)when->tv_nsec < 1000000000ul;
}

/*
 * Makes op expire at an absolute time of a clock (CLOCK_REALTIME or CLOCK_MONOTONIC).  The time
 * must be valid; one before the epoch counts as already past.
 */
void call_expires_at(struct rt_op *op, clockid_t clock, const struct timespec *when);
/* The same, ns from now. */
void call_expires_after(struct rt_op *op, uint64_t ns);
/* Nanoseconds of a valid interval, negative ones as 0, cut at about 292 years. */
uint64_t call_interval(const struct timespec *interval);

#endif
