#include "predict/find/analysis.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/limit.h"
#include "base/mem.h"
#include "predict/find/atomic.h"
#include "predict/find/deadlock.h"
#include "predict/find/groups.h"
#include "predict/find/race.h"

struct analysis {
	struct predict_engine *engine;
	const struct predict_opts *opts;
	struct predict_result *out;
	struct predict_groups groups;
	struct predict_question q;
	struct predict_verdict v;
	enum predict_model model; /* of the last verdict */
	struct err *e;
	int code;
};

/* Nothing more is to be decided: the caller's limit, not that of a question. */
static bool is_over(const struct analysis *a)
{
	return limit_reached(a->opts->limits.limit) != LIMIT_NONE;
}

static bool model_counts(const struct analysis *a, enum predict_model model)
{
	if (model == MODEL_CDSR || a->opts->model == MODEL_CDSR)
		return model == MODEL_CDSR;
	return model == MODEL_BRANCH ? a->engine->t->has_branches : a->opts->model == MODEL_CSR;
}

/* Narrowest model first; the wider ones only when they were asked for. */
static void decide(struct analysis *a, const struct predict_question *q)
{
	static const enum predict_model order[] = {MODEL_CDSR, MODEL_BRANCH, MODEL_CSR};
	bool unknown = false;

	for (int i = 0; i < 3 && a->code == 0; i++) {
		if (!model_counts(a, order[i]))
			continue;
		a->model = order[i];
		a->code = predict_decide(a->engine, q, order[i], &a->v, a->e);
		unknown |= a->v.answer == ANSWER_UNKNOWN;
		if (a->v.answer == ANSWER_FEASIBLE)
			return;
	}
	if (unknown)
		a->v.answer = ANSWER_UNKNOWN;
}

static const struct predict_rows *prune_rows(const struct analysis *a)
{
	return a->opts->model == MODEL_CDSR ? a->engine->reads : a->engine->sync;
}

static void keep_runs(const struct predict_trace *t, const struct predict_order *w,
		      struct predict_finding *f)
{
	vec_clear(&f->runs);
	f->steps = w->count;
	for (size_t i = 0; i < w->count; i++) {
		uint32_t thread = t->events.items[w->items[i]].thread;

		if (f->runs.count == 0 || vec_last(&f->runs).thread != thread)
			vec_push(&f->runs, ((struct predict_run){thread, 0}));
		vec_last(&f->runs).count++;
	}
}

void predict_finding_witness(const struct predict_finding *f, const struct predict_trace *t,
			     struct predict_order *out)
{
	uint32_t *done = xcalloc(t->thread_count + 1, sizeof(*done));

	vec_clear(out);
	vec_reserve(out, f->steps + 1);
	for (size_t i = 0; i < f->runs.count; i++) {
		const struct predict_run *r = &f->runs.items[i];

		for (uint32_t k = 0; k < r->count; k++)
			vec_push(out, t->order[t->start[r->thread] + done[r->thread]++]);
	}
	free(done);
}

static void fill(struct analysis *a, struct predict_finding *f, const uint32_t *events, uint32_t n)
{
	f->model = a->model;
	f->answer = a->v.answer;
	f->stage = a->v.stage;
	f->depth = a->v.depth;
	vec_clear(&f->events);
	for (uint32_t i = 0; i < n; i++)
		vec_push(&f->events, events[i]);
	if (a->v.answer == ANSWER_FEASIBLE)
		keep_runs(a->engine->t, &a->v.witness, f);
}

static struct predict_finding *new_finding(struct analysis *a, enum predict_kind kind)
{
	struct predict_finding f;

	memset(&f, 0, sizeof(f));
	f.kind = kind;
	vec_push(&a->out->findings, f);
	return &vec_last(&a->out->findings);
}

/*
 * Decides the question in a->q about these events and files the result in their group.  A group
 * keeps the first feasible tuple, or an unknown one as long as nothing feasible is known.  Returns
 * the answer.
 */
static enum predict_answer settle(struct analysis *a, const uint32_t *events, uint32_t n)
{
	struct predict_totals *totals = &a->out->totals[a->q.kind];
	uint32_t *slot = predict_groups_find(&a->groups, a->engine->t, a->q.kind, events, n);
	struct predict_finding *f = NULL;

	if (*slot != PREDICT_NONE)
		f = &a->out->findings.items[*slot];
	if (f != NULL && f->answer == ANSWER_FEASIBLE && !a->opts->all) {
		totals->skipped++;
		return ANSWER_FEASIBLE;
	}
	if (is_over(a)) {
		totals->left_out++;
		return ANSWER_UNKNOWN;
	}
	decide(a, &a->q);
	if (a->code != 0)
		return ANSWER_UNKNOWN;
	totals->decided[a->v.answer]++;
	if (f == NULL && a->v.answer != ANSWER_INFEASIBLE) {
		*slot = (uint32_t)a->out->findings.count;
		f = new_finding(a, a->q.kind);
		fill(a, f, events, n);
	} else if (f != NULL && f->answer == ANSWER_UNKNOWN && a->v.answer == ANSWER_FEASIBLE) {
		fill(a, f, events, n);
	}
	if (f != NULL) {
		f->tuples++;
		f->feasible += a->v.answer == ANSWER_FEASIBLE;
	}
	return a->v.answer;
}

