/*
 * The part of a trace that can constrain a reordering, in the form the analyses walk.
 *
 * Left out are accesses of locations that only one thread touches or nobody writes, and sections of
 * locks that only one thread takes: they never exclude an order.  What remains is numbered thread
 * by thread, so the program-order neighbours of core event c are c - 1 and c + 1 (inside the
 * thread's range), and its position is c - start[thread].  Trace order is the order of ev[].
 *
 * Sets of executed events are always prefixes of threads; they are written as cuts: for each thread
 * the number of its core events that are in.  A row of an event is the least cut that contains
 * everything that must come before it, see rows.h.
 *
 * An index maps a key (a lock, a location, a write) to groups, one per thread, of core events in
 * program order.  Binary searches inside groups replace the quadratic number of polyedges.
 */
#ifndef HEDDLE_PREDICT_CORE_H
#define HEDDLE_PREDICT_CORE_H

#include <stdbool.h>
#include <stdint.h>

#include "predict/read/trace.h"

struct predict_group {
	uint32_t thread;
	uint32_t begin, end; /* in items */
};

struct predict_index {
	uint32_t *first; /* [keys + 1] into groups */
	struct predict_group *groups;
	uint32_t *items;
};

struct predict_core {
	const struct predict_trace *t;
	uint32_t n, threads;
	uint32_t *start;  /* [threads + 1] */
	uint32_t *ev;	  /* event of the trace */
	uint32_t *thread; /* of a core event */
	uint32_t *object;
	uint8_t *op;
	uint8_t *shared; /* acq/rel of the read side */
	uint32_t *rf;	 /* core event, PREDICT_NONE = initial value or not a read */
	uint32_t *match; /* core event or PREDICT_NONE */
	uint32_t *head;	 /* first core event of its step; NULL when every event is a step */
	uint32_t *tail;	 /* last one; NULL with head */
	uint32_t *of;	 /* [events of the trace]: core event or PREDICT_NONE */
	/* Hard edges other than program order: fork, join, signal. */
	uint32_t *pred_first, *pred; /* [n + 1] and the sources */
	uint32_t *succ_first, *succ;
	uint32_t *by_trace; /* core events in trace order */

	struct predict_index sections;	 /* lock -> acq, all modes */
	struct predict_index exclusives; /* lock -> acq, exclusive only */
	struct predict_index writes;	 /* location -> writes */
	struct predict_index initials;	 /* location -> reads of the initial value */
	struct predict_index readers;	 /* write -> its reads */
	struct predict_index accesses;	 /* location -> all accesses */
};

/* keep[e] (may be NULL) forces trace event e into the core: events named by a question. */
struct predict_core *predict_core_new(const struct predict_trace *t, const uint8_t *keep);
void predict_core_free(struct predict_core *c);

static inline uint32_t predict_core_pos(const struct predict_core *c, uint32_t e)
{
	return e - c->start[c->thread[e]];
}

/* Steps: edges into one end at its head, edges out of one begin at its tail. */
static inline uint32_t predict_core_head(const struct predict_core *c, uint32_t e)
{
	return c->head != NULL ? c->head[e] : e;
}

static inline uint32_t predict_core_tail(const struct predict_core *c, uint32_t e)
{
	return c->tail != NULL ? c->tail[e] : e;
}

static inline bool predict_core_one_step(const struct predict_core *c, uint32_t u, uint32_t v)
{
	return predict_core_head(c, u) == predict_core_head(c, v);
}

static inline bool predict_core_is_access(const struct predict_core *c, uint32_t e)
{
	return predict_op_accesses(c->op[e]);
}

/* First core event of the thread of e at or after e in program order that is trace event >= e;
 * PREDICT_NONE when the thread has none.  e is a trace event. */
uint32_t predict_core_at_or_after(const struct predict_core *c, uint32_t e);
/* The core event of a read that may see another value (question.h): only a step by itself may. */
uint32_t predict_core_exempt(const struct predict_core *c, uint32_t exempt);

/* Last item of the group with position below limit, PREDICT_NONE when there is none. */
uint32_t predict_core_last_below(const struct predict_core *c, const struct predict_index *x,
				 const struct predict_group *g, uint32_t limit);
/* First item of the group with position at least from, PREDICT_NONE when there is none. */
uint32_t predict_core_first_from(const struct predict_core *c, const struct predict_index *x,
				 const struct predict_group *g, uint32_t from);

#endif
