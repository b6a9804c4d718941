/*
 * What comes before what in an execution: program order, threads begun and joined, and pairs whose
 * order can matter (conflicts.h).  Executions in which these agree are the same one, whatever the
 * order of everything else (Mazurkiewicz traces); the print of an execution is a hash of them.
 */
#ifndef HEDDLE_EXPLAIN_CAUSAL_H
#define HEDDLE_EXPLAIN_CAUSAL_H

#include "explain/conflicts.h"

struct explain_causal {
	const struct explain_exec *x;
	struct explain_conflicts pairs; /* first before second */
	uint32_t *begin;		/* by operation: where its predecessors begin in `before' */
	uint32_t *before;		/* direct predecessors, operation after operation */
	uint64_t *print;		/* by operation: it and all of its past */
	uint64_t whole;			/* of the execution */
};

void explain_causal_init(struct explain_causal *c, const struct explain_exec *x);
void explain_causal_fini(struct explain_causal *c);

/* after[i]: operation i is op or comes after it.  Room for all operations. */
void explain_causal_after(const struct explain_causal *c, uint32_t op, bool *after);

#endif