/* ---- races ---- */

static void races(struct analysis *a)
{
	const struct predict_core *c = a->engine->core;
	uint32_t locs = predict_names_count(&c->t->locs);
	struct predict_totals *totals = &a->out->totals[KIND_RACE];
	struct predict_races list = {.left_out = 0};
	uint64_t listed = 0;

	totals->candidates = predict_race_count(c);
	for (uint32_t loc = 0; loc < locs && a->code == 0; loc++) {
		if (is_over(a)) { /* what is not listed is not looked at */
			totals->left_out += totals->candidates - listed;
			listed = totals->candidates;
			break;
		}
		if (c->accesses.first[loc + 1] - c->accesses.first[loc] < 2)
			continue;
		predict_race_list(c, prune_rows(a), loc, a->opts->pair_limit, &list);
		listed += list.count + list.left_out;
		totals->left_out += list.left_out;
		for (size_t i = 0; i < list.count && a->code == 0; i++) {
			uint32_t pair[2] = {list.items[i].a, list.items[i].b};

			predict_question_race(&a->q, pair[0], pair[1]);
			a->q.strict = a->opts->strict_targets;
			settle(a, pair, 2);
		}
	}
	totals->ordered = totals->candidates - listed;
	vec_free(&list);
}

/* ---- deadlocks ---- */

#define CYCLE_BUDGET UINT64_C(20000000)
#define CYCLE_LIMIT 200000 /* patterns of locks and threads; each may have many instances */
#define ENOUGH 5000	   /* deadlocks that are feasible: nobody reads the rest */

struct instances {
	const struct predict_deadlocks *d;
	const uint32_t *cycle; /* classes */
	uint32_t n;
	uint32_t *pick;	   /* by class of the cycle: index into requests */
	uint32_t *request; /* trace events */
	uint64_t left;
};

/* One of the requests cannot be pending while another one is: the hard order alone says so. */
static bool instance_ordered(const struct analysis *a, const struct instances *in)
{
	const struct predict_core *c = a->engine->core;
	const struct predict_rows *rows = prune_rows(a);

	for (uint32_t i = 0; i < in->n; i++) {
		for (uint32_t j = 0; j < in->n; j++) {
			uint32_t x = c->of[in->request[i]], y = c->of[in->request[j]];

			if (i != j &&
			    predict_rows_before_at(rows, x, c->thread[y]) > predict_core_pos(c, y))
				return true;
		}
	}
	return false;
}

static bool next_instance(struct instances *in)
{
	for (uint32_t i = in->n; i-- > 0;) {
		if (++in->pick[i] < in->d->classes.items[in->cycle[i]].requests.count)
			return true;
		in->pick[i] = 0;
	}
	return false;
}

/* All concrete requests of one abstract pattern until one is feasible. */
static void pattern(struct analysis *a, struct instances *in)
{
	struct predict_totals *totals = &a->out->totals[KIND_DEADLOCK];
	bool more = true;

	while (more && a->code == 0) {
		for (uint32_t i = 0; i < in->n; i++)
			in->request[i] =
				in->d->classes.items[in->cycle[i]].requests.items[in->pick[i]];
		totals->candidates++;
		if (in->left-- == 0) {
			totals->left_out++;
			return;
		}
		if (instance_ordered(a, in)) {
			totals->ordered++;
		} else {
			predict_question_deadlock(&a->q, in->request, in->n);
			if (settle(a, in->request, in->n) == ANSWER_FEASIBLE && !a->opts->all)
				return;
		}
		more = next_instance(in);
	}
}

static void cycle(struct analysis *a, const struct predict_deadlocks *d, const uint32_t *at)
{
	struct instances in = {.d = d, .cycle = at + 1, .n = *at, .left = a->opts->pair_limit};

	in.pick = xcalloc(in.n, sizeof(*in.pick));
	in.request = xcalloc(in.n, sizeof(*in.request));
	pattern(a, &in);
	free(in.pick);
	free(in.request);
}

static void deadlocks(struct analysis *a)
{
	struct predict_totals *totals = &a->out->totals[KIND_DEADLOCK];
	struct predict_deadlocks d = {.cycle_count = 0};

	predict_deadlock_list(a->engine->core, CYCLE_BUDGET, CYCLE_LIMIT, &d);
	if (d.incomplete)
		totals->cut_at = d.complete + 1;
	for (size_t i = 0; i < d.cycles.count && a->code == 0; i += d.cycles.items[i] + 1) {
		if ((totals->decided[ANSWER_FEASIBLE] >= ENOUGH && !a->opts->all) || is_over(a)) {
			totals->cut_at = d.cycles.items[i];
			break;
		}
		cycle(a, &d, d.cycles.items + i);
	}
	predict_deadlock_fini(&d);
}

