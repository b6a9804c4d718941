#include "explore/policy/advise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/limit.h"
#include "explore/policy/search.h"
#include "run/confirm/fence_runs.h"

/* Of the runs before and after an exhaustive search, and of that. */
#define FIRST_RUNS 1000
#define FIRST_NS UINT64_C(1000000000)
#define RUNS 10000
#define RUNS_NS UINT64_C(4000000000)
#define EXHAUSTIVE_NS UINT64_C(5000000000)
/* No further search is begun after so long, for all failures together. */
#define LIMIT_NS UINT64_C(30000000000)

static struct wire_job make_job(const struct check_advisor *x, const struct run_fence_query *q)
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
static void search_all(struct check_advisor *x, const struct run_fence_query *q,
		       struct run_fence_answer *a)
{
	struct limit limit = limit_within(x->limit, EXHAUSTIVE_NS);
	struct err e = ERR_INIT;
	struct check_result *r = xcalloc(1, sizeof(*r));
	struct check_opts co = {
		.engine = x->engine,
		.job = make_job(x, q),
		.all = q->all || q->passed_count > 0,
		.preemptions = -1,
		.limit = &limit,
	};
	int rc = run_guest_new(x->guest, &co.guest, &e);

	if (rc == 0)
		run_guest_limit(co.guest, &limit);
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

static int search_runs(struct check_advisor *x, uint64_t runs, uint64_t limit_ns,
		       const struct run_fence_query *q, struct run_fence_answer *a, struct err *e)
{
	struct run_fence_runs s = {
		.guest = *x->guest,
		.engine = x->engine,
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
	struct check_advisor *x = arg;
	int rc = 0;

	if (!q->all)
		rc = search_runs(x, FIRST_RUNS, FIRST_NS, q, a, e);
	if (rc != 0 || a->found || limit_reached(x->limit) != LIMIT_NONE)
		return rc;
	a->effort = (struct model_search){SEARCH_NONE, 0};
	search_all(x, q, a);
	if ((a->found && !q->all) || a->effort.kind == SEARCH_COMPLETE ||
	    limit_reached(x->limit) != LIMIT_NONE)
		return 0;
	return search_runs(x, RUNS, RUNS_NS, q, a, e);
}

void check_advise(struct check_advisor *x, const struct run_again *again,
		  const struct run_result *r, struct model_weak *out)
{
	struct limit limit =
		limit_within(x->limit, x->spent_ns < LIMIT_NS ? LIMIT_NS - x->spent_ns : 1);
	struct err e = ERR_INIT;
	struct run_fence_opts o = {
		.again = *again,
		.program = x->program,
		.key = run_result_key(r),
		.search = search,
		.arg = x,
		.cache = &x->cache,
		.limit = &limit,
	};
	uint64_t begin = limit_now();
	int rc = run_fence_advise(&o, r, out, &e);

	x->spent_ns += limit_now() - begin;
	if (rc == 0)
		return;
	out->fence_count = 0;
	snprintf(out->why, sizeof(out->why), "%s", e.text);
}

void check_advisor_fini(struct check_advisor *x)
{
	run_fence_cache_fini(&x->cache);
}
