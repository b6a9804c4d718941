/*
 * Closure rules of the polygraph (graph.h lists them).  Each rule is attached to the event whose
 * row it reads, so it runs again exactly when that row has grown; rules about pairs that no row
 * speaks of run once, when the later of the two becomes active or constrained.
 */
#include "predict/order/predict_priv.h"

static const struct predict_index *rivals(const struct predict_core *c, uint32_t acq)
{
	return c->shared[acq] ? &c->exclusives : &c->sections;
}

/* ---- once per activation ---- */

static bool never_released(const struct predict_graph *g, uint32_t acq)
{
	uint32_t rel = g->c->match[acq];

	return rel == PREDICT_NONE || graph_pos(g, rel) >= g->limit[g->c->thread[acq]];
}

/* A lock that must be free in the end is released by whoever takes it. */
static void leave_wanted(struct predict_graph *g, uint32_t acq)
{
	const struct predict_core *c = g->c;

	for (size_t i = 0; i < g->wanted.count && !g->conflict; i++) {
		const struct graph_wanted *w = &g->wanted.items[i];

		if (w->lock != c->object[acq] || w->thread == c->thread[acq] ||
		    (w->shared && c->shared[acq]))
			continue;
		if (c->match[acq] == PREDICT_NONE)
			g->conflict = true;
		else
			graph_activate(g, c->match[acq]);
	}
}

static void fresh_acq(struct predict_graph *g, uint32_t e)
{
	const struct predict_core *c = g->c;
	const struct predict_index *x = rivals(c, e);
	uint32_t lock = c->object[e];

	for (uint32_t i = g->stuck_of[lock]; i != 0; i = g->stuck.items[i - 1].next) {
		uint32_t s = g->stuck.items[i - 1].acq;

		if (c->thread[s] != c->thread[e] && !(c->shared[s] && c->shared[e]))
			predict_graph_require(g, c->match[e], s);
	}
	leave_wanted(g, e);
	if (!never_released(g, e))
		return;
	graph_add_stuck(g, e);
	for (uint32_t i = x->first[lock]; i < x->first[lock + 1]; i++) {
		const struct predict_group *group = &x->groups[i];
		uint32_t a = predict_core_last_below(c, x, group, g->cut[group->thread]);

		if (group->thread != c->thread[e] && a != PREDICT_NONE)
			predict_graph_require(g, c->match[a], e);
	}
}

static void fresh_write(struct predict_graph *g, uint32_t e)
{
	const struct predict_core *c = g->c;
	const struct predict_index *x = &c->initials;
	uint32_t loc = c->object[e];

	for (uint32_t i = x->first[loc]; i < x->first[loc + 1]; i++) {
		const struct predict_group *group = &x->groups[i];
		uint32_t r = predict_core_last_below(c, x, group, g->need[group->thread]);

		if (r != PREDICT_NONE && r != e && predict_graph_constrained(g, r))
			predict_graph_require(g, r, e);
	}
	for (size_t i = 0; i < g->strict.count; i++) {
		const struct graph_strict *p = &g->strict.items[i];

		if (p->loc == loc && p->writer != e)
			predict_graph_require(g, p->writer == PREDICT_NONE ? PREDICT_NONE : e,
					      p->writer == PREDICT_NONE ? e : p->writer);
	}
}

void graph_rules_fresh(struct predict_graph *g, uint32_t e)
{
	const struct predict_core *c = g->c;

	for (size_t i = 0; i < g->order.count; i++) {
		if (g->order.items[i].wait == e)
			predict_graph_require(g, g->order.items[i].sig, e);
	}
	if (c->op[e] == OP_ACQ)
		fresh_acq(g, e);
	else if (predict_op_writes(c->op[e]) && g->model != MODEL_CSR)
		fresh_write(g, e);
	else if (c->op[e] == OP_BRANCH && g->model == MODEL_BRANCH)
		graph_raise_need(g, c->thread[e], graph_pos(g, e) + 1);
}

/* ---- once per constrained read ---- */

static void constrain_initial(struct predict_graph *g, uint32_t r)
{
	const struct predict_core *c = g->c;
	const struct predict_index *x = &c->writes;
	uint32_t loc = c->object[r];

	for (uint32_t i = x->first[loc]; i < x->first[loc + 1]; i++) {
		uint32_t w = x->items[x->groups[i].begin];

		if (w != r && graph_active(g, w))
			predict_graph_require(g, r, w);
	}
}

/* First active write of the group that comes after w; PREDICT_NONE when there is none. */
static uint32_t first_after(const struct predict_graph *g, const struct predict_group *group,
			    uint32_t w)
{
	const struct predict_index *x = &g->c->writes;
	uint32_t low = group->begin, high = group->end;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2, e = x->items[middle];

		if (!graph_active(g, e) || graph_reaches(g, w, e))
			high = middle;
		else
			low = middle + 1;
	}
	if (low == group->end || !graph_active(g, x->items[low]))
		return PREDICT_NONE;
	return x->items[low];
}

