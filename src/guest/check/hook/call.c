#include "guest/check/hook/call.h"

#define NS_PER_S UINT64_C(1000000000)
#define NS_MAX (UINT64_MAX / 2)

bool call_never_ready(struct rt_thread *t, const struct rt_op *op)
{
	return false;
}

uint32_t call_standing_at(enum event_kind kind, uint64_t addr)
{
	const struct rt_thread *t;
	uint32_t n = 0;

	for (uint32_t tid = 0; (t = thread_by_tid(tid)) != NULL; tid++)
		n += call_is_parked(t) && t->op->kind == kind && t->op->addr == addr;
	return n;
}

bool call_may_begin(const struct rt_obj *o)
{
	const struct rt_thread *owner = thread_by_tid(obj_owner(o));
	bool lives = owner && owner->state != THREAD_FINISHED && owner->state != THREAD_GONE;

	return rule_lock_may_begin(o->mutex.owner, RULE_WHO(rt_self()), lives);
}

uint64_t call_interval(const struct timespec *interval)
{
	if (interval->tv_sec < 0)
		return 0;
	if ((uint64_t)interval->tv_sec >= NS_MAX / NS_PER_S)
		return NS_MAX;
	return (uint64_t)interval->tv_sec * NS_PER_S + (uint64_t)interval->tv_nsec;
}

void call_expires_at(struct rt_op *op, clockid_t clock, const struct timespec *when)
{
	uint64_t start = clock == CLOCK_REALTIME ? SCHED_EPOCH_NS : SCHED_BOOT_NS;
	uint64_t end = call_interval(when);

	op->timed = 1;
	op->size = SYNC_TIMED;
	op->interval = 0;
	op->deadline = end > start ? end - start : 0;
}

void call_expires_after(struct rt_op *op, uint64_t ns)
{
	op->timed = 1;
	op->size = SYNC_TIMED;
	op->interval = ns < NS_MAX ? ns : NS_MAX;
	op->deadline = sched_now() + op->interval;
}
