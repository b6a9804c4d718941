#include "run/fleet/campaign.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/limit.h"
#include "base/log.h"
#include "run/fleet/fleet.h"

/* A guest comes back at least so often, for progress, limits and better findings of others. */
#define SLICE_NS UINT64_C(200000000)
/* More distinct failures than anybody reads. */
#define MAX_FINDINGS 64
/* Jobs in a row that end without one run. */
#define MAX_IDLE 3

struct campaign {
	const struct run_campaign_opts *opts;
	struct run_campaign *out;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	/* Between jobs; a run under way is given up only for the guests' own limit. */
	struct limit limit;
	uint64_t begin_ns;
	uint64_t orders;  /* handed out */
	unsigned out_now; /* orders being carried out */
	uint64_t cutoff;  /* orders above it need not be carried out any more */
	bool over;
	int rc;
	struct err err;
};

/* One order on its way; belongs to one worker. */
struct carrier {
	struct campaign *c;
	struct run_guest *guest;
	struct run_order order;
	struct wire_job left; /* what remains of it */
	struct run_result result;
	unsigned idle;
	uint64_t known[WIRE_MAX_KNOWN]; /* keys of the guest's known failures */
};

static void lock(struct campaign *c)
{
	pthread_mutex_lock(&c->lock);
}

static void unlock(struct campaign *c)
{
	pthread_mutex_unlock(&c->lock);
}

static void finish(struct campaign *c)
{
	c->over = true;
	pthread_cond_broadcast(&c->changed);
}

/* Ends the campaign when a limit is reached. */
static void look_at_limit(struct campaign *c)
{
	enum limit_reason reason = limit_reached(&c->limit);

	c->out->stats.out_of_time |= reason == LIMIT_TIME;
	c->out->stats.stopped |= reason == LIMIT_STOP;
	if (reason != LIMIT_NONE)
		finish(c);
}

static bool comes_before(const struct run_finding *a, uint64_t order, uint64_t run)
{
	return a->order != order ? a->order < order : a->run < run;
}

static struct run_finding *find(struct run_campaign *out, uint64_t key)
{
	for (size_t i = 0; i < out->findings.count; i++)
		if (out->findings.items[i]->key == key)
			return out->findings.items[i];
	return NULL;
}

/* Takes over the buffers of the carrier's result. */
static void fill_finding(struct run_finding *f, struct carrier *k, uint64_t run)
{
	run_result_free(&f->result);
	f->order = k->order.number;
	f->run = run;
	f->job = k->order.job;
	f->job.seed = k->result.wire.seed;
	if (f->job.strategy == STRATEGY_MIX && k->result.wire.drawn_by <= STRATEGY_MIX)
		f->job.strategy = k->result.wire.drawn_by;
	f->result = k->result;
	k->result = (struct run_result)RUN_RESULT_INIT;
}

static void add_finding(struct carrier *k, uint64_t run)
{
	struct run_campaign *out = k->c->out;
	uint64_t key = run_result_key(&k->result);
	struct run_finding *f = find(out, key);

	if (!f && out->findings.count >= MAX_FINDINGS)
		return;
	if (!f) {
		f = xcalloc(1, sizeof(*f));
		f->key = key;
		fill_finding(f, k, run);
		vec_push(&out->findings, f);
	} else if (!comes_before(f, k->order.number, run)) {
		fill_finding(f, k, run);
	}
	f->count++;
	if (!k->c->opts->keep_going && k->order.number < k->c->cutoff)
		k->c->cutoff = k->order.number;
}

/* Failures the guest met again, and went on; the one that ended the job gets its key. */
static void add_known(struct carrier *k)
{
	const struct run_result *r = &k->result;

	for (size_t i = 0; i < r->known.count; i++) {
		struct run_finding *f =
			r->known.items[i].count ? find(k->c->out, k->known[i]) : NULL;

		if (f)
			f->count += r->known.items[i].count;
		k->c->out->stats.failures += r->known.items[i].count;
	}
	if (r->verdict == RUN_FAILURE && r->wire.known_new > 0)
		k->known[r->wire.known_new - 1] = run_result_key(r);
}

static void add_counts(struct campaign *c, const struct wire_result *w)
{
	struct run_stats *s = &c->out->stats;

	s->runs += w->runs;
	s->limits += w->limits;
	s->assumes += w->assumes;
	s->total_steps += w->total_steps;
	if (w->max_steps_seen > s->max_steps)
		s->max_steps = w->max_steps_seen;
	s->exhausted |= w->exhausted == EXHAUSTED_ALL;
	s->not_all |= w->exhausted > EXHAUSTED_ALL;
	s->ns = limit_now() - c->begin_ns;
	if (c->opts->progress)
		c->opts->progress(c->opts->arg, s);
}

static void in_trouble(struct campaign *c, const struct run_result *r)
{
	struct run_stats *s = &c->out->stats;

	look_at_limit(c);
	if (r->verdict != RUN_STOPPED && !s->in_trouble) {
		s->in_trouble = true;
		s->verdict = r->verdict;
		snprintf(s->reason, sizeof(s->reason), "%s", r->reason);
	}
	finish(c);
}

static void advance(struct carrier *k)
{
	uint64_t runs = k->result.wire.runs;

	k->left.runs -= runs < k->left.runs ? runs : k->left.runs;
	if (k->left.strategy != STRATEGY_DFS)
		k->left.seed += runs;
	/* Strategies that keep something over runs go on with it. */
	k->left.flags |= JOB_DFS_RESUME;
	k->idle = runs == 0 ? k->idle + 1 : 0;
	if (k->idle >= MAX_IDLE && k->result.verdict == RUN_CLEAN)
		run_result_set(&k->result, RUN_TROUBLE, "the guest completes no run");
}

