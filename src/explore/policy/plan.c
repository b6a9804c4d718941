#include "explore/policy/plan.h"

#include <assert.h>

#include "base/limit.h"
#include "explore/policy/bounds.h"
#include "explore/policy/dependences.h"
#include "explore/policy/explore.h"

#define RUNS_DEFAULT_DFS 100000
#define SEARCH_NS UINT64_C(60000000000)
/* What a search may hold; the guests have their own memory. */
#define SEARCH_BYTES (UINT64_C(640) << 20)
/*
 * What is drawn before it and beside it: little at first, because a small program is searched in
 * less time, then always the same part of the work.  Work is counted, not measured, so that the same
 * seed gives the same answer.
 */
#define FIRST_RUNS 192
#define FIRST_NS UINT64_C(700000000)
#define FIRST_SHARE 8	      /* no more than this part of the time */
#define FIRST_STEPS 20000     /* of a run */
#define FIRST_SLICE 60000     /* work of the search before it is interrupted */
#define SLICE_GROWTH 2
#define MOST_IN_A_SLICE 40000000
#define DRAWN_PER_WORK 3      /* steps drawn for each unit of work */
/*
 * Schedules with few delays: beside a search that lasts.  A step of many threads takes the search long,
 * so that it lasts after less of them, and each is worth more.
 */
#define DELAYS_FROM 8000000   /* work, for one thread */
#define DELAYS_THREADS 4      /* so many threads make a step worth once more */
#define LEAST_DELAYED 1000000 /* steps after a search that ended early */

struct work {
	const struct check_plan *plan;
	const struct check_means *means;
	struct check_outcome *out;
	struct err *e;
	struct run_guest *guest;  /* of the search, and of what is drawn before it */
	struct run_guest *drawer; /* of what is drawn beside it */
	uint64_t max_steps;	  /* of a drawn run */
	uint64_t ticks, worked;	  /* of the search; work when it was interrupted last */
	uint64_t next_work;
	struct limit limit;	  /* of the search and all beside it */
	struct check_bounds bounds;
	int rc; /* of a campaign beside the search */
};

/* ---- drawn schedules ---- */

uint64_t check_plan_runs(const struct check_plan *plan)
{
	if (plan->runs || plan->time_ns)
		return plan->runs;
	return plan->strategy == STRATEGY_DFS ? RUNS_DEFAULT_DFS : CHECK_RUNS_DEFAULT;
}

/* As out->job says.  limit_ns: of this strategy; 0: that of the command. */
static int draw(struct work *w, uint64_t limit_ns, struct run_guest *guest)
{
	const struct check_means *m = w->means;
	bool dfs = w->out->job.strategy == STRATEGY_DFS;
	struct run_strategy_opts so = {w->out->job, w->plan->jobs};
	struct run_campaign_opts co = {
		.guest = *m->guest,
		.engine = m->engine,
		.first = guest,
		.strategy = dfs ? run_strategy_dfs(&so) : run_strategy_seeds(&so),
		.guests = w->plan->jobs,
		.limit_ns = limit_ns,
		.keep_going = w->plan->keep_going,
		.progress = m->draw_progress,
		.arg = m->arg,
	};
	int rc;

	if (w->plan->strategy == CHECK_EXHAUSTIVE)
		co.guest.limit = &w->limit;
	m->draws(m->arg, w->out->job.runs);
	rc = run_campaign(&w->out->campaign, &co, w->e);
	m->drawn(m->arg);
	run_strategy_free(co.strategy);
	return rc;
}

static int draw_as_planned(struct work *w)
{
	w->out->job.runs = check_plan_runs(w->plan);
	return draw(w, 0, NULL);
}

static bool is_settled(const struct work *w)
{
	const struct run_campaign *c = &w->out->campaign;

	return (c->findings.count > 0 && !w->plan->keep_going) || c->stats.in_trouble ||
	       c->stats.stopped;
}

/* What was drawn tells how it ends; who interrupts it wants to hear of the search. */
static bool has_answer(const struct work *w)
{
	return is_settled(w) && !w->out->campaign.stats.stopped;
}

static bool came_to_no_end(const struct run_stats *s)
{
	return s->runs > 0 && s->limits == s->runs;
}

/* As many of the mixture, the seeds after those drawn before; out->job says how it was. */
static int draw_more(struct work *w, uint64_t runs, uint64_t limit_ns, struct run_guest *guest)
{
	const struct wire_job asked = w->out->job;
	struct run_campaign *c = &w->out->campaign;
	struct wire_job *job = &w->out->job;
	int rc;

	job->strategy = STRATEGY_MIX;
	job->bound = (uint32_t)w->plan->depth;
	job->runs = runs;
	job->max_steps = w->max_steps;
	job->seed = asked.seed + c->stats.runs;
	rc = draw(w, limit_ns, guest);
	job->seed = asked.seed;
	if (c->findings.count == 0 || w->plan->keep_going)
		*job = asked;
	return rc;
}

