/*
 * Makes a failing execution of TSO or PSO easier to understand: the same failure with stores that
 * reach memory as soon as they are issued, except those that must be late for it to show.
 *
 * The execution is written down by its events (CHOICE_UNTIL, CHOICE_COMMIT) with the commits of
 * some stores moved to where they were issued; when the program still fails in the same way with
 * fewer late stores (model/delay.h), that execution takes the place of the old one. First all
 * stores at once: an execution that fails without a late store fails under sequential consistency.
 * Then, under PSO, no store overtaking another, as under TSO.  Then one store after the other.
 *
 * A candidate need not fit the program; what is kept is what the guest really did.
 */
#ifndef HEDDLE_RUN_HASTEN_H
#define HEDDLE_RUN_HASTEN_H

#include "run/confirm/confirm.h"
#include "run/confirm/simplify.h"

/*
 * *r is the result of running *s with JOB_EVENTS, failing with `key'; both are replaced by a better
 * execution, if there is one.  Afterwards the guest's block holds the execution in *r.
 */
int run_hasten(const struct run_again *a, uint64_t key, struct model_schedule *s,
	       struct run_result *r, struct err *e);

#endif
