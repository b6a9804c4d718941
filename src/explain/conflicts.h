/*
 * Pairs of operations of different threads whose order can matter, and no third one lies between:
 * accesses of the same byte of which one writes, and operations on the same synchronisation object.
 */
#ifndef HEDDLE_EXPLAIN_CONFLICTS_H
#define HEDDLE_EXPLAIN_CONFLICTS_H

#include "explain/exec.h"

struct explain_conflict {
	uint32_t first, second; /* operations */
};

struct explain_conflicts {
	VEC_FIELDS(struct explain_conflict);
};

/*
 * Appended to *out: nearest first, of equals those that end later.  At most max; *left_out is set
 * when there are more.
 */
void explain_conflicts_find(const struct explain_exec *x, size_t max, struct explain_conflicts *out,
			    bool *left_out);

#endif