/*
 * Shallow failures show in a few schedules.  Runs are cut short, unless all of them are longer: then
 * no search is likely to reach its end, and what is drawn has to come to one.
 */
static int draw_first(struct work *w)
{
	const uint64_t asked = w->out->job.max_steps;
	uint64_t share = (w->plan->time_ns ? w->plan->time_ns : SEARCH_NS) / FIRST_SHARE;
	uint64_t limit_ns = share < FIRST_NS ? share : FIRST_NS;
	struct run_campaign *c = &w->out->campaign;
	int rc;

	w->out->has_drawn = true;
	w->max_steps = asked == 0 || asked > FIRST_STEPS ? FIRST_STEPS : asked;
	rc = draw_more(w, FIRST_RUNS, limit_ns, w->guest);
	if (rc == 0 && w->max_steps != asked && !is_settled(w) && came_to_no_end(&c->stats)) {
		w->max_steps = asked;
		rc = draw_more(w, FIRST_RUNS, share, w->guest);
	}
	c->stats.out_of_time = false;
	return rc;
}

/* ---- beside the search ---- */

static uint64_t runs_worth(const struct run_stats *s, uint64_t steps)
{
	uint64_t each = s->runs ? s->total_steps / s->runs + 1 : 1;

	return steps / each + 1;
}

/* All schedules with few delays: goes on for so many steps.  Non-zero: that failed, or an interrupt. */
static int deepen(struct work *w, uint64_t steps)
{
	struct check_bounds *b = &w->bounds;

	if (b->over)
		return 0;
	b->guest_opts = *w->means->guest;
	b->guest_opts.limit = &w->limit;
	b->engine = w->means->engine;
	b->job = w->out->job;
	b->keep_going = w->plan->keep_going;
	b->progress = w->means->draw_progress;
	b->arg = w->means->arg;
	w->means->draws(w->means->arg, 0);
	w->rc = check_bounds_go_on(b, steps, w->e);
	w->means->drawn(w->means->arg);
	return w->rc || check_bounds_has_failed(b) || b->campaign.stats.stopped;
}

static uint64_t delayed_worth(uint32_t threads, uint64_t work, uint64_t steps)
{
	if (work < DELAYS_FROM / (threads + 1))
		return 0;
	return steps + steps * threads / DELAYS_THREADS;
}

/* Non-zero ends the search: what was drawn has failed, or cannot go on. */
static int draw_beside(struct work *w, uint64_t work, const struct product_stats *s)
{
	struct run_campaign *c = &w->out->campaign;
	uint64_t steps = (work - w->worked) * DRAWN_PER_WORK;

	if (steps > MOST_IN_A_SLICE)
		steps = MOST_IN_A_SLICE;
	w->worked = work;
	w->next_work = work * SLICE_GROWTH;
	if (w->next_work - work > MOST_IN_A_SLICE / DRAWN_PER_WORK)
		w->next_work = work + MOST_IN_A_SLICE / DRAWN_PER_WORK;
	if (!w->drawer)
		w->rc = run_guest_new(w->means->guest, &w->drawer, w->e);
	if (w->rc == 0)
		w->rc = draw_more(w, runs_worth(&c->stats, steps), 0, w->drawer);
	c->stats.out_of_time = false;
	if (w->rc || is_settled(w))
		return 1;
	steps = delayed_worth(s->threads, work, steps);
	return steps ? deepen(w, steps) : 0;
}

static int search_progress(void *arg, const struct check_stats *s)
{
	struct work *w = arg;
	uint64_t work = ++w->ticks * 1024 + s->events;
	int stop = w->means->search_progress ? w->means->search_progress(w->means->arg, s) : 0;

	if (stop || !w->out->has_drawn || work < w->next_work)
		return stop;
	return draw_beside(w, work, &s->product);
}

/* A program that the search cannot hold still deserves many schedules. */
static int draw_instead(struct work *w)
{
	w->max_steps = w->out->job.max_steps;
	return draw_more(w, CHECK_RUNS_DEFAULT, 0, w->drawer);
}

/*
 * The search ended with time left and cannot go on: the program does what is not modelled, memory is
 * up, or limits cut every execution off.
 */
static bool is_stuck(const struct check_result *r)
{
	if (r->complete || r->findings.count)
		return false;
	return r->unmodelled || r->out_of_memory ||
	       (r->stats.product.limited && r->stats.product.states == 0);
}

/* ---- everything ---- */

const char *check_plan_algorithm(const struct check_plan *plan)
{
	if (plan->algorithm <= CHECK_LEARN)
		return "learn";
	return explore_algorithm_name((enum explore_algorithm)(plan->algorithm - CHECK_OTHERS));
}

