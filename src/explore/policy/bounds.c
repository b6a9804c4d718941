#include "explore/policy/bounds.h"

/* More delays than anybody waits for; the guest counts them in 16 bits. */
#define MOST_DELAYS 1000

bool check_bounds_has_failed(const struct check_bounds *b)
{
	return b->campaign.findings.count > 0 && !b->keep_going;
}

static uint64_t runs_worth(const struct run_stats *s, uint64_t steps)
{
	uint64_t each = s->runs ? s->total_steps / s->runs + 1 : 1;

	return steps / each + 1;
}

/* A finding says in which run of its slice it was; people count from the first of the bound. */
static void number_finding(struct check_bounds *b, uint64_t before)
{
	if (check_bounds_has_failed(b))
		b->campaign.findings.items[0]->run += before;
}

/* One slice of the current bound. */
static int run_slice(struct check_bounds *b, uint64_t runs, struct err *e)
{
	const uint64_t before = b->campaign.stats.runs - b->begun;
	struct run_strategy_opts so = {b->job, 1};
	struct run_campaign_opts co = {
		.guest = b->guest_opts,
		.engine = b->engine,
		.first = b->guest,
		.guests = 1,
		.keep_going = b->keep_going,
		.progress = b->progress,
		.arg = b->arg,
	};
	int rc;

	if (!b->resumes)
		b->engine_before = run_engine_now(b->engine);
	so.job.strategy = STRATEGY_DFS;
	so.job.flags |= JOB_DELAY_BOUND | (b->resumes ? JOB_DFS_RESUME : 0);
	so.job.bound = b->done;
	so.job.runs = runs;
	co.strategy = run_strategy_dfs(&so);
	b->campaign.stats.exhausted = false;
	rc = run_campaign(&b->campaign, &co, e);
	run_strategy_free(co.strategy);
	number_finding(b, before);
	b->resumes = true;
	return rc;
}

/*
 * The bound is exhausted.  When it has no more schedules than the one before, none has as many
 * delays; then none has more, because without its last delay it would have one less.  An engine
 * that took over on the way began anew, and nobody knows how many there were.
 */
static void end_bound(struct check_bounds *b)
{
	const struct run_stats *s = &b->campaign.stats;
	uint64_t runs = s->runs - b->begun;

	b->all = b->engine_before == run_engine_now(b->engine) && runs == b->runs_done;
	b->runs_done = b->engine_before == run_engine_now(b->engine) ? runs : 0;
	b->done++;
	b->resumes = false;
	b->begun = s->runs;
	b->over = b->all || b->done > MOST_DELAYS;
}

int check_bounds_go_on(struct check_bounds *b, uint64_t steps, struct err *e)
{
	const struct run_stats *s = &b->campaign.stats;
	const uint64_t from = s->total_steps;
	int rc = 0;

	if (!b->over && !b->guest)
		rc = run_guest_new(&b->guest_opts, &b->guest, e);
	while (rc == 0 && !b->over && !check_bounds_has_failed(b) &&
	       s->total_steps - from < steps) {
		rc = run_slice(b, runs_worth(s, steps - (s->total_steps - from)), e);
		/* A run that was cut off is not known to its end, nor are deeper ones. */
		b->over = s->in_trouble || s->limits > 0 || s->not_all;
		if (rc == 0 && s->exhausted && !b->over)
			end_bound(b);
		if (s->out_of_time || s->stopped)
			break;
	}
	return rc;
}

void check_bounds_fini(struct check_bounds *b)
{
	run_guest_free(b->guest);
	run_campaign_fini(&b->campaign);
}
