#include "cli/weak.h"

#include "run/fence_runs.h"

/* No further search is begun after so long. */
#define LIMIT_NS UINT64_C(30000000000)

int cli_weak_advise(const struct cli_weak *w, struct cli_exec *x, const struct run_again *again,
		    const struct run_result *r, struct model_weak *out, struct err *e)
{
	struct run_fence_runs runs = {
		.guest = x->guest,
		.engine = &x->engine,
		.job = x->job,
		.guests = 1,
		.runs = CLI_WEAK_RUNS,
		.limit_ns = CLI_WEAK_NS,
	};
	struct run_fence_opts o = {
		.again = *again,
		.program = x->program.path,
		.key = run_result_key(r),
		.search = w && w->search ? w->search : run_fence_runs,
		.arg = w && w->search ? w->arg : &runs,
		.cache = &x->fence_cache,
		.limit_ns = LIMIT_NS,
	};

	return run_fence_advise(&o, r, out, e);
}
