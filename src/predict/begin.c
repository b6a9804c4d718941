/* predict_graph_begin(): what a question alone activates, forbids and orders. */
#include <assert.h>

#include "predict/predict_priv.h"

/* Last core event at or before trace event e in its thread, PREDICT_NONE when none. */
static uint32_t core_at_or_before(const struct predict_core *c, uint32_t e)
{
	uint32_t next = predict_core_at_or_after(c, e);
	uint32_t thread = c->t->events.items[e].thread;

	if (next != PREDICT_NONE && c->ev[next] == e)
		return next;
	if (next == PREDICT_NONE)
		next = c->start[thread + 1];
	return next > c->start[thread] ? next - 1 : PREDICT_NONE;
}

static void begin_target(struct predict_graph *g, const struct predict_question *q, uint32_t e)
{
	const struct predict_core *c = g->c;
	const struct predict_event *ev = &c->t->events.items[e];
	uint32_t at = predict_core_at_or_after(c, e), rf = c->t->rf[e];

	if (at != PREDICT_NONE && graph_pos(g, at) < g->limit[ev->thread])
		g->limit[ev->thread] = graph_pos(g, at);
	if (q->strict && g->model != MODEL_CSR && predict_op_reads(ev->op))
		vec_push(&g->strict,
			 ((struct predict_pair){rf == PREDICT_NONE ? PREDICT_NONE : c->of[rf],
						ev->object}));
}

/* Everything before the target in its thread, or the fork of the thread. */
static void activate_before(struct predict_graph *g, uint32_t target)
{
	const struct predict_trace *t = g->c->t;
	uint32_t thread = t->events.items[target].thread;
	uint32_t start = g->c->start[thread], limit = g->limit[thread];

	if (limit > 0)
		graph_activate(g, start + limit - 1);
	else if (t->fork_of[thread] != PREDICT_NONE)
		graph_activate(g, g->c->of[t->fork_of[thread]]);
}

static void reset(struct predict_graph *g)
{
	const struct predict_core *c = g->c;

	predict_graph_undo(g, (struct predict_graph_mark){0, 0});
	for (uint32_t i = 0; i < g->k; i++) {
		assert(g->cut[i] == 0 && g->need[i] == 0);
		g->limit[i] = c->start[i + 1] - c->start[i];
	}
	vec_clear(&g->order);
	vec_clear(&g->strict);
	g->edge_count = 0;
}

static void begin_required(struct predict_graph *g, uint32_t e)
{
	uint32_t at = core_at_or_before(g->c, e);
	uint32_t thread = g->c->t->events.items[e].thread;

	if (at != PREDICT_NONE)
		graph_activate(g, at);
	else if (g->c->t->fork_of[thread] != PREDICT_NONE)
		graph_activate(g, g->c->of[g->c->t->fork_of[thread]]);
}

/* A required event at or after a target of its thread. */
static bool required_is_pending(const struct predict_graph *g, const struct predict_question *q,
				uint32_t e)
{
	const struct predict_trace *t = g->c->t;

	for (size_t i = 0; i < q->targets.count; i++) {
		uint32_t target = q->targets.items[i];

		if (t->events.items[target].thread == t->events.items[e].thread && target <= e)
			return true;
	}
	return false;
}

bool predict_graph_begin(struct predict_graph *g, const struct predict_question *q,
			 enum predict_model model, bool direct)
{
	const struct predict_core *c = g->c;

	reset(g);
	g->model = model;
	g->direct = direct && g->base.direct != NULL;
	g->hard = model == MODEL_CDSR ? g->base.reads : g->base.sync;
	g->exempt = q->exempt == PREDICT_NONE ? PREDICT_NONE : c->of[q->exempt];
	for (size_t i = 0; i < q->targets.count; i++)
		begin_target(g, q, q->targets.items[i]);
	for (size_t i = 0; i < q->order.count; i++) {
		const struct predict_pair *p = &q->order.items[i];

		assert(c->of[p->sig] != PREDICT_NONE && c->of[p->wait] != PREDICT_NONE);
		vec_push(&g->order, ((struct predict_pair){c->of[p->sig], c->of[p->wait]}));
	}
	for (size_t i = 0; i < q->required.count && !g->conflict; i++) {
		g->conflict = required_is_pending(g, q, q->required.items[i]);
		if (!g->conflict)
			begin_required(g, q->required.items[i]);
	}
	for (size_t i = 0; i < q->targets.count; i++)
		activate_before(g, q->targets.items[i]);
	for (size_t i = 0; i < g->strict.count && !g->conflict; i++) {
		if (g->strict.items[i].sig != PREDICT_NONE)
			graph_activate(g, g->strict.items[i].sig);
	}
	return !g->conflict;
}
