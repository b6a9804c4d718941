/* predict_graph_begin(): what a question alone activates, forbids and orders. */
#include <assert.h>

#include "predict/order/predict_priv.h"

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

static void add_strict(struct predict_graph *g, uint32_t e, bool relied)
{
	const struct predict_core *c = g->c;
	uint32_t rf = c->t->rf[e];

	vec_push(&g->strict, ((struct graph_strict){rf == PREDICT_NONE ? PREDICT_NONE : c->of[rf],
						    c->t->events.items[e].object, relied}));
}

/* Last branch of the step before its event `end', PREDICT_NONE when there is none. */
static uint32_t last_branch(const struct predict_trace *t, uint32_t end)
{
	for (uint32_t e = end; e-- > predict_trace_head(t, end);) {
		if (t->events.items[e].op == OP_BRANCH)
			return e;
	}
	return PREDICT_NONE;
}

/*
 * What the target's step does before the target could happen now: its reads see what they saw (in
 * the branch model, those that a branch follows), the locks it takes are free.
 */
static void begin_prefix(struct predict_graph *g, uint32_t target)
{
	const struct predict_core *c = g->c;
	const struct predict_trace *t = c->t;
	uint32_t head = predict_trace_head(t, target), end = predict_trace_access(t, target);
	uint32_t branch = g->model == MODEL_BRANCH ? last_branch(t, end) : PREDICT_NONE;

	for (uint32_t e = head; e < end; e++) {
		const struct predict_event *ev = &t->events.items[e];
		bool keeps = g->model == MODEL_CDSR || (branch != PREDICT_NONE && e < branch);
		bool own = t->rf[e] != PREDICT_NONE && t->rf[e] >= head;

		if (predict_op_reads(ev->op) && keeps && !own && c->of[e] != PREDICT_NONE)
			add_strict(g, e, g->model == MODEL_BRANCH);
		if (ev->op == OP_ACQ)
			vec_push(&g->wanted, ((struct graph_wanted){ev->object, ev->thread,
								    ev->flags & PREDICT_SHARED}));
	}
}

static void begin_target(struct predict_graph *g, const struct predict_question *q, uint32_t e)
{
	const struct predict_core *c = g->c;
	const struct predict_event *ev = &c->t->events.items[e];
	uint32_t at = predict_core_at_or_after(c, predict_trace_head(c->t, e));

	if (at != PREDICT_NONE && graph_pos(g, at) < g->limit[ev->thread])
		g->limit[ev->thread] = graph_pos(g, at);
	if (q->strict && g->model != MODEL_CSR && predict_op_reads(ev->op))
		add_strict(g, e, false);
	begin_prefix(g, e);
}

/* The rest of that, when what is before the step is active: who is joined or waited for is done. */
static void end_prefix(struct predict_graph *g, uint32_t target)
{
	const struct predict_core *c = g->c;
	const struct predict_trace *t = c->t;
	uint32_t head = predict_trace_head(t, target), end = predict_trace_access(t, target);
	uint32_t thread = t->events.items[target].thread;

	for (uint32_t e = head; e < end && !g->conflict; e++) {
		uint32_t m = c->of[e];

		for (uint32_t p = m == PREDICT_NONE ? 0 : c->pred_first[m];
		     m != PREDICT_NONE && p < c->pred_first[m + 1]; p++) {
			if (!predict_core_one_step(c, c->pred[p], m))
				graph_activate(g, c->pred[p]);
		}
	}
	if (!g->conflict && g->model == MODEL_BRANCH && last_branch(t, end) != PREDICT_NONE)
		graph_raise_need(g, thread, g->limit[thread]);
}

static void begin_strict(struct predict_graph *g, const struct graph_strict *s)
{
	const struct predict_core *c = g->c;

	if (s->writer == PREDICT_NONE)
		return;
	graph_activate(g, s->writer);
	if (s->relied && !g->conflict)
		graph_raise_need(g, c->thread[s->writer],
				 graph_pos(g, s->writer) + (c->op[s->writer] == OP_RMW ? 1 : 0));
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
	vec_clear(&g->wanted);
	g->edge_count = 0;
}

static void begin_required(struct predict_graph *g, uint32_t e)
{
	uint32_t at = core_at_or_before(g->c, predict_trace_tail(g->c->t, e));
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

		if (t->events.items[target].thread == t->events.items[e].thread &&
		    predict_trace_head(t, target) <= e)
			return true;
	}
	return false;
}

/* Two targets whose steps take or hold one lock before them do not come there together. */
static bool targets_exclude(const struct predict_trace *t, const struct predict_question *q)
{
	for (size_t i = 0; i < q->targets.count && t->head != NULL; i++) {
		for (size_t j = 0; j < i; j++) {
			uint32_t a = t->held[q->targets.items[i]], b = t->held[q->targets.items[j]];

			if (!predict_trace_sets_disjoint(t, t->lists.items[a].set,
							 t->lists.items[b].set))
				return true;
		}
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
	g->exempt = predict_core_exempt(c, q->exempt);
	g->conflict = targets_exclude(c->t, q);
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
	for (size_t i = 0; i < q->targets.count && !g->conflict; i++)
		end_prefix(g, q->targets.items[i]);
	for (size_t i = 0; i < g->strict.count && !g->conflict; i++)
		begin_strict(g, &g->strict.items[i]);
	return !g->conflict;
}