/* Takes in the result of one job; true when the order needs another one.  Under the lock. */
static bool take_result(struct carrier *k)
{
	struct campaign *c = k->c;
	uint64_t run = k->order.job.runs - k->left.runs + k->result.wire.runs;
	bool exhausted = k->result.wire.exhausted != 0;

	add_counts(c, &k->result.wire);
	add_known(k);
	advance(k);
	switch (k->result.verdict) {
	case RUN_CLEAN:
	case RUN_LIMIT:
		break;
	case RUN_FAILURE:
		c->out->stats.failures++;
		add_finding(k, run);
		if (!c->opts->keep_going)
			return false;
		break;
	default:
		in_trouble(c, &k->result);
		return false;
	}
	look_at_limit(c);
	return !exhausted && k->left.runs > 0 && !c->over && k->order.number <= c->cutoff;
}

static bool carry_once(struct carrier *k)
{
	struct campaign *c = k->c;
	struct err err = ERR_INIT;
	bool more;
	int rc;

	if (c->opts->keep_going)
		k->left.flags |= JOB_SKIP_KNOWN;
	k->left.deadline = limit_now() + SLICE_NS;
	if (c->limit.end_ns && c->limit.end_ns < k->left.deadline)
		k->left.deadline = c->limit.end_ns;
	rc = run_engine_job(c->opts->engine, k->guest, &k->left, k->order.follow, &k->result, &err);
	lock(c);
	if (rc != 0 && c->rc == 0) {
		c->rc = rc;
		c->err = err;
	}
	if (rc != 0)
		finish(c);
	more = rc == 0 && take_result(k);
	unlock(c);
	return more;
}

/* Waits for an order; 0 when there will be none any more. */
static int take_order(struct carrier *k)
{
	struct campaign *c = k->c;
	struct run_strategy *s = c->opts->strategy;
	int got = 0;

	lock(c);
	while (!c->over && c->cutoff == UINT64_MAX) {
		bool room = s->parallel == 0 || c->out_now < s->parallel;

		k->order = (struct run_order){.number = c->orders};
		got = room && s->next(s, &k->order) > 0;
		if (got || c->out_now == 0)
			break;
		pthread_cond_wait(&c->changed, &c->lock);
	}
	c->orders += (uint64_t)got;
	c->out_now += (unsigned)got;
	unlock(c);
	return got;
}

static void return_order(struct carrier *k)
{
	struct campaign *c = k->c;

	lock(c);
	c->opts->strategy->done(c->opts->strategy, &k->order, &k->result);
	c->out_now--;
	pthread_cond_broadcast(&c->changed);
	unlock(c);
}

static void work(struct carrier *k)
{
	while (take_order(k)) {
		k->left = k->order.job;
		k->idle = 0;
		while (carry_once(k))
			continue;
		return_order(k);
	}
}

static void worker(void *arg, unsigned number, struct run_guest *guest)
{
	struct carrier k = {.c = arg, .guest = guest, .result = RUN_RESULT_INIT};

	work(&k);
	run_result_free(&k.result);
}

static int by_rank(const void *a, const void *b)
{
	const struct run_finding *x = *(struct run_finding *const *)a;
	const struct run_finding *y = *(struct run_finding *const *)b;

	if (x->order == y->order && x->run == y->run)
		return 0;
	return comes_before(x, y->order, y->run) ? -1 : 1;
}

/* What lies above the first failure was found by chance of timing. */
static void tidy(struct campaign *c)
{
	struct run_campaign *out = c->out;

	if (out->findings.count > 1)
		qsort(out->findings.items, out->findings.count, sizeof(*out->findings.items),
		      by_rank);
	while (!c->opts->keep_going && out->findings.count > 1) {
		struct run_finding *f = vec_pop(&out->findings);

		run_result_free(&f->result);
		free(f);
	}
	if (!c->opts->keep_going && out->findings.count > 0)
		out->findings.items[0]->count = 1;
	out->stats.ns = limit_now() - c->begin_ns;
}

static int run_workers(struct campaign *c, struct err *e)
{
	struct run_fleet fleet;
	int rc = run_fleet_init(&fleet, c->opts->first, &c->opts->guest, c->opts->guests, e);

	if (rc == 0)
		run_fleet_work(&fleet, c->opts->guests, worker, c);
	run_fleet_fini(&fleet);
	if (rc == 0 && c->rc != 0 && e)
		*e = c->err;
	return rc ? rc : c->rc;
}

int run_campaign(struct run_campaign *out, const struct run_campaign_opts *o, struct err *e)
{
	struct campaign c = {
		.opts = o,
		.out = out,
		.cutoff = UINT64_MAX,
		.limit = limit_within(o->guest.limit, o->limit_ns),
	};
	int rc;

	pthread_mutex_init(&c.lock, NULL);
	pthread_cond_init(&c.changed, NULL);
	c.begin_ns = limit_now() - out->stats.ns; /* of campaigns before it, which count on */
	rc = run_workers(&c, e);
	tidy(&c);
	pthread_cond_destroy(&c.changed);
	pthread_mutex_destroy(&c.lock);
	return rc;
}

void run_campaign_fini(struct run_campaign *c)
{
	for (size_t i = 0; i < c->findings.count; i++) {
		run_result_free(&c->findings.items[i]->result);
		free(c->findings.items[i]);
	}
	vec_free(&c->findings);
}
