/*
 * From a closed polygraph to a total order.  The order is built forwards: of the events whose row
 * is done the best one is taken, and every alternative this decides is added to the graph as an
 * edge before going on, so that the closure warns of dead ends early.  With no alternative left
 * open this is a plain linear extension; otherwise it is a heuristic that may fail.
 */
#ifndef HEDDLE_PREDICT_LINEAR_H
#define HEDDLE_PREDICT_LINEAR_H

#include <stdbool.h>
#include <stdint.h>

#include "predict/order/graph.h"

struct predict_linear {
	const uint8_t *late; /* by thread: run it only when nothing else can; NULL = none */
	VEC(uint32_t) order; /* out: core events */
	uint64_t decided;    /* out: alternatives that were not implied */
};

/* Leaves its edges in the graph; callers take a mark before.  False: dead end. */
bool predict_linear_run(struct predict_graph *g, struct predict_linear *l);

/* Trace events of a core order: everything that leads up to each core event, then up to the targets
 * and required events of q.  Appends to out. */
struct predict_order {
	VEC_FIELDS(uint32_t);
};
void predict_linear_expand(const struct predict_core *c, const struct predict_question *q,
			   const uint32_t *order, size_t n, struct predict_order *out);

#endif
