/* Marks in the history of a polygraph, and going back to them. */
#include <assert.h>

#include "predict/order/predict_priv.h"

void graph_drop_queue(struct predict_graph *g)
{
	for (size_t i = g->queue_head; i < g->queue.count; i++)
		g->flags[g->queue.items[i]] = 0;
	vec_clear(&g->queue);
	g->queue_head = 0;
}

struct predict_graph_mark predict_graph_mark(struct predict_graph *g)
{
	struct predict_graph_mark m = {g->log.count, g->pool.count / (g->k ? g->k : 1)};

	assert(!g->conflict && g->queue_head == g->queue.count);
	g->level_rows = m.rows;
	return m;
}

static void undo_one(struct predict_graph *g, const struct graph_undo *u)
{
	switch (u->what) {
	case UNDO_ROW:
		g->row[u->index] = u->old;
		break;
	case UNDO_DIRECT:
		g->row2[u->index] = u->old;
		break;
	case UNDO_CUT:
		g->cut[u->index] = u->old;
		break;
	case UNDO_NEED:
		g->need[u->index] = u->old;
		break;
	case UNDO_EDGE:
		assert(g->edges.count > 0);
		g->edge_of[u->index] = u->old;
		g->edges.count--;
		break;
	case UNDO_STUCK:
		assert(g->stuck.count > 0);
		g->stuck_of[u->index] = u->old;
		g->stuck.count--;
		break;
	}
}

void predict_graph_undo(struct predict_graph *g, struct predict_graph_mark m)
{
	assert(m.log <= g->log.count && m.rows * g->k <= g->pool.count);
	graph_drop_queue(g);
	while (g->log.count > m.log) {
		struct graph_undo u = vec_pop(&g->log);

		undo_one(g, &u);
	}
	g->pool.count = m.rows * g->k;
	g->level_rows = m.rows;
	g->conflict = false;
}
