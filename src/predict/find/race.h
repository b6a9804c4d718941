/*
 * Race candidates: accesses of one location in different threads, at least one of them a write, at
 * least one not atomic, with no lock in common that excludes.
 */
#ifndef HEDDLE_PREDICT_RACE_H
#define HEDDLE_PREDICT_RACE_H

#include <stdbool.h>
#include <stdint.h>

#include "predict/order/core.h"
#include "predict/order/rows.h"

bool predict_race_is_candidate(const struct predict_trace *t, uint32_t a, uint32_t b);

/* Accesses of different parts of a location do not meet. */
bool predict_race_overlap(const struct predict_event *a, const struct predict_event *b);

/* Number of candidates in the whole trace, counted by class without listing them. */
uint64_t predict_race_count(const struct predict_core *c);

struct predict_race {
	uint32_t a, b; /* trace events, a earlier */
};

struct predict_races {
	VEC_FIELDS(struct predict_race);
	uint64_t left_out; /* pairs over the limit */
};

/*
 * Candidates on one location in the order of their distance in the trace.  With rows, pairs that
 * rows order already (so that one of them cannot be pending while the other is) are skipped.  Stops
 * collecting at limit pairs.
 */
void predict_race_list(const struct predict_core *c, const struct predict_rows *rows, uint32_t loc,
		       size_t limit, struct predict_races *out);

#endif
