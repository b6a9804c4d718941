#include "predict/order/decide.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/limit.h"
#include "base/mem.h"
#include "predict/order/check.h"
#include "predict/order/search.h"
#include "predict/order/sync.h"

struct predict_engine *predict_engine_new(const struct predict_trace *t, const uint8_t *keep)
{
	struct predict_engine *e = xcalloc(1, sizeof(*e));
	struct predict_base base;

	e->t = t;
	e->limits = (struct predict_limits)PREDICT_LIMITS_INIT;
	e->core = predict_core_new(t, keep);
	e->sync = predict_rows_new(e->core, ROWS_SYNC);
	e->reads = predict_rows_new(e->core, ROWS_READS);
	e->direct = predict_rows_new(e->core, ROWS_DIRECT);
	base = (struct predict_base){e->core, e->sync, e->reads, e->direct};
	e->graph = predict_graph_new(&base);
	return e;
}

void predict_engine_free(struct predict_engine *e)
{
	if (e == NULL)
		return;
	predict_graph_free(e->graph);
	predict_cp_free(e->cp);
	predict_rows_free(e->direct);
	predict_rows_free(e->hb);
	predict_rows_free(e->reads);
	predict_rows_free(e->sync);
	predict_core_free(e->core);
	free(e);
}

const struct predict_rows *predict_engine_hb(struct predict_engine *e)
{
	if (e->hb == NULL)
		e->hb = predict_rows_new(e->core, ROWS_HB);
	return e->hb;
}

const struct predict_cp *predict_engine_cp(struct predict_engine *e)
{
	if (e->cp == NULL)
		e->cp = predict_cp_new(e->core, predict_engine_hb(e));
	return e->cp;
}

struct decision {
	struct predict_engine *e;
	const struct predict_question *q;
	enum predict_model model;
	struct predict_verdict *v;
	struct predict_linear linear;
	double started, stage_started;
};

static bool enabled(const struct decision *d, enum predict_stage stage)
{
	return d->e->limits.stages & (1u << stage);
}

static void enter(struct decision *d, enum predict_stage stage)
{
	double t = clock_cpu();

	d->e->stage_seconds[d->v->stage] += t - d->stage_started;
	d->stage_started = t;
	d->v->stage = stage;
	d->e->stage_tried[stage]++;
}

static void answer(struct decision *d, enum predict_answer a)
{
	d->v->answer = a;
}

static void accept(struct decision *d)
{
	predict_linear_expand(d->e->core, d->q, d->linear.order.items, d->linear.order.count,
			      &d->v->witness);
	answer(d, ANSWER_FEASIBLE);
}

/* ---- sync ---- */

static bool sync_applies(const struct predict_trace *t, const struct predict_question *q)
{
	for (size_t i = 0; i < q->targets.count; i++) {
		uint32_t e = q->targets.items[i];

		/* What the step does before it has conditions of its own. */
		if (predict_trace_access(t, e) != predict_trace_head(t, e))
			return false;
	}
	return q->required.count == 0 && q->order.count == 0 && !q->strict;
}

static bool try_sync(struct decision *d)
{
	const struct predict_core *c = d->e->core;
	const struct predict_rows *rows = d->model == MODEL_CSR ? d->e->sync : d->e->reads;
	uint32_t *cut = xcalloc(c->threads + 1, sizeof(*cut));
	bool found = predict_sync_closure(c, rows, d->q, cut);

	for (uint32_t i = 0; i < c->n && found; i++) {
		uint32_t e = c->by_trace[i];

		if (predict_core_pos(c, e) < cut[c->thread[e]])
			vec_push(&d->linear.order, e);
	}
	free(cut);
	if (found)
		accept(d);
	return found;
}

/* ---- completions ---- */

static void prefer_cp(struct decision *d)
{
	const struct predict_core *c = d->e->core;
	const struct predict_cp *cp = predict_engine_cp(d->e);
	struct predict_graph *g = d->e->graph;

	for (uint32_t e = 0; e < c->n && !predict_graph_conflict(g); e++) {
		const struct predict_index *x = c->shared[e] ? &c->exclusives : &c->sections;

		if (c->op[e] != OP_ACQ ||
		    predict_core_pos(c, e) >= predict_graph_cut(g, c->thread[e]))
			continue;
		for (uint32_t i = x->first[c->object[e]]; i < x->first[c->object[e] + 1]; i++) {
			const struct predict_group *group = &x->groups[i];
			uint32_t a = predict_core_last_below(c, x, group,
							     predict_graph_cut(g, group->thread));

			while (a != PREDICT_NONE && (c->match[a] == PREDICT_NONE ||
						     !predict_cp_before(cp, c->match[a], e)))
				a = predict_core_last_below(c, x, group, predict_core_pos(c, a));
			if (a != PREDICT_NONE && group->thread != c->thread[e])
				predict_graph_require(g, c->match[a], e);
		}
	}
}

static bool try_completion(struct decision *d, enum predict_stage stage)
{
	struct predict_graph *g = d->e->graph;
	struct predict_graph_mark m = predict_graph_mark(g);
	uint8_t *late = NULL;
	bool found = true;

	if (stage == STAGE_CP) {
		prefer_cp(d);
		found = predict_graph_propagate(g);
	}
	if (stage != STAGE_TRACE) {
		late = xcalloc(d->e->core->threads + 1, 1);
		for (size_t i = 0; i < d->q->targets.count; i++)
			late[d->e->t->events.items[d->q->targets.items[i]].thread] = 1;
	}
	d->linear.late = late;
	found = found && predict_linear_run(g, &d->linear);
	d->linear.late = NULL;
	free(late);
	predict_graph_undo(g, m);
	d->v->nodes++;
	if (found)
		accept(d);
	return found;
}