void graph_rules_constrain(struct predict_graph *g, uint32_t r)
{
	const struct predict_core *c = g->c;
	const struct predict_index *x = &c->writes;
	uint32_t w = c->rf[r], loc = c->object[r];

	if (w == PREDICT_NONE) {
		constrain_initial(g, r);
		return;
	}
	predict_graph_require(g, w, r);
	if (g->conflict)
		return;
	/* What w wrote may depend on everything its thread had read, and an rmw on its own read. */
	if (g->model == MODEL_BRANCH)
		graph_raise_need(g, c->thread[w], graph_pos(g, w) + (c->op[w] == OP_RMW ? 1 : 0));
	for (uint32_t i = x->first[loc]; i < x->first[loc + 1] && !g->conflict; i++) {
		uint32_t later = first_after(g, &x->groups[i], w);

		if (later != PREDICT_NONE && later != r)
			predict_graph_require(g, r, later);
	}
}

/* ---- whenever a row has grown ---- */

/* e is the release of the section, or the last active event while the release is not active. */
static void section_rule(struct predict_graph *g, uint32_t e, uint32_t acq)
{
	const struct predict_core *c = g->c;
	const struct predict_index *x = rivals(c, acq);
	uint32_t lock = c->object[acq];

	for (uint32_t i = x->first[lock]; i < x->first[lock + 1] && !g->conflict; i++) {
		const struct predict_group *group = &x->groups[i];
		uint32_t count, a;

		if (group->thread == c->thread[acq])
			continue;
		count = g->direct ? graph_direct_cells(g, e)[group->thread]
				  : graph_get(g, e, group->thread);
		a = predict_core_last_below(c, x, group, count);
		if (a != PREDICT_NONE)
			predict_graph_require(g, c->match[a], acq);
	}
}

static void tail_rule(struct predict_graph *g, uint32_t e)
{
	const struct predict_trace *t = g->c->t;
	uint32_t list = predict_trace_held_after(t, g->c->ev[e]);

	for (; list != 0 && !g->conflict; list = t->lists.items[list].next) {
		uint32_t acq = g->c->of[t->lists.items[list].acq];

		if (acq != PREDICT_NONE)
			section_rule(g, e, acq);
	}
}

/* Number of events of the thread strictly before e. */
static uint32_t before(const struct predict_graph *g, uint32_t e, uint32_t thread)
{
	return thread == g->c->thread[e] ? graph_pos(g, e) : graph_cells(g, e)[thread];
}

static void read_rule(struct predict_graph *g, uint32_t r)
{
	const struct predict_core *c = g->c;
	const struct predict_index *x = &c->writes;
	uint32_t w = c->rf[r], loc = c->object[r];

	for (uint32_t i = x->first[loc]; i < x->first[loc + 1] && !g->conflict; i++) {
		const struct predict_group *group = &x->groups[i];
		uint32_t other = predict_core_last_below(c, x, group, before(g, r, group->thread));

		if (other == PREDICT_NONE || other == w)
			continue;
		if (w == PREDICT_NONE)
			g->conflict = true;
		else if (graph_active(g, w))
			predict_graph_require(g, other, w);
	}
}

/* Readers of w come before e, which is known to come after w. */
static void readers_before(struct predict_graph *g, uint32_t w, uint32_t e)
{
	const struct predict_index *x = &g->c->readers;

	for (uint32_t i = x->first[w]; i < x->first[w + 1] && !g->conflict; i++) {
		const struct predict_group *group = &x->groups[i];
		uint32_t r = predict_core_last_below(g->c, x, group, g->need[group->thread]);

		if (r != PREDICT_NONE && r != e)
			predict_graph_require(g, r, e);
	}
}

static void write_rule(struct predict_graph *g, uint32_t e)
{
	const struct predict_core *c = g->c;
	const struct predict_index *x = &c->writes;
	uint32_t loc = c->object[e];

	for (uint32_t i = x->first[loc]; i < x->first[loc + 1] && !g->conflict; i++) {
		const struct predict_group *group = &x->groups[i];
		uint32_t w = predict_core_last_below(c, x, group, before(g, e, group->thread));

		if (w != PREDICT_NONE)
			readers_before(g, w, e);
	}
}

void graph_rules_row(struct predict_graph *g, uint32_t e)
{
	const struct predict_core *c = g->c;

	if (c->op[e] == OP_REL && c->match[e] != PREDICT_NONE)
		section_rule(g, e, c->match[e]);
	if (graph_pos(g, e) + 1 == g->cut[c->thread[e]])
		tail_rule(g, e);
	if (g->model == MODEL_CSR || g->conflict || !predict_core_is_access(c, e))
		return;
	if (predict_op_reads(c->op[e]) && predict_graph_constrained(g, e))
		read_rule(g, e);
	if (predict_op_writes(c->op[e]))
		write_rule(g, e);
}