static int search_with(struct work *w, struct check_opts *co)
{
	const struct check_plan *plan = w->plan;
	struct static_deps *deps = NULL;
	int rc;

	if (plan->algorithm <= CHECK_LEARN)
		return check_search(co, &w->out->result, w->e);
	if (plan->static_deps != EXPLORE_STATIC_OFF) {
		rc = dependences_make(w->means->program->path, &deps, w->e);
		if (rc)
			return rc;
		co->static_deps = (enum explore_static)plan->static_deps;
		co->depends = static_deps_depends;
		co->depends_arg = deps;
	}
	rc = check_explore(co, (enum explore_algorithm)(plan->algorithm - CHECK_OTHERS),
			   &w->out->result, w->e);
	static_deps_free(deps);
	return rc;
}

static int search(struct work *w)
{
	const struct check_plan *plan = w->plan;
	struct limit limit = w->limit;
	struct run_guest_opts others = *w->means->guest;
	struct check_opts co = {
		.engine = w->means->engine,
		.guest_opts = &others,
		.jobs = plan->jobs,
		.job = w->out->job,
		.all = plan->keep_going,
		.races = plan->races,
		.stop_on_race = plan->stop_on_race,
		.loop_bound = (uint32_t)plan->loop_bound,
		.preemptions = plan->preemptions == CHECK_NO_BOUND ? -1 : (int64_t)plan->preemptions,
		.max_executions = plan->max_executions,
		.limit = &limit,
		.guest = w->guest,
		.progress = search_progress,
		.arg = w,
	};
	int rc;

	w->next_work = FIRST_SLICE;
	limit.max_bytes = SEARCH_BYTES;
	run_guest_limit(co.guest, &limit);
	others.limit = &limit;
	w->out->is_exhaustive = true;
	rc = search_with(w, &co);
	run_guest_limit(co.guest, &w->limit);
	/* What was drawn beside it has ended the search: that is the answer. */
	if (rc == 0 && has_answer(w))
		w->out->is_exhaustive = false;
	return rc ? rc : w->rc;
}

/* The search has no answer, and there may be time left. */
static int go_on_without(struct work *w)
{
	const struct check_result *r = &w->out->result;
	const struct run_stats *s = &w->out->campaign.stats;
	uint64_t steps;
	int rc = 0;

	if (r->complete || (r->findings.count && !w->plan->keep_going))
		return 0;
	if (is_stuck(r))
		rc = draw_instead(w);
	if (rc || is_settled(w))
		return rc;
	steps = s->total_steps > LEAST_DELAYED ? s->total_steps : LEAST_DELAYED;
	/* Who has waited until memory was up waits until the time is. */
	deepen(w, r->out_of_memory ? UINT64_MAX : steps);
	return w->rc;
}

/* Their findings are told with those of the schedules that were drawn. */
static void take_over_delays(struct work *w)
{
	struct check_bounds *b = &w->bounds;
	bool fails = check_bounds_has_failed(b);

	w->out->delays.runs = b->campaign.stats.runs;
	/* What was not seen may have made others. */
	if (!run_engine_unseen(w->means->engine)) {
		w->out->delays.done = b->done;
		w->out->delays.schedules = b->runs_done;
		w->out->delays.all = b->all;
	}
	w->out->campaign.stats.failures += b->campaign.stats.failures;
	w->out->campaign.stats.stopped |= b->campaign.stats.stopped;
	for (size_t i = 0; i < b->campaign.findings.count; i++)
		vec_push(&w->out->campaign.findings, b->campaign.findings.items[i]);
	vec_clear(&b->campaign.findings);
	if (fails) {
		w->out->is_exhaustive = false;
		w->out->job = vec_last(&w->out->campaign.findings)->job;
	}
}

static int search_all(struct work *w)
{
	bool any = w->plan->algorithm == CHECK_ANY;
	int rc = run_guest_new(w->means->guest, &w->guest, w->e);

	w->limit = limit_within(w->means->limit, w->plan->time_ns ? 0 : SEARCH_NS);

	if (rc == 0 && any)
		rc = draw_first(w);
	if (rc == 0 && !is_settled(w)) {
		rc = search(w);
		if (rc == 0 && any && !is_settled(w) && !check_bounds_has_failed(&w->bounds))
			rc = go_on_without(w);
	}
	if (w->bounds.guest)
		take_over_delays(w);
	check_bounds_fini(&w->bounds);
	run_guest_free(w->drawer);
	run_guest_free(w->guest);
	return rc;
}

int check_carry_out(const struct check_plan *plan, const struct check_means *means,
		    struct check_outcome *out, struct err *e)
{
	struct work w = {.plan = plan, .means = means, .out = out, .e = e};
	int rc;

	assert(plan->jobs > 0);
	out->job = means->job;
	out->ns = limit_now();
	rc = plan->strategy == CHECK_EXHAUSTIVE ? search_all(&w) : draw_as_planned(&w);
	out->ns = limit_now() - out->ns;
	return rc;
}

void check_outcome_fini(struct check_outcome *out)
{
	run_campaign_fini(&out->campaign);
	check_result_fini(&out->result);
}
