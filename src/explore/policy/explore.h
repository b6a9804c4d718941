/*
 * The algorithms of explore/ on a real program: their executions are thought through on what is
 * known of the program's threads (model_exec.h), which is run only to learn more.
 */
#ifndef HEDDLE_CHECK_EXPLORE_H
#define HEDDLE_CHECK_EXPLORE_H

#include "explore/policy/search.h"

/*
 * As check_search().  out->stats.executions counts what the algorithm executed, .learned the runs
 * of the program; .explore is the algorithm's own account.  .product has states (values of all
 * reads, as check_search() counts them), failures and deadlocks.
 */
int check_explore(const struct check_opts *o, enum explore_algorithm algorithm,
		  struct check_result *out, struct err *e);

#endif
