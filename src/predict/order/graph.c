#include "predict/order/graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "predict/order/predict_priv.h"

struct predict_graph *predict_graph_new(const struct predict_base *base)
{
	struct predict_graph *g = xcalloc(1, sizeof(*g));
	const struct predict_core *c = base->core;
	size_t n = c->n + 1, k = c->threads + 1;

	g->c = c;
	g->base = *base;
	g->k = c->threads;
	g->cut = xcalloc(k, sizeof(*g->cut));
	g->need = xcalloc(k, sizeof(*g->need));
	g->limit = xcalloc(k, sizeof(*g->limit));
	g->want = xcalloc(k, sizeof(*g->want));
	g->row = xcalloc(n, sizeof(*g->row));
	g->row2 = xcalloc(n, sizeof(*g->row2));
	g->flags = xcalloc(n, 1);
	g->edge_of = xcalloc(n, sizeof(*g->edge_of));
	g->stuck_of = xcalloc(predict_names_count(&c->t->locks) + 1, sizeof(*g->stuck_of));
	return g;
}

void predict_graph_free(struct predict_graph *g)
{
	if (g == NULL)
		return;
	free(g->cut);
	free(g->need);
	free(g->limit);
	free(g->want);
	free(g->row);
	free(g->row2);
	free(g->flags);
	free(g->edge_of);
	free(g->stuck_of);
	vec_free(&g->pool);
	vec_free(&g->queue);
	vec_free(&g->edges);
	vec_free(&g->stuck);
	vec_free(&g->log);
	vec_free(&g->order);
	vec_free(&g->strict);
	vec_free(&g->wanted);
	free(g);
}

/* ---- log and rows ---- */

static void record(struct predict_graph *g, uint32_t what, uint32_t index, uint32_t old)
{
	vec_push(&g->log, ((struct graph_undo){what, index, old}));
}

/* Row of e that may be written: a copy unless it was made since the last mark. */
static uint32_t *own_row(struct predict_graph *g, uint32_t e, bool direct)
{
	uint32_t *slot = direct ? &g->row2[e] : &g->row[e];
	size_t count = g->pool.count, k = g->k;

	assert(e < g->c->n);
	if (*slot == 0 || *slot - 1 < g->level_rows) {
		vec_reserve(&g->pool, count + k);
		memcpy(g->pool.items + count, direct ? graph_direct_cells(g, e) : graph_cells(g, e),
		       k * sizeof(uint32_t));
		g->pool.count += k;
		record(g, direct ? UNDO_DIRECT : UNDO_ROW, e, *slot);
		*slot = (uint32_t)(count / k) + 1;
	}
	return g->pool.items + (size_t)(*slot - 1) * k;
}

/* Makes v come after u by row; queues v when that is news.  A row that needs v itself is a cycle.
 */
static void join_row(struct predict_graph *g, uint32_t u, uint32_t v)
{
	uint32_t tu = g->c->thread[u], tv = g->c->thread[v], k = g->k;
	const uint32_t *from = graph_cells(g, u), *have = graph_cells(g, v);
	uint32_t count = graph_pos(g, predict_core_tail(g->c, u)) + 1, i;
	uint32_t *to;

	assert(tu == tv || predict_core_head(g->c, v) == v);
	if (tu != tv && from[tv] > graph_pos(g, v)) {
		g->conflict = true;
		return;
	}
	for (i = 0; i < k; i++) {
		if (i != tv && (from[i] > have[i] || (i == tu && count > have[i])))
			break;
	}
	if (i == k)
		return;
	to = own_row(g, v, false);
	from = graph_cells(g, u);
	for (; i < k; i++)
		to[i] = to[i] > from[i] ? to[i] : from[i];
	if (tu != tv && to[tu] < count)
		to[tu] = count;
	graph_enqueue(g, v, 0);
}

/* The step of v comes after that of u.  Steps of one thread do so anyway. */
static void join_step(struct predict_graph *g, uint32_t u, uint32_t v)
{
	if (g->c->thread[u] != g->c->thread[v])
		join_row(g, u, predict_core_head(g->c, v));
}

/* Direct variant: the edge u -> v is seen by v and what follows it in its thread. */
static void join_direct(struct predict_graph *g, uint32_t u, uint32_t v)
{
	uint32_t tu = g->c->thread[u], tv = g->c->thread[v];
	uint32_t count = graph_pos(g, u) + 1, end = g->c->start[tv] + g->cut[tv];

	assert(predict_core_tail(g->c, u) == u && predict_core_head(g->c, v) == v);
	for (uint32_t e = v; tu != tv && e < end && graph_direct_cells(g, e)[tu] < count; e++) {
		own_row(g, e, true)[tu] = count;
		graph_enqueue(g, e, 0);
	}
}

