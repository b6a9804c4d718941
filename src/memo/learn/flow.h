/* Blocks of register code, and which block all ways from a block must come to. */
#ifndef HEDDLE_MEMO_LEARN_FLOW_H
#define HEDDLE_MEMO_LEARN_FLOW_H

#include "symex/code/code.h"

#define FLOW_NONE UINT32_MAX

struct flow_block {
	uint32_t first, last; /* instructions */
	VEC(uint32_t) next;   /* blocks */
	bool ends;	      /* leaves the function */
};

struct flow {
	VEC(struct flow_block) blocks;
	uint32_t *block_of; /* by instruction */
	uint32_t *meets; /* by block: its immediate post-dominator; FLOW_NONE: the end, or none */
};

void flow_make(struct flow *f, const struct code *code);
void flow_free(struct flow *f);
/* in[b]: block b lies between `from' and `until', on any way. */
void flow_between(const struct flow *f, uint32_t from, uint32_t until, bool *in);

#endif
