/*
 * What the failure depends on: a smallest set of flows of the failing execution such that every run
 * that passed had at least one of them otherwise.  Found as a hitting set over the runs made; of
 * equal size those with reads, of the failing thread, near the failure.
 */
#ifndef HEDDLE_EXPLAIN_ROOTS_H
#define HEDDLE_EXPLAIN_ROOTS_H

#include "explain/search.h"
#include "model/explanation.h"

struct explain_roots {
	VEC(uint32_t) chosen; /* numbers of operations of interest, see struct explain_search */
	struct explanation_proof proof;
};

/* What was seen, when nothing passes: there is nothing to choose. */
void explain_roots_account(const struct explain_search *s, struct explanation_proof *out);

void explain_roots_find(const struct explain_search *s, struct explain_roots *out);
void explain_roots_fini(struct explain_roots *r);

#endif
