/*
 * For a failure found under weak memory: does it need that, and which fences would remove it.
 *
 * Each question is put to a few runs first, which find most failures at once; then to the
 * exhaustive search; and when that does not come to its end, to more runs.
 */
#ifndef HEDDLE_EXPLORE_POLICY_ADVISE_H
#define HEDDLE_EXPLORE_POLICY_ADVISE_H

#include "model/weak.h"
#include "run/confirm/fence.h"

/* What is asked with.  Several failures of one program share what is known and the time. */
struct check_advisor {
	struct run_engine *engine;
	struct run_guest_opts *guest;
	const char *program;
	struct wire_job job;
	const struct limit *limit;
	struct run_fence_cache cache; /* about the stronger models */
	uint64_t spent_ns;
};

/*
 * again: engine, guest and job of the failing run; r: the execution as run_hasten() leaves it.  When
 * something goes wrong there is no advice, and out->why says why.
 */
void check_advise(struct check_advisor *x, const struct run_again *again,
		  const struct run_result *r, struct model_weak *out);
void check_advisor_fini(struct check_advisor *x);

#endif