static bool nothing_open(void *context, const struct predict_poly *p)
{
	(void)p;
	*(bool *)context = false;
	return false;
}

static bool closed(const struct predict_graph *g)
{
	bool none = true;

	predict_graph_open(g, nothing_open, &none);
	return none;
}

/* ---- the stages in order; true when one has decided ---- */

static bool by_order(struct decision *d)
{
	struct predict_graph *g = d->e->graph;

	if (enabled(d, STAGE_SYNC) && sync_applies(d->e->t, d->q)) {
		enter(d, STAGE_SYNC);
		if (try_sync(d))
			return true;
	}
	enter(d, STAGE_BUILD);
	if (!predict_graph_begin(g, d->q, d->model, false)) {
		answer(d, ANSWER_INFEASIBLE);
		return true;
	}
	enter(d, STAGE_CLOSURE);
	d->v->nodes++;
	if (!predict_graph_propagate(g)) {
		answer(d, ANSWER_INFEASIBLE);
		return true;
	}
	return false;
}

static bool by_completion(struct decision *d)
{
	static const enum predict_stage order[] = {STAGE_TRACE, STAGE_CP, STAGE_LATE};

	if (closed(d->e->graph) && try_completion(d, STAGE_TRACE))
		return true;
	for (size_t i = 0; i < sizeof(order) / sizeof(order[0]); i++) {
		if (!enabled(d, order[i]))
			continue;
		enter(d, order[i]);
		if (try_completion(d, order[i]))
			return true;
	}
	return false;
}

static bool by_search(struct decision *d)
{
	struct predict_search s = {
		.g = d->e->graph,
		.nodes_left = d->e->limits.nodes,
		.deadline = clock_now() + d->e->limits.seconds,
		.limit = d->e->limits.limit,
	};
	enum predict_answer a;

	for (uint32_t depth = 1; enabled(d, STAGE_LOOKAHEAD) && depth <= d->e->limits.lookahead;
	     depth++) {
		enter(d, STAGE_LOOKAHEAD);
		d->v->depth = depth;
		if (!predict_search_probe(&s, depth)) {
			d->v->nodes += d->e->limits.nodes - s.nodes_left;
			answer(d, ANSWER_INFEASIBLE);
			return true;
		}
	}
	if (!enabled(d, STAGE_SEARCH))
		return false;
	enter(d, STAGE_SEARCH);
	a = predict_search_run(&s);
	d->v->nodes += d->e->limits.nodes - s.nodes_left;
	if (a == ANSWER_FEASIBLE && try_completion(d, STAGE_TRACE))
		return true;
	if (a == ANSWER_INFEASIBLE)
		answer(d, ANSWER_INFEASIBLE);
	return a == ANSWER_INFEASIBLE;
}

int predict_decide(struct predict_engine *e, const struct predict_question *q,
		   enum predict_model model, struct predict_verdict *v, struct err *err)
{
	struct decision d = {.e = e, .q = q, .model = model, .v = v};
	struct err why = ERR_INIT;
	int code = 0;

	vec_clear(&v->witness);
	v->answer = ANSWER_UNKNOWN;
	v->stage = STAGE_BUILD;
	v->depth = 0;
	v->nodes = v->edges = 0;
	d.started = d.stage_started = clock_cpu();
	if (limit_reached(e->limits.limit) == LIMIT_NONE && !by_order(&d) && !by_completion(&d))
		by_search(&d);
	if (v->answer == ANSWER_FEASIBLE &&
	    predict_check_witness(e->t, q, model, v->witness.items, v->witness.count, &why) != 0)
		code = err_set(err, ERR_INTERNAL, "witness of stage %s rejected: %s",
			       predict_stage_word(v->stage), why.text);
	v->edges = predict_graph_edges(e->graph);
	e->verdicts++;
	e->stage_decided[v->stage] += v->answer != ANSWER_UNKNOWN;
	v->seconds = clock_cpu() - d.started;
	e->stage_seconds[v->stage] += clock_cpu() - d.stage_started;
	vec_free(&d.linear.order);
	return code;
}

void predict_verdict_fini(struct predict_verdict *v)
{
	vec_free(&v->witness);
}

bool predict_decide_sync(struct predict_engine *e, const struct predict_question *q)
{
	uint32_t *cut = xcalloc(e->core->threads + 1, sizeof(*cut));
	bool found = sync_applies(e->t, q) && predict_sync_closure(e->core, e->reads, q, cut);

	free(cut);
	return found;
}

bool predict_decide_ucg(struct predict_engine *e, const struct predict_question *q, bool direct)
{
	return predict_graph_begin(e->graph, q, MODEL_CSR, direct) &&
	       predict_graph_propagate(e->graph);
}

const char *predict_stage_word(enum predict_stage stage)
{
	static const char *const words[] = {
#define X(name, word, text) word,
		PREDICT_STAGES(X)
#undef X
	};

	assert(stage < PREDICT_STAGE_COUNT);
	return words[stage];
}

const char *predict_stage_text(enum predict_stage stage)
{
	static const char *const texts[] = {
#define X(name, word, text) text,
		PREDICT_STAGES(X)
#undef X
	};

	assert(stage < PREDICT_STAGE_COUNT);
	return texts[stage];
}

const char *predict_answer_text(enum predict_answer a)
{
	static const char *const texts[] = {"infeasible", "feasible", "unknown"};

	return texts[a];
}
