/*
 * The order that barriers impose, without its quadratic part.
 *
 * Every leave of a round follows every arrival.  In a large round one leave stands for all: it
 * follows every arrival, and the other leaves follow it.  That says nothing more as long as this
 * one can happen whenever all have arrived: its thread has nothing to do between arrival and leave,
 * and no question is about it.  Only the direct edges (the published Rule 1, a baseline) see the
 * difference.
 */
#ifndef HEDDLE_PREDICT_BARRIER_H
#define HEDDLE_PREDICT_BARRIER_H

#include "predict/read/trace.h"

struct predict_pairs {
	VEC_FIELDS(struct predict_pair);
};

/* Adds the edges of all rounds, as trace events; keep[e] (may be NULL): a question names e. */
void predict_barrier_edges(const struct predict_trace *t, const uint8_t *keep,
			   struct predict_pairs *out);

#endif
