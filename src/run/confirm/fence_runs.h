/*
 * The search of run/confirm/fence.h by runs: half of them random, half PCT, from the same seeds each time.
 */
#ifndef HEDDLE_RUN_FENCE_RUNS_H
#define HEDDLE_RUN_FENCE_RUNS_H

#include "run/fleet/campaign.h"
#include "run/confirm/fence.h"

struct run_fence_runs {
	struct run_guest_opts guest;
	struct run_engine *engine;
	struct wire_job job; /* flags, seed and max_steps count */
	unsigned guests;
	uint64_t runs;	   /* of one search */
	uint64_t limit_ns; /* of one search; 0: none */
};

/*
 * A failure that a search came across: its key, and the failure itself when it is the first one that
 * counts.
 */
void run_fence_take(const struct run_fence_query *q, struct run_fence_answer *a,
		    const struct run_finding *f);

/* A run_fence_fn; arg is a struct run_fence_runs. */
int run_fence_runs(void *arg, const struct run_fence_query *q, struct run_fence_answer *a,
		   struct err *e);

#endif
