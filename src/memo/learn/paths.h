/*
 * Where an address comes from: back through the code of a function, and of those that called it, to
 * words that were there at the branch (shape.h).
 */
#ifndef HEDDLE_MEMO_LEARN_PATHS_H
#define HEDDLE_MEMO_LEARN_PATHS_H

#include "memo/learn/flow.h"
#include "memo/learn/shape.h"

#define PATHS_MAX 8

struct paths {
	struct shape_path items[PATHS_MAX];
	unsigned count;
};

struct paths_frame {
	const struct code *code;
	const struct flow *flow;
	const bool *in; /* of the frame with the branch: its blocks; NULL: all of the function */
	const struct paths_frame *caller;
	const struct code_call *call; /* of the caller */
};

/* All addresses the word may hold when it is used; false: nobody knows. */
bool paths_of(const struct paths_frame *f, uint32_t slot, struct paths *out);
/* The word is this number in every run. */
bool paths_constant(const struct paths_frame *f, uint32_t slot, uint64_t *value);

#endif
