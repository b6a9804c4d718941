/* Who waits for whom: cycles of lock owners and joins. */
#include "guest/check/sched/obj.h"
#include "guest/check/sched/state.h"

static bool asks_for_lock(const struct rt_op *op)
{
	switch (op->kind) {
	case EVENT_LOCK:
	case EVENT_RDLOCK:
	case EVENT_WRLOCK:
	case EVENT_SPIN_LOCK:
		return true;
	default:
		return false;
	}
}

static struct rt_thread *joined_thread(const struct rt_op *op)
{
	uint64_t offset = op->addr - (uint64_t)rt_threads;

	if (op->kind != EVENT_THREAD_JOIN || offset >= sizeof(rt_threads))
		return NULL;
	RT_ASSERT(offset % sizeof(struct rt_thread) == 0);
	return &rt_threads[offset / sizeof(struct rt_thread)];
}

struct rt_thread *deadlock_holder(const struct rt_thread *t)
{
	const struct rt_obj *o;

	if (!t->op || t->state != THREAD_BLOCKED)
		return NULL;
	if (!asks_for_lock(t->op))
		return joined_thread(t->op);
	o = obj_find(t->op->addr);
	return o && obj_owner(o) != THREAD_NONE ? thread_by_tid(obj_owner(o)) : NULL;
}

bool deadlock_cycle(struct rt_thread *t)
{
	struct rt_thread *at = t;

	RT_ASSERT(t->op != NULL && t->state == THREAD_BLOCKED);
	/* A request that can expire, or that a cancellation ends, breaks the cycle. */
	for (uint32_t i = 0; i < rt_thread_count; i++) {
		if (at->op->timed || (at->op->flags & OP_CANCEL && at->cancel_pending) ||
		    thread_interrupted(at))
			return false;
		at = deadlock_holder(at);
		if (!at || at->state != THREAD_BLOCKED)
			return false;
		if (at == t)
			return true;
	}
	return false;
}
