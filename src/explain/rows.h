/* Rows of both sides in the making; private to project.c. */
#ifndef HEDDLE_EXPLAIN_ROWS_H
#define HEDDLE_EXPLAIN_ROWS_H

#include "explain/difference.h"
#include "model/explanation.h"

/* By operation: roles it has, 0: not shown. */
struct explain_marks {
	const struct explain_exec *x;
	uint32_t *roles, *flow;
};

void explain_marks_init(struct explain_marks *m, const struct explain_exec *x);
void explain_marks_fini(struct explain_marks *m);
/* op EXPLAIN_NONE: nothing happens. */
void explain_mark(struct explain_marks *m, uint32_t op, uint32_t roles, uint32_t flow);

/* What a person needs to see of threads that are stuck, and of the failure. */
void explain_mark_stuck(struct explain_marks *m);
void explain_mark_failure(const struct explain_failing *f, struct explain_marks *m);

/* Shown on one side, shown on the other: so that both have the same operations in their order. */
void explain_marks_mirror(const struct explain_marks *from, struct explain_marks *to);

/* Fills the rows; of the failing side with the failure and the stuck threads at the end. */
void explain_rows_make(const struct explain_marks *m, bool failing, struct explanation_side *side);
void explain_rows_pair(struct explanation *x, const struct explain_marks *failing,
		       const struct explain_marks *passing);

#endif
