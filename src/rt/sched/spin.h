/*
 * Spin loops (spec mcr §10.5).
 *
 * The instrumenter marks the end of an iteration of loops that carry no local state.  Between two
 * such marks of one site we collect what the thread read.  If it wrote nothing, changed nothing
 * else, and every value it read is still what it would read now, the next iteration would be the
 * same as this one: the thread is parked until one of those values changes.
 */
#ifndef HEDDLE_RT_SCHED_SPIN_H
#define HEDDLE_RT_SCHED_SPIN_H

#include "rt/sched/thread.h"

/* Operations that leave an iteration without effect: reads, yields, sleeps, balanced locking.  A
   compare and swap is judged by its result, see spin_read() and spin_wrote(). */
static inline bool spin_allows(const struct rt_op *op)
{
	switch (op->kind) {
	case EVENT_READ:
	case EVENT_RMW:
	case EVENT_FENCE:
	case EVENT_YIELD:
	case EVENT_SLEEP:
	case EVENT_LOCK:
	case EVENT_UNLOCK:
	case EVENT_SPIN_PARK:
		return true;
	default:
		return false;
	}
}

void spin_collect(struct rt_thread *t, uint64_t addr, uint32_t size, uint64_t value);

static inline void spin_read(struct rt_thread *t, uint64_t addr, uint32_t size, uint64_t value)
{
	if (unlikely(t->spin_on))
		spin_collect(t, addr, size, value);
}

static inline void spin_wrote(struct rt_thread *t)
{
	t->spin_on = 0;
}

/* End of an iteration. */
void spin_iteration(struct rt_thread *t, uint32_t site);
struct spin_state *spin_of_slot(uint32_t slot);

#endif
