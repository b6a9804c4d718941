/*
 * Findings by the source locations of their events: which group a tuple of events belongs to.
 *
 * Two tuples are in one group when they are of one kind and agree, event by event, in place,
 * operation and object; the events of a race may be swapped.  The place is the source location, or
 * the line of the input where none is known: what a report calls them.  Hashing only finds the
 * group; whether it is the one is said by comparing whole keys.
 */
#ifndef HEDDLE_PREDICT_GROUPS_H
#define HEDDLE_PREDICT_GROUPS_H

#include <stdint.h>

#include "base/lookup.h"
#include "predict/order/question.h"
#include "predict/read/trace.h"

struct predict_group_event {
	uint32_t known; /* place is a source location, otherwise a line */
	uint32_t place, op, object;
};

struct predict_group_key {
	uint32_t kind;	   /* enum predict_kind */
	size_t first, end; /* in keys: the tuple */
};

struct predict_groups {
	VEC(struct predict_group_event) keys; /* of all groups, one tuple after the other */
	VEC(struct predict_group_key) groups;
	VEC(uint32_t) values; /* by group */
	struct lookup by_key;
};

/*
 * Value of the group for these events, PREDICT_NONE when it is new; the pointer is good until the
 * next call.  The order of the events matters except for a race.
 */
uint32_t *predict_groups_find(struct predict_groups *g, const struct predict_trace *t,
			      enum predict_kind kind, const uint32_t *events, uint32_t n);
void predict_groups_fini(struct predict_groups *g);

#endif
