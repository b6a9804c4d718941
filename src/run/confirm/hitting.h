/*
 * A smallest set of fences that has one of every clause.
 *
 * A clause is the set of fences one failing execution breaks (model/delay.h).  By iterative
 * deepening: for sizes 0, 1, 2, … the first clause not yet hit is branched on.  Of the sets of the
 * smallest size the one with the fewest full fences is taken, and of those the one whose fences
 * stand nearest to the front of their clauses.
 */
#ifndef HEDDLE_RUN_HITTING_H
#define HEDDLE_RUN_HITTING_H

#include "model/delay.h"

struct run_clauses {
	VEC_FIELDS(struct model_fences);
};

/* Takes over c's memory; *c is empty afterwards. */
void run_clauses_add(struct run_clauses *all, struct model_fences *c);
void run_clauses_free(struct run_clauses *all);

/* Fills fences; returns their number, -1 when more than max are needed or a clause is empty. */
int run_clauses_hit(const struct run_clauses *all, struct wire_fence *fences, unsigned max);

#endif
