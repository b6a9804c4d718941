/* Findings by the source locations of their events: which group a tuple of events belongs to. */
#ifndef HEDDLE_PREDICT_GROUPS_H
#define HEDDLE_PREDICT_GROUPS_H

#include <stdint.h>

#include "predict/question.h"
#include "predict/trace.h"

struct predict_groups {
	uint64_t *keys; /* hash of the tuple's sites, never 0 when used */
	uint32_t *values;
	size_t size, used;
};

/*
 * Slot of the group for these events, PREDICT_NONE as value when it is new; the pointer is good
 * until the next call.  The order of the events matters except for a race.
 */
uint32_t *predict_groups_find(struct predict_groups *g, const struct predict_trace *t,
			      enum predict_kind kind, const uint32_t *events, uint32_t n);
void predict_groups_fini(struct predict_groups *g);

#endif
