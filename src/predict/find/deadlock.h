/*
 * Deadlock patterns: acquisitions of different threads, on different locks, each lock held by the
 * next thread of the cycle, nothing else held in common (a gate lock would exclude it).  An
 * acquisition inside a step is none of them: a thread that cannot do the whole step stands before
 * it.
 *
 * Acquisitions with the same thread, lock, mode and lockset form one class; cycles are looked for
 * over classes, so a pattern that happened a thousand times is one abstract pattern.  A cycle is
 * listed once, starting at its smallest class; shorter cycles come first.  Locks that lie on no
 * cycle of the lock order (lockorder.h) are left out before the search.
 */
#ifndef HEDDLE_PREDICT_DEADLOCK_H
#define HEDDLE_PREDICT_DEADLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "predict/order/core.h"

struct predict_lock_class {
	uint32_t thread, lock, set;
	uint8_t shared;
	VEC(uint32_t) requests; /* trace events in order */
};

struct predict_deadlocks {
	VEC(struct predict_lock_class) classes;
	VEC(uint32_t) cycles; /* length, then that many classes; one cycle after the other */
	size_t cycle_count;
	bool incomplete;   /* the enumeration came to its budget or limit */
	uint32_t complete; /* every cycle of up to so many locks is listed */
};

/* At most limit cycles, found in at most budget steps. */
void predict_deadlock_list(const struct predict_core *c, uint64_t budget, size_t limit,
			   struct predict_deadlocks *out);
void predict_deadlock_fini(struct predict_deadlocks *d);

/* True when these requests form a pattern as above, in this order. */
bool predict_deadlock_is_pattern(const struct predict_trace *t, const uint32_t *requests,
				 uint32_t n);
/*
 * True when each of these requests waits for a lock another one's thread holds, in any order; what
 * is more, nothing held in common keeps them from standing there together.  Otherwise no order of
 * the execution has them deadlocked.
 */
bool predict_deadlock_is_stuck(const struct predict_trace *t, const uint32_t *requests, uint32_t n);

#endif
