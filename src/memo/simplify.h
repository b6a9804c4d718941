/*
 * Conditions made fewer, with Z3: a condition that follows from the others is dropped, the earliest
 * first, because later ones are usually tighter (the exit of a loop says more than its rounds).
 * What is left means the same.  When Z3 does not know, or is not there, the condition stays.
 */
#ifndef HEDDLE_MEMO_SIMPLIFY_H
#define HEDDLE_MEMO_SIMPLIFY_H

#include "memo/terms.h"

struct memo_solver;

/* NULL when Z3 is not there. */
struct memo_solver *memo_solver_new(void);
void memo_solver_free(struct memo_solver *s);

/* Drops conditions that the others imply, and those that say nothing. */
void memo_simplify(struct memo_solver *s, struct memo_terms *t);
/* A memo_implies_fn; arg is the solver, which may be NULL: then nobody knows. */
int memo_implies(void *arg, const struct memo_terms *a, const struct memo_terms *b);

#endif
