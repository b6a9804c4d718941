/*
 * Control dependence in a function: which ends of blocks decide whether a block runs (Ferrante,
 * Ottenstein, Warren, "The program dependence graph and its use in optimization", 1987).  Loops are
 * taken to end; one that cannot gets a way out of its own.
 */
#ifndef HEDDLE_ANALYZE_SLICE_CONTROL_H
#define HEDDLE_ANALYZE_SLICE_CONTROL_H

#include "ir/cfg.h"

struct control_list {
	VEC_FIELDS(uint32_t);
};

struct control {
	uint32_t count;
	struct control_list *on; /* by block: blocks whose ends decide whether it runs */
	bool *reach;		 /* by pair of blocks: from the one to the other by some edge */
};

void control_init(struct control *c, const struct cfg *cfg);
void control_fini(struct control *c);

/* May block `to' run behind the end of `from'? */
static inline bool control_reaches(const struct control *c, uint32_t from, uint32_t to)
{
	return !c->reach || c->reach[(size_t)from * c->count + to];
}

#endif