void graph_enqueue(struct predict_graph *g, uint32_t e, uint8_t flags)
{
	assert(e < g->c->n && g->queue_head <= g->queue.count);
	if (!(g->flags[e] & GRAPH_QUEUED))
		vec_push(&g->queue, e);
	g->flags[e] |= GRAPH_QUEUED | flags;
}

/* ---- activation ---- */

void graph_raise_need(struct predict_graph *g, uint32_t thread, uint32_t count)
{
	uint32_t from = g->need[thread], start = g->c->start[thread];

	if (count <= from)
		return;
	assert(count <= g->cut[thread]); /* what keeps its writers is executed */
	record(g, UNDO_NEED, thread, from);
	g->need[thread] = count;
	for (uint32_t e = start + from; e < start + count; e++) {
		if (predict_op_reads(g->c->op[e]))
			graph_enqueue(g, e, GRAPH_CONSTRAIN);
	}
}

void graph_add_stuck(struct predict_graph *g, uint32_t acq)
{
	uint32_t lock = g->c->object[acq];

	assert(g->c->op[acq] == OP_ACQ);
	vec_push(&g->stuck, ((struct graph_stuck){acq, g->stuck_of[lock]}));
	record(g, UNDO_STUCK, lock, g->stuck_of[lock]);
	g->stuck_of[lock] = (uint32_t)g->stuck.count;
}

static void extend(struct predict_graph *g, uint32_t thread, uint32_t count)
{
	uint32_t start = g->c->start[thread], from = g->cut[thread];
	bool tail_exempt = g->exempt == start + count - 1;

	if (count > g->limit[thread]) {
		g->conflict = true;
		return;
	}
	assert(count > from); /* cuts only grow, between marks */
	record(g, UNDO_CUT, thread, from);
	g->cut[thread] = count;
	for (uint32_t e = start + from; e < start + count; e++)
		graph_enqueue(g, e, GRAPH_FRESH);
	if (g->model == MODEL_CDSR)
		graph_raise_need(g, thread, count - (tail_exempt ? 1 : 0));
}

/* Least cut that has e: its hard row, without the writer of an exempt read at the end. */
static void want_of(struct predict_graph *g, uint32_t e)
{
	const struct predict_core *c = g->c;

	memset(g->want, 0, g->k * sizeof(*g->want));
	if (e != g->exempt || g->model != MODEL_CDSR) {
		predict_rows_join(g->hard, e, g->want);
		return;
	}
	if (graph_pos(g, e) > 0)
		predict_rows_join(g->hard, e - 1, g->want);
	for (uint32_t p = c->pred_first[e]; p < c->pred_first[e + 1]; p++)
		predict_rows_join(g->hard, c->pred[p], g->want);
	g->want[c->thread[e]] = graph_pos(g, e) + 1;
}

/* Gives an exempt read at the end of its thread a row without its writer. */
static void relax_row(struct predict_graph *g, uint32_t e)
{
	want_of(g, e);
	memcpy(own_row(g, e, false), g->want, g->k * sizeof(*g->want));
}

void graph_activate(struct predict_graph *g, uint32_t e)
{
	e = predict_core_tail(g->c, e);
	if (graph_active(g, e) || g->conflict)
		return;
	want_of(g, e);
	for (uint32_t i = 0; i < g->k && !g->conflict; i++) {
		if (g->want[i] > g->cut[i])
			extend(g, i, g->want[i]);
	}
	if (e == g->exempt && g->model == MODEL_CDSR && !g->conflict &&
	    g->cut[g->c->thread[e]] == graph_pos(g, e) + 1)
		relax_row(g, e);
}

void predict_graph_require(struct predict_graph *g, uint32_t u, uint32_t v)
{
	if (g->conflict)
		return;
	assert(graph_active(g, v));
	if (u == PREDICT_NONE || u == v) {
		g->conflict = true;
		return;
	}
	if (predict_core_one_step(g->c, u, v)) {
		g->conflict = u > v;
		return;
	}
	u = predict_core_tail(g->c, u);
	v = predict_core_head(g->c, v);
	graph_activate(g, u);
	if (g->conflict || graph_reaches(g, u, v))
		return;
	if (graph_reaches(g, v, u)) {
		g->conflict = true;
		return;
	}
	assert(u != v && g->c->thread[u] != g->c->thread[v]);
	vec_push(&g->edges, ((struct graph_edge){v, g->edge_of[u]}));
	record(g, UNDO_EDGE, u, g->edge_of[u]);
	g->edge_of[u] = (uint32_t)g->edges.count;
	g->edge_count++;
	join_row(g, u, v);
	if (g->direct)
		join_direct(g, u, v);
}

