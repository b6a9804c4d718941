/*
 * From a failing execution to its explanation: the failing schedule is run again and made simpler,
 * passing ones are looked for (search.h), what decides is worked out (roots.h), the passing one is
 * run again to the letter, and advice is tested on schedules that keep to it (advice.h).
 */
#ifndef HEDDLE_EXPLAIN_EXPLAIN_H
#define HEDDLE_EXPLAIN_EXPLAIN_H

#include "base/limit.h"
#include "model/explanation.h"
#include "run/confirm/confirm.h"
#include "run/guest/keep.h"

struct explain_opts {
	struct run_again again; /* job: of the failing execution */
	struct run_keep keep;	/* for the bundles of both sides */
	const struct trace_bundle *bundle;
	/* A passing execution: only those on its paths are set beside the failing one; NULL: any.
	 */
	const struct model_schedule *beside;
	const struct limit *limit; /* may be NULL */
	uint64_t max_runs;	   /* of the search; 0: 1500 */
	bool all;		   /* do not end at the first good one */
	/* A few hundred runs: no proof and no advice, and the schedule is taken to be simple. */
	bool brief;
	uint64_t advice_runs; /* schedules advice is tested on; 0: 400 */
	/*
	 * TSO, PSO: does the failure need late stores, and which fences remove it?  r: the
	 * failing execution with as few of them as there can be.  NULL: nobody knows.
	 */
	void (*weak)(void *arg, const struct run_again *again, const struct run_result *r,
		     struct model_weak *out);
	void *arg;
};

/*
 * Fills *out (EXPLANATION_INIT), which needs explanation_fini() in any case.  0 also when nothing
 * was found, with out->reason; an error when the program could not be run.
 */
int explain(const struct explain_opts *o, struct explanation *out, struct err *e);

#endif
