#include "cli/weak.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/search.h"
#include "run/fence_runs.h"
#include "run/watch.h"

/* Of the runs before and after an exhaustive search, and of that. */
#define FIRST_RUNS 1000
#define FIRST_NS UINT64_C(1000000000)
#define RUNS 10000
#define RUNS_NS UINT64_C(4000000000)
#define EXHAUSTIVE_NS UINT64_C(5000000000)
/* No further search is begun after so long, for all failures together. */
#define LIMIT_NS UINT64_C(30000000000)

static int stop_when_asked(void *arg, const struct check_stats *s)
{
	return cli_exec_stop != 0;
}

static struct wire_job make_job(const struct cli_exec *x, const struct run_fence_query *q)
{
	struct wire_job job = x->job;

	job.model = q->model;
	job.runs = 1;
	job.fence_count = q->fence_count;
	if (q->fence_count > 0)
		memcpy(job.fences, q->fences, q->fence_count * sizeof(job.fences[0]));
	return job;
}

/* Every behaviour; a->effort is set only when there are no others.  What goes wrong is no matter.
 */
static void search_all(struct cli_exec *x, const struct run_fence_query *q,
		       struct run_fence_answer *a)
{
	struct err e = ERR_INIT;
	struct check_result *r = xcalloc(1, sizeof(*r));
	struct check_opts co = {
		.engine = &x->engine,
		.job = make_job(x, q),
		.all = q->all || q->passed_count > 0,
		.preemptions = -1,
		.limit_ns = EXHAUSTIVE_NS,
		.progress = stop_when_asked,
	};
	int rc = run_guest_new(&x->guest, &co.guest, &e);

	if (rc == 0)
		rc = check_search(&co, r, &e);
	for (size_t i = 0; rc == 0 && i < r->findings.count; i++)
		run_fence_take(q, a, r->findings.items[i]);
	if (rc == 0 && r->complete && !r->input)
		a->effort = (struct model_search){SEARCH_COMPLETE, r->stats.product.states};
	check_result_fini(r);
	free(r);
	run_guest_free(co.guest);
}

static int search_runs(struct cli_exec *x, uint64_t runs, uint64_t limit_ns,
		       const struct run_fence_query *q, struct run_fence_answer *a, struct err *e)
{
	struct run_fence_runs s = {
		.guest = x->guest,
		.engine = &x->engine,
		.job = x->job,
		.guests = 1,
		.runs = runs,
		.limit_ns = limit_ns,
	};

	return run_fence_runs(&s, q, a, e);
}

static int search(void *arg, const struct run_fence_query *q, struct run_fence_answer *a,
		  struct err *e)
{
	struct cli_exec *x = arg;
	int rc = 0;

	if (!q->all)
		rc = search_runs(x, FIRST_RUNS, FIRST_NS, q, a, e);
	if (rc != 0 || a->found || cli_exec_stop)
		return rc;
	a->effort = (struct model_search){SEARCH_NONE, 0};
	search_all(x, q, a);
	if ((a->found && !q->all) || a->effort.kind == SEARCH_COMPLETE || cli_exec_stop)
		return 0;
	return search_runs(x, RUNS, RUNS_NS, q, a, e);
}

void cli_weak_advise(struct cli_exec *x, const struct run_again *again, const struct run_result *r,
		     struct model_weak *out)
{
	struct err e = ERR_INIT;
	struct run_fence_opts o = {
		.again = *again,
		.program = x->program.path,
		.key = run_result_key(r),
		.search = search,
		.arg = x,
		.cache = &x->fence_cache,
		.limit_ns = x->fence_ns < LIMIT_NS ? LIMIT_NS - x->fence_ns : 1,
	};
	uint64_t begin = run_watch_now();
	int rc = run_fence_advise(&o, r, out, &e);

	x->fence_ns += run_watch_now() - begin;
	if (rc == 0)
		return;
	out->fence_count = 0;
	snprintf(out->why, sizeof(out->why), "%s", e.text);
}
