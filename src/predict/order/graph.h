/*
 * The polygraph of one question, without its quadratic part.
 *
 * Idea.  A node is active when it must be executed before the state asked for.  Active sets are
 * prefixes of threads (cut).  Each active event has a row: the least cut that must precede it.  The
 * rows start as the rows of the hard order (rows.h) and grow by edges; because threads are chains,
 * "u before v" is one comparison.  A polyedge <rel1 -> acq2, rel2 -> acq1> or
 * <w' -> w, r -> w'> is never stored: when a row grows, a binary search per thread finds the
 * strongest consequence, the rest follows by program order.
 *
 * Rules, all of them consequences every solution has:
 *   - an edge u -> v makes u and everything before it active; activating an event at or after a
 *     target is a conflict; so is a cycle;
 *   - for a section (acq, rel) of a lock: the last section of another thread whose acquisition is
 *     before rel (or before the last active event of the thread while rel is not active) must be
 *     released before acq; a section that can never be released must come last;
 *   - for a read r of w: the last other write of each thread that is before r is before w; the
 *     first other write of each thread that is after w is after r; a read of the initial value is
 *     before every write.
 *
 * Everything can be undone to a mark, so a search can try options.
 *
 * Deviation from the published rules: the memory polyedge is the per-read form,
 * which has the same solutions and needs no dummy reads.
 */
#ifndef HEDDLE_PREDICT_GRAPH_H
#define HEDDLE_PREDICT_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "predict/order/core.h"
#include "predict/order/question.h"
#include "predict/order/rows.h"

/* What a graph is built over; borrowed. */
struct predict_base {
	const struct predict_core *core;
	const struct predict_rows *sync;  /* ROWS_SYNC */
	const struct predict_rows *reads; /* ROWS_READS */
	const struct predict_rows
		*direct; /* ROWS_DIRECT, NULL unless the direct variant is asked */
};

struct predict_graph;

struct predict_graph *predict_graph_new(const struct predict_base *base);
void predict_graph_free(struct predict_graph *g);

/*
 * Starts a question.  direct: the section rule looks at single edges only (the published Rule 1).
 * False when the hard order alone contradicts it.
 */
bool predict_graph_begin(struct predict_graph *g, const struct predict_question *q,
			 enum predict_model model, bool direct);
/* Applies the rules until nothing changes; false on conflict. */
bool predict_graph_propagate(struct predict_graph *g);
/* Adds u -> v (v active; u may be PREDICT_NONE: conflict); call propagate after it. */
void predict_graph_require(struct predict_graph *g, uint32_t u, uint32_t v);

/* A mark may be taken when propagate has returned true; undo goes back to it, conflict or not. */
struct predict_graph_mark {
	size_t log, rows;
};
struct predict_graph_mark predict_graph_mark(struct predict_graph *g);
void predict_graph_undo(struct predict_graph *g, struct predict_graph_mark m);

bool predict_graph_conflict(const struct predict_graph *g);
const struct predict_core *predict_graph_core(const struct predict_graph *g);
/* Number of active events of a thread. */
uint32_t predict_graph_cut(const struct predict_graph *g, uint32_t thread);
/* Reads of the thread before this position must see their writers. */
uint32_t predict_graph_need(const struct predict_graph *g, uint32_t thread);
/* True when r is active and must see its writer. */
bool predict_graph_constrained(const struct predict_graph *g, uint32_t r);
/* How many events of thread must precede e (or are e); e active. */
uint32_t predict_graph_row(const struct predict_graph *g, uint32_t e, uint32_t thread);
/* u active and before v; v active. */
bool predict_graph_reaches(const struct predict_graph *g, uint32_t u, uint32_t v);
/* Edges added since begin, for statistics. */
uint64_t predict_graph_edges(const struct predict_graph *g);

/* An undecided alternative: u1 -> v1 (as in the trace) or u2 -> v2.  u may be inactive or NONE. */
struct predict_poly {
	uint32_t u1, v1, u2, v2;
};
/* Calls visit for every open alternative until it returns false. */
typedef bool (*predict_poly_fn)(void *context, const struct predict_poly *p);
void predict_graph_open(const struct predict_graph *g, predict_poly_fn visit, void *context);

#endif