/* ---- atomicity ---- */

struct triple {
	struct analysis *a;
	const struct predict_atomic_pair *p;
	uint64_t left;
};

static bool with_partner(void *context, uint32_t partner)
{
	struct triple *t = context;
	struct analysis *a = t->a;
	uint32_t events[3] = {t->p->a, partner, t->p->b};
	size_t before = a->out->findings.count;

	a->out->totals[KIND_ATOMICITY].candidates++;
	if (t->left-- == 0) {
		a->out->totals[KIND_ATOMICITY].left_out++;
		return false;
	}
	predict_question_atomicity(&a->q, a->engine->t, events[0], events[1], events[2]);
	settle(a, events, 3);
	if (a->out->findings.count > before)
		vec_last(&a->out->findings).block = t->p->block;
	return a->code == 0;
}

static void atomicity(struct analysis *a)
{
	struct predict_atomic_pairs pairs = VEC_INIT;

	predict_atomic_list(a->engine->core, a->opts->distance, &pairs);
	for (size_t i = 0; i < pairs.count && a->code == 0; i++) {
		struct triple t = {a, &pairs.items[i], a->opts->pair_limit};

		if (is_over(a)) { /* one partner each, at least */
			a->out->totals[KIND_ATOMICITY].candidates += pairs.count - i;
			a->out->totals[KIND_ATOMICITY].left_out += pairs.count - i;
			break;
		}
		predict_atomic_partners(a->engine->core, prune_rows(a), &pairs.items[i],
					with_partner, &t);
	}
	vec_free(&pairs);
}

/* ---- questions of the user ---- */

/* Requests that do not block each other are no deadlock, however they may come to stand together.
 */
static void decide_asked(struct analysis *a, const struct predict_question *q)
{
	if (q->kind != KIND_DEADLOCK ||
	    predict_deadlock_is_stuck(a->engine->t, q->targets.items, (uint32_t)q->targets.count)) {
		decide(a, q);
		return;
	}
	a->model = a->opts->model;
	a->v.answer = ANSWER_INFEASIBLE;
	a->v.stage = STAGE_BUILD;
	a->v.depth = 0;
}

static void asked(struct analysis *a, const struct predict_asks *asks)
{
	for (size_t i = 0; i < asks->count && a->code == 0; i++) {
		const struct predict_ask *ask = &asks->items[i];
		struct predict_question q = ask->q;
		struct predict_finding *f;

		q.strict = a->opts->strict_targets;
		decide_asked(a, &q);
		a->out->totals[q.kind].decided[a->v.answer]++;
		f = new_finding(a, q.kind);
		fill(a, f, ask->events.items, (uint32_t)ask->events.count);
		f->name = xstrdup(ask->name);
		f->tuples = 1;
		f->feasible = f->answer == ANSWER_FEASIBLE;
	}
}

int predict_analyse(struct predict_engine *engine, const struct predict_opts *opts,
		    const struct predict_asks *asks, struct predict_result *out, struct err *e)
{
	struct analysis a = {.engine = engine,
			     .opts = opts,
			     .out = out,
			     .e = e,
			     .q = PREDICT_QUESTION_INIT,
			     .v = PREDICT_VERDICT_INIT};

	engine->limits = opts->limits;
	if (asks != NULL)
		asked(&a, asks);
	if (opts->races && a.code == 0)
		races(&a);
	if (opts->deadlocks && a.code == 0)
		deadlocks(&a);
	if (opts->atomicity && a.code == 0)
		atomicity(&a);
	predict_groups_fini(&a.groups);
	predict_question_fini(&a.q);
	predict_verdict_fini(&a.v);
	return a.code;
}

struct predict_confirmed predict_result_confirmed(const struct predict_result *r)
{
	struct predict_confirmed n = {0, 0, 0};

	for (size_t i = 0; i < r->findings.count; i++) {
		const struct predict_finding *f = &r->findings.items[i];

		if (f->answer != ANSWER_FEASIBLE || f->suppressed)
			continue;
		n.feasible++;
		n.run += f->confirmation != NULL;
		n.confirmed += f->confirmed;
		assert(!f->confirmed || f->confirmation != NULL);
	}
	return n;
}

void predict_result_fini(struct predict_result *r)
{
	free(r->not_run);
	for (size_t i = 0; i < r->findings.count; i++) {
		free(r->findings.items[i].name);
		free(r->findings.items[i].confirmation);
		free(r->findings.items[i].bundle);
		vec_free(&r->findings.items[i].events);
		vec_free(&r->findings.items[i].runs);
	}
	vec_free(&r->findings);
}
