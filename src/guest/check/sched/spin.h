/*
 * Spin loops (docs/algorithms.md).
 *
 * The instrumenter marks the end of an iteration of loops that carry no local state but values
 * which it hands us.  Between two such marks of one site we collect what the thread read.  If it
 * wrote nothing, changed nothing else, hands on what it was handed, and every value it read is
 * still what it would read now, the next iteration would be the same as this one: the thread is
 * parked until one of those values changes.
 */
#ifndef HEDDLE_RT_SCHED_SPIN_H
#define HEDDLE_RT_SCHED_SPIN_H

#include "guest/check/sched/thread.h"

/* Operations that leave an iteration without effect: reads, yields, sleeps, balanced locking.  A
   compare and swap is judged by its result, see spin_read() and spin_wrote(); so is an attempt to
   lock, see spin_tried(). */
static inline bool spin_allows(const struct rt_op *op)
{
	switch (op->kind) {
	case EVENT_READ:
	case EVENT_READ_RANGE:
	case EVENT_WRITE: /* see spin_store() */
	case EVENT_WRITE_RANGE:
	case EVENT_RMW:
	case EVENT_FENCE:
	case EVENT_YIELD:
	case EVENT_SLEEP:
	case EVENT_LOCK:
	case EVENT_UNLOCK:
	case EVENT_TRYLOCK:
	case EVENT_SPIN_LOCK:
	case EVENT_SPIN_TRYLOCK:
	case EVENT_SPIN_UNLOCK:
	case EVENT_TRYRDLOCK:
	case EVENT_TRYWRLOCK:
	case EVENT_SEM_TRYWAIT:
	case EVENT_SPIN_PARK:
	case EVENT_OUTSIDE: /* those that only read; the others end the iteration's innocence */
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

/* The same for more bytes than a word holds. */
void spin_collect_range(struct rt_thread *t, uint64_t addr, uint64_t bytes);

static inline void spin_read_range(struct rt_thread *t, uint64_t addr, uint64_t bytes)
{
	if (unlikely(t->spin_on))
		spin_collect_range(t, addr, bytes);
}

static inline void spin_wrote(struct rt_thread *t)
{
	t->spin_on = 0;
}

/* Whether an attempt on the object at addr would succeed now. */
typedef bool (*spin_would_fn)(const struct rt_thread *t, uint64_t addr);

/* An attempt that does not wait, and whether it got what it wanted: it has read the object. */
void spin_tried(struct rt_thread *t, uint64_t addr, bool got, spin_would_fn would);

void spin_note_store(struct rt_thread *t, uint64_t addr, uint32_t size);
void spin_note_stores(struct rt_thread *t, uint64_t addr, uint64_t bytes);

/*
 * Before a store: what a thread keeps on its own stack, where others have no business, may be
 * written in an iteration, as long as it is the same again at the end of it.
 */
static inline void spin_store(struct rt_thread *t, uint64_t addr, uint32_t size)
{
	if (unlikely(t->spin_on))
		spin_note_store(t, addr, size);
}

/* The same of a range that will be written. */
static inline void spin_store_range(struct rt_thread *t, uint64_t addr, uint64_t bytes)
{
	if (unlikely(t->spin_on))
		spin_note_stores(t, addr, bytes);
}

/* End of an iteration; carried: the values that it hands on to the next, as one number. */
void spin_iteration(struct rt_thread *t, uint32_t site, uint64_t carried);
/*
 * The loop is entered: what was collected in it the last time is not an iteration.  When nobody
 * else collects (a loop around this one), and the first iteration begins here, it is looked at too.
 */
void spin_enter(struct rt_thread *t, uint32_t site, uint64_t carried, bool collects);
struct spin_state *spin_of_slot(uint32_t slot);
/* 1 + the number of its next event when the outermost round under way began; UINT32_MAX: none is.
 */
uint32_t spin_began(const struct rt_thread *t);

#endif
