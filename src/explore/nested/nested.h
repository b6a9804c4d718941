/*
 * heddle check --stable: all schedules that heddle stable can give for one input.
 *
 * A program whose synchronisation is all in the schedule has one; it is run some times, also with
 * delays before operations, and everything must be the same each time.  A program with
 * performance-critical sections has as many as there are orders of the operations in them, and of
 * their ends among the turns of the others: these are searched (explore/reduce), each in a fresh
 * process, with the runtime of heddle stable deciding everything else.
 *
 * What neither of the two orders (wire/stable_loose.def, enum nested_reason) makes the answer
 * incomplete, whatever was run.
 */
#ifndef HEDDLE_EXPLORE_NESTED_NESTED_H
#define HEDDLE_EXPLORE_NESTED_NESTED_H

#include "explore/nested/exec.h"
#include "explore/nested/failure.h"

struct nested_finding {
	struct nested_failure failure;
	bool decided; /* by choices; otherwise by the runtime alone */
	VEC(uint32_t) choices;
	unsigned again, tried; /* it failed in the same way so often when it was run again */
};

struct nested_progress {
	uint64_t executions;
	double expected; /* log10 of how many there will be */
};

struct nested_plan {
	bool whole;	     /* no reduction */
	bool keep_going;     /* after a failure */
	uint64_t executions; /* most of a search; 0: no limit */
	void (*progress)(void *arg, const struct nested_progress *now);
	void *arg;
};

struct nested_result {
	bool complete;
	struct strbuf reason; /* why not */
	bool sections;	      /* there was something open */
	uint64_t schedules;   /* different ones that were run */
	uint64_t orders;      /* … as far as operations in sections go */
	uint64_t distinct;    /* … whose logs, or orders in sections, differ */
	uint64_t executions, redundant;
	/*
	 * Executions of a search in which threads return to the schedule as soon as they can, when
	 * it came to its end; 0: it did not.
	 */
	uint64_t quick;
	uint64_t hash, operations; /* of the schedule, when there is one */
	/* log10: schedules by the weighted backtrack estimator; all orders by random executions. */
	double weighted, knuth, knuth_low, knuth_high;
	uint64_t odd_status; /* executions that ended with a status other than 0, which is no
				failure */
	VEC(struct nested_finding) findings;
};

int nested_check(struct nested_program *p, const struct nested_plan *plan,
		 struct nested_result *result, struct err *e);
void nested_result_fini(struct nested_result *r);

/* Runs the choices of a finding again; *same: it failed in the same way. */
int nested_again(struct nested_program *p, const struct nested_finding *f, bool *same,
		 struct nested_run *run, struct err *e);

#endif
