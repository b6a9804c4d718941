/* Shared by causal.c and the encoders enc_order.c, enc_sync.c, enc_rf.c. */
#ifndef HEDDLE_SOLVE_CAUSAL_PRIV_H
#define HEDDLE_SOLVE_CAUSAL_PRIV_H

#include "solve/causal.h"

#define CAUSAL_NONE UINT32_MAX

struct causal_list {
	VEC_FIELDS(uint32_t);
};

/* Variables by pair: of nodes (order atoms), of read and write (sources), of read and value. */
struct causal_slot {
	uint64_t a, b;
	uint32_t var;
};

struct causal_table {
	struct causal_slot *slots; /* var = CAUSAL_NONE: free */
	size_t capacity, used;
};

struct solve_causal {
	const struct solve_event *events;
	uint32_t n;
	struct solve_causal_opts o;
	struct solve_formula f;
	struct solve_backend *backend;
	struct solve_model model;

	/* Must-happen-before: direct predecessors of each event, and the closure as bit rows. */
	struct causal_list preds;
	uint32_t *pred_first; /* [n + 1] */
	uint64_t *after;      /* row of a: events that must come after a */
	size_t row;	      /* words of a row */

	uint32_t *po;	     /* events by thread and program order */
	uint32_t *po_place;  /* place in po */
	uint32_t *own;	     /* reads: newest earlier write of the own thread to the location */
	uint32_t *by_object; /* accesses by location; its group: */
	uint32_t *group_begin, *group_end;

	/*
	 * Kept reads of locations with atomic accesses may take their value from the target: in(e)
	 * implies a source of the history or extra(e), and extra(e) implies a source in one of the
	 * targets so far or the next extra(e), which questions assume false.
	 */
	uint32_t *extra;	    /* last variable of that chain or CAUSAL_NONE */
	struct causal_list offered; /* targets in such chains; all but one are assumed false */

	uint32_t *kept;	 /* NULL without dependences; reads: their variable */
	uint32_t *whole; /* writes: "what it depends on is kept", CAUSAL_NONE: nothing */

	struct causal_table orders, sources, targets;
	struct causal_list lits; /* scratch */
	VEC(solve_lit) assumptions;
	struct solve_lits core;
};

static inline bool causal_before(const struct solve_causal *c, uint32_t a, uint32_t b)
{
	return c->after[a * c->row + b / 64] >> (b % 64) & 1;
}

static inline solve_lit causal_in(uint32_t e)
{
	return solve_pos(e); /* the first n variables of the formula */
}

/* Read e returns what it returned. */
static inline solve_lit causal_kept(const struct solve_causal *c, uint32_t e)
{
	return c->kept ? solve_pos(c->kept[e]) : causal_in(e);
}

/* Whether the encoding lets event e depend on read r, which must happen before it. */
static inline bool causal_depends(const struct solve_causal *c, uint32_t r, uint32_t e)
{
	return !c->o.depends || c->o.depends(c->o.depends_arg, r, e);
}

/* a < b as a literal or a constant. */
solve_lit causal_order(struct solve_causal *c, uint32_t a, uint32_t b);
/* Entry for (a, b), made with var = CAUSAL_NONE when new. */
struct causal_slot *causal_table_get(struct causal_table *t, uint64_t a, uint64_t b);

/* enc_order.c: predecessors, closure, fixed edges, in(e) -> in(p). */
void causal_encode_order(struct solve_causal *c);
/* enc_sync.c: critical sections. */
void causal_encode_sync(struct solve_causal *c);
/* enc_dep.c: variables kept and whole; the reads a target depends on. */
void causal_encode_dependences(struct solve_causal *c);
void causal_keep_for_target(struct solve_causal *c, solve_lit v, uint32_t e);
/* enc_rf.c: sources of all reads for the values they had; the variable of a target. */
void causal_encode_reads(struct solve_causal *c);
solve_lit causal_encode_target(struct solve_causal *c, const struct solve_target *t);

#endif
