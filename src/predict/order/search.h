/*
 * Look-ahead and complete search over the alternatives a closed polygraph leaves open.
 *
 * probe(d) tries both options of every open alternative with d - 1 further levels of look-ahead; an
 * option that is refuted makes the other one an edge.  It only ever adds forced edges, so a
 * conflict refutes the question.  run() is a depth-first search with undo that tries the option of
 * the trace first.
 */
#ifndef HEDDLE_PREDICT_SEARCH_H
#define HEDDLE_PREDICT_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

#include "predict/order/decide.h"
#include "predict/order/graph.h"

struct predict_search {
	struct predict_graph *g;
	uint64_t nodes_left;
	double deadline; /* CLOCK_MONOTONIC seconds */
	const struct limit *limit; /* may be NULL */
	bool out;	 /* budget is used up */
};

/* False when the question is refuted; the graph keeps the forced edges otherwise. */
bool predict_search_probe(struct predict_search *s, uint32_t depth);
/* FEASIBLE leaves a graph without open alternatives; otherwise the graph is as before. */
enum predict_answer predict_search_run(struct predict_search *s);

#endif
