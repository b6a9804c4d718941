#include "run/confirm/fence_runs.h"

#include <string.h>

#define PCT_DEPTH 3

static bool is_passed(const struct run_fence_query *q, uint64_t key)
{
	for (size_t i = 0; i < q->passed_count; i++)
		if (q->passed[i] == key)
			return true;
	return false;
}

void run_fence_take(const struct run_fence_query *q, struct run_fence_answer *a,
		    const struct run_finding *f)
{
	vec_push(&a->keys, f->key);
	if (a->found || is_passed(q, f->key) || f->result.wire.choice_lost > 0)
		return;
	a->found = true;
	a->key = f->key;
	a->job = f->job;
	for (size_t i = 0; i < f->result.choices.count; i++)
		vec_push(&a->schedule, f->result.choices.items[i]);
}

/* What a search that was broken off has seen is no evidence. */
static void take_campaign(const struct run_fence_query *q, struct run_fence_answer *a,
			  const struct run_campaign *c)
{
	for (size_t i = 0; i < c->findings.count; i++)
		run_fence_take(q, a, c->findings.items[i]);
	if (c->stats.stopped || c->stats.in_trouble || c->stats.runs == 0)
		return;
	a->effort.kind = SEARCH_SAMPLE;
	a->effort.count += c->stats.runs - c->stats.limits;
}

static int search(const struct run_fence_runs *s, struct wire_job *job,
		  const struct run_fence_query *q, struct run_fence_answer *a, struct err *e)
{
	struct run_strategy_opts so = {*job, s->guests};
	struct run_campaign c = RUN_CAMPAIGN_INIT;
	struct run_campaign_opts co = {
		.guest = s->guest,
		.engine = s->engine,
		.strategy = run_strategy_seeds(&so),
		.guests = s->guests,
		.limit_ns = s->limit_ns / 2,
		.keep_going = q->all || q->passed_count > 0,
	};
	int rc = run_campaign(&c, &co, e);

	if (rc == 0) {
		take_campaign(q, a, &c);
		/* PCT spreads its change points over the length of a run. */
		job->expected_steps = c.stats.runs ? c.stats.total_steps / c.stats.runs + 1 : 1;
	}
	run_strategy_free(co.strategy);
	run_campaign_fini(&c);
	return rc;
}

int run_fence_runs(void *arg, const struct run_fence_query *q, struct run_fence_answer *a,
		   struct err *e)
{
	const struct run_fence_runs *s = arg;
	struct wire_job job = s->job;
	int rc;

	job.strategy = STRATEGY_RANDOM;
	job.model = q->model;
	job.runs = s->runs - s->runs / 2;
	job.fence_count = q->fence_count;
	if (q->fence_count > 0)
		memcpy(job.fences, q->fences, q->fence_count * sizeof(job.fences[0]));
	rc = search(s, &job, q, a, e);
	if (rc != 0 || (a->found && !q->all) || a->effort.kind == SEARCH_NONE || s->runs < 2)
		return rc;
	job.strategy = STRATEGY_PCT;
	job.bound = PCT_DEPTH;
	job.runs = s->runs / 2;
	return search(s, &job, q, a, e);
}
