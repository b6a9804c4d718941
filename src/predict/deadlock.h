/*
 * Deadlock patterns: acquisitions of different threads, on different locks, each lock held by the
 * next thread of the cycle, nothing else held in common (a gate lock would exclude it).
 *
 * Acquisitions with the same thread, lock, mode and lockset form one class; cycles are looked for
 * over classes, so a pattern that happened a thousand times is one abstract pattern.  A cycle is
 * listed once, starting at its smallest class.
 */
#ifndef HEDDLE_PREDICT_DEADLOCK_H
#define HEDDLE_PREDICT_DEADLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "predict/core.h"

struct predict_lock_class {
	uint32_t thread, lock, set;
	uint8_t shared;
	VEC(uint32_t) requests; /* trace events in order */
};

struct predict_deadlocks {
	VEC(struct predict_lock_class) classes;
	VEC(uint32_t) cycles; /* length, then that many classes; one cycle after the other */
	size_t cycle_count;
	bool incomplete; /* the enumeration ran out of its budget */
};

void predict_deadlock_list(const struct predict_core *c, uint64_t budget,
			   struct predict_deadlocks *out);
void predict_deadlock_fini(struct predict_deadlocks *d);

/* True when these requests form a pattern as above, in this order. */
bool predict_deadlock_is_pattern(const struct predict_trace *t, const uint32_t *requests,
				 uint32_t n);

#endif
