/* For a failure found under TSO or PSO: does it need that, and which fences would remove it. */
#ifndef HEDDLE_CLI_WEAK_H
#define HEDDLE_CLI_WEAK_H

#include "cli/exec.h"
#include "model/weak.h"
#include "run/fence.h"

/* How the question is searched; search NULL: by so many runs, or fewer in so much time. */
#define CLI_WEAK_RUNS 10000
#define CLI_WEAK_NS UINT64_C(4000000000)

struct cli_weak {
	run_fence_fn search;
	void *arg;
};

/*
 * again: engine, guest and job of the failing run; r: the execution as run_hasten() leaves it.
 * w may be NULL.
 */
int cli_weak_advise(const struct cli_weak *w, struct cli_exec *x, const struct run_again *again,
		    const struct run_result *r, struct model_weak *out, struct err *e);

#endif
