/*
 * Conditions that need not hold (slicing).
 *
 * Between a harmless branch (shape.h) and the place where its ways meet, other inputs may take
 * other ways.  Behind that place everything they could have changed is therefore a fresh unknown,
 * which stands for what it was in this run.  Only when such an unknown reaches a condition that has
 * to hold do the conditions between have to hold too, and then the unknown is what it was.
 *
 * What other ways could touch is kept with the place in the schedule: if another thread touches the
 * same at the same time, the conditions between have to hold as well (races.h).
 */
#ifndef HEDDLE_MEMO_LEARN_BETWEEN_H
#define HEDDLE_MEMO_LEARN_BETWEEN_H

#include "memo/learn/shape.h"

struct follow;

struct between_range {
	uint64_t addr, bytes;
};

/* One passing of a harmless branch. */
struct between {
	const struct shape *shape;
	VEC(struct between_range) writes;
	bool kept; /* its conditions have to hold */
};

/* An unknown behind it, by read of the trace. */
struct between_unknown {
	uint32_t between; /* number, from 1; 0: no such unknown */
	expr_id was;	  /* what it stands for; EXPR_NONE: the value */
	uint64_t value;
};

/* machine_values.enter and .leave; arg is the follow. */
bool between_enter(void *arg, struct machine_thread *t, struct code *code, uint32_t at,
		   uint32_t *join, uint32_t *between);
void between_leave(void *arg, struct machine_thread *t);

/* The conditions that have to hold, with nothing but inputs in them. */
struct between_result {
	VEC_FIELDS(expr_id);
};
void between_resolve(struct follow *f, struct between_result *out);

#endif
