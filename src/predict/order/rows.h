/*
 * Rows: for a core event, the least cut that holds everything that must be executed no later than
 * it, itself included.  u must come before v exactly when row(v) contains u.
 *
 * Consecutive events of a thread differ only in their own component unless an edge comes in from
 * another thread, so they share one stored row and the own component is computed from the position.
 * The memory is (events with a new incoming edge) x (threads).
 */
#ifndef HEDDLE_PREDICT_ROWS_H
#define HEDDLE_PREDICT_ROWS_H

#include <stdbool.h>
#include <stdint.h>

#include "predict/order/core.h"

enum predict_rows_kind {
	ROWS_SYNC,   /* program order, fork, join, signal */
	ROWS_READS,  /* the same and reads-from */
	ROWS_HB,     /* program order, fork, join, signal, release to every later acquire */
	ROWS_DIRECT, /* fork, join and signal edges, without composition */
};

struct predict_rows {
	const struct predict_core *c;
	uint32_t *row_of;    /* by core event */
	VEC(uint32_t) cells; /* row r is cells[r * threads ..]; row 0 is all zero */
};

struct predict_rows *predict_rows_new(const struct predict_core *c, enum predict_rows_kind kind);
void predict_rows_free(struct predict_rows *r);

static inline const uint32_t *predict_rows_cells(const struct predict_rows *r, uint32_t e)
{
	return r->cells.items + (size_t)r->row_of[e] * r->c->threads;
}

/* How many events of thread must precede e or are e. */
static inline uint32_t predict_rows_get(const struct predict_rows *r, uint32_t e, uint32_t thread)
{
	if (thread == r->c->thread[e])
		return predict_core_pos(r->c, e) + 1;
	return predict_rows_cells(r, e)[thread];
}

static inline bool predict_rows_before(const struct predict_rows *r, uint32_t u, uint32_t v)
{
	return u != v && predict_rows_get(r, v, r->c->thread[u]) > predict_core_pos(r->c, u);
}

/* How many events of another thread must be done before the thread of e can stand at e. */
uint32_t predict_rows_before_at(const struct predict_rows *r, uint32_t e, uint32_t thread);

/* Joins the row of e into a cut, which then has the whole step of e. */
void predict_rows_join(const struct predict_rows *r, uint32_t e, uint32_t *cut);

#endif
