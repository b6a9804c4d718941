/* Inner parts of the polygraph shared by graph.c, begin.c, undo.c, rules.c and open.c. */
#ifndef HEDDLE_PREDICT_PRIV_H
#define HEDDLE_PREDICT_PRIV_H

#include "predict/order/graph.h"

enum graph_flag {
	GRAPH_QUEUED = 1,
	GRAPH_FRESH = 2,     /* just activated: edges from older rows and pair rules are due */
	GRAPH_CONSTRAIN = 4, /* just constrained to its writer */
};

struct graph_edge {
	uint32_t to;
	uint32_t next; /* index + 1, 0 = end */
};

struct graph_stuck {
	uint32_t acq;
	uint32_t next; /* index + 1 */
};

struct graph_strict {
	uint32_t writer; /* or PREDICT_NONE */
	uint32_t loc;
	bool relied; /* on the value, not only on the write (branch model) */
};

struct graph_wanted {
	uint32_t lock, thread; /* by this thread */
	bool shared;
};

enum undo_kind { UNDO_ROW, UNDO_DIRECT, UNDO_CUT, UNDO_NEED, UNDO_EDGE, UNDO_STUCK };

struct graph_undo {
	uint32_t what; /* enum undo_kind */
	uint32_t index;
	uint32_t old;
};

struct predict_graph {
	const struct predict_core *c;
	struct predict_base base;
	const struct predict_rows *hard; /* the rows this model starts from */
	enum predict_model model;
	bool direct, conflict;
	uint32_t k;
	uint32_t *cut, *need, *limit, *want; /* by thread */
	uint32_t *row;			     /* by event: own row in pool + 1, 0 = hard row */
	uint32_t *row2;			     /* the same for the direct variant */
	uint8_t *flags;			     /* by event: enum graph_flag */
	uint32_t *edge_of;		     /* by event: first added edge + 1 */
	uint32_t *stuck_of;		     /* by lock: first stuck section + 1 */
	VEC(uint32_t) pool;
	size_t level_rows; /* rows of the pool older than the last mark are not written in place */
	VEC(uint32_t) queue;
	size_t queue_head;
	VEC(struct graph_edge) edges;
	VEC(struct graph_stuck) stuck;
	VEC(struct graph_undo) log;
	VEC(struct predict_pair) order;	 /* of the question, core events */
	VEC(struct graph_strict) strict; /* what a read about to happen must see */
	VEC(struct graph_wanted) wanted; /* locks that must be free in the end */
	uint32_t exempt;		 /* core event */
	uint64_t edge_count;
};

static inline uint32_t graph_pos(const struct predict_graph *g, uint32_t e)
{
	return predict_core_pos(g->c, e);
}

static inline bool graph_active(const struct predict_graph *g, uint32_t e)
{
	return graph_pos(g, e) < g->cut[g->c->thread[e]];
}

static inline const uint32_t *graph_cells(const struct predict_graph *g, uint32_t e)
{
	if (g->row[e] != 0)
		return g->pool.items + (size_t)(g->row[e] - 1) * g->k;
	return predict_rows_cells(g->hard, e);
}

static inline uint32_t graph_get(const struct predict_graph *g, uint32_t e, uint32_t thread)
{
	return thread == g->c->thread[e] ? graph_pos(g, e) + 1 : graph_cells(g, e)[thread];
}

static inline const uint32_t *graph_direct_cells(const struct predict_graph *g, uint32_t e)
{
	if (g->row2[e] != 0)
		return g->pool.items + (size_t)(g->row2[e] - 1) * g->k;
	return predict_rows_cells(g->base.direct, e);
}

static inline bool graph_reaches(const struct predict_graph *g, uint32_t u, uint32_t v)
{
	return u != v && graph_active(g, u) && graph_get(g, v, g->c->thread[u]) > graph_pos(g, u);
}

void graph_enqueue(struct predict_graph *g, uint32_t e, uint8_t flags);
void graph_drop_queue(struct predict_graph *g);
/* Everything before this position of the thread keeps its writers (branch model). */
void graph_raise_need(struct predict_graph *g, uint32_t thread, uint32_t count);
void graph_add_stuck(struct predict_graph *g, uint32_t acq);
/* The event must be executed, and with it everything its row holds. */
void graph_activate(struct predict_graph *g, uint32_t e);

/* rules.c */
void graph_rules_fresh(struct predict_graph *g, uint32_t e);
void graph_rules_constrain(struct predict_graph *g, uint32_t r);
void graph_rules_row(struct predict_graph *g, uint32_t e);

#endif
