/*
 * What threads could do at a point of an execution, seen from the execution alone: a thread would
 * do there what it does next.  Operations that block on the value they read count as possible;
 * trying one may diverge.
 */
#ifndef HEDDLE_EXPLORE_UPCOMING_H
#define HEDDLE_EXPLORE_UPCOMING_H

#include "explore/published/executor.h"

/* One more than the highest thread in it. */
uint32_t upcoming_threads(const struct explore_run *r);

/* The event thread t performs first at or after `at', NULL when there is none.  SC. */
const struct solve_event *upcoming_next(const struct explore_run *r, size_t at, uint32_t t);

/* Whether e could happen there, as far as locks, forks and joins go. */
bool upcoming_enabled(const struct explore_run *r, size_t at, const struct solve_event *e);

struct upcoming_list {
	VEC_FIELDS(struct solve_step);
};

/*
 * All that could happen there: under TSO and PSO also what overtakes stores that have not reached
 * memory.  By thread, then by program order.
 */
void upcoming_all(const struct explore_run *r, size_t at, unsigned model,
		  struct upcoming_list *out);

#endif