/* ---- propagation ---- */

/* A fresh event takes over what rows of earlier events have learned since the hard order. */
static void pull(struct predict_graph *g, uint32_t e)
{
	const struct predict_core *c = g->c;

	if (graph_pos(g, e) > 0) {
		if (g->row[e - 1] != 0)
			join_row(g, e - 1, e);
		if (g->direct && g->row2[e - 1] != 0) {
			uint32_t *to = own_row(g, e, true);
			const uint32_t *from = graph_direct_cells(g, e - 1);

			for (uint32_t i = 0; i < g->k; i++)
				to[i] = to[i] > from[i] ? to[i] : from[i];
		}
	}
	for (uint32_t p = c->pred_first[e]; p < c->pred_first[e + 1]; p++) {
		if (g->row[c->pred[p]] != 0)
			join_step(g, c->pred[p], e);
	}
	if (g->model == MODEL_CDSR && c->rf[e] != PREDICT_NONE && predict_graph_constrained(g, e) &&
	    g->row[c->rf[e]] != 0)
		join_step(g, c->rf[e], e);
}

static void push_readers(struct predict_graph *g, uint32_t w)
{
	const struct predict_index *x = &g->c->readers;

	for (uint32_t i = x->first[w]; i < x->first[w + 1] && !g->conflict; i++) {
		uint32_t r = x->items[x->groups[i].begin];

		if (predict_graph_constrained(g, r))
			join_step(g, w, r);
	}
}

static void push(struct predict_graph *g, uint32_t e)
{
	const struct predict_core *c = g->c;
	uint32_t thread = c->thread[e];

	if (g->row[e] != 0) {
		if (graph_pos(g, e) + 1 < g->cut[thread])
			join_row(g, e, e + 1);
		for (uint32_t s = c->succ_first[e]; s < c->succ_first[e + 1]; s++) {
			if (graph_active(g, c->succ[s]) && !g->conflict)
				join_step(g, e, c->succ[s]);
		}
		if (g->model == MODEL_CDSR && predict_op_writes(c->op[e]))
			push_readers(g, e);
	}
	for (uint32_t i = g->edge_of[e]; i != 0 && !g->conflict; i = g->edges.items[i - 1].next)
		join_row(g, e, g->edges.items[i - 1].to);
}

static void visit(struct predict_graph *g, uint32_t e)
{
	uint8_t flags = g->flags[e];

	g->flags[e] = 0;
	if (flags & GRAPH_FRESH) {
		pull(g, e);
		graph_rules_fresh(g, e);
	}
	if (flags & GRAPH_CONSTRAIN)
		graph_rules_constrain(g, e);
	if (g->conflict)
		return;
	push(g, e);
	if (!g->conflict)
		graph_rules_row(g, e);
}

bool predict_graph_propagate(struct predict_graph *g)
{
	while (!g->conflict && g->queue_head < g->queue.count) {
		if (g->queue_head > 4096 && g->queue_head * 2 > g->queue.count) {
			g->queue.count -= g->queue_head;
			memmove(g->queue.items, g->queue.items + g->queue_head,
				g->queue.count * sizeof(*g->queue.items));
			g->queue_head = 0;
		}
		visit(g, g->queue.items[g->queue_head++]);
	}
	graph_drop_queue(g);
	return !g->conflict;
}

/* ---- looking at it ---- */

bool predict_graph_conflict(const struct predict_graph *g)
{
	return g->conflict;
}

const struct predict_core *predict_graph_core(const struct predict_graph *g)
{
	return g->c;
}

uint32_t predict_graph_cut(const struct predict_graph *g, uint32_t thread)
{
	return g->cut[thread];
}

uint32_t predict_graph_need(const struct predict_graph *g, uint32_t thread)
{
	return g->need[thread];
}

bool predict_graph_constrained(const struct predict_graph *g, uint32_t r)
{
	return g->model != MODEL_CSR && graph_pos(g, r) < g->need[g->c->thread[r]];
}

uint32_t predict_graph_row(const struct predict_graph *g, uint32_t e, uint32_t thread)
{
	return graph_get(g, e, thread);
}

bool predict_graph_reaches(const struct predict_graph *g, uint32_t u, uint32_t v)
{
	return graph_reaches(g, u, v);
}

uint64_t predict_graph_edges(const struct predict_graph *g)
{
	return g->edge_count;
}
