/*
 * What lies between a branch and the place where its ways meet again (its immediate
 * post-dominator), whichever way is taken: found in the code alone, for all runs.
 *
 * A branch is *harmless* when no way synchronises, ends the thread, or does anything but compute,
 * read and write: then all that other inputs can change there are the words of the frame in `slots'
 * and the memory in `touches'.
 *
 * A touch names memory by a path: a word of the frame at the branch or a constant, then loads at
 * offsets.  The last address may be moved within its object (loose).  That programs stay inside the
 * object a pointer points into is taken for granted.
 */
#ifndef HEDDLE_MEMO_LEARN_SHAPE_H
#define HEDDLE_MEMO_LEARN_SHAPE_H

#include "symex/machine/machine.h"

#define SHAPE_LOADS 4

enum shape_root {
	SHAPE_SLOT,
	SHAPE_CONSTANT,
	SHAPE_FRESH /* memory that is made and forgotten between */
};

struct shape_path {
	uint8_t root; /* enum shape_root */
	uint8_t loads;
	bool loose;
	uint64_t value; /* slot or constant */
	int64_t offsets[SHAPE_LOADS];
	int64_t offset; /* behind the last load */
};

struct shape_touch {
	struct shape_path path;
	uint32_t bytes; /* 0: unknown */
	bool write;
	bool private; /* nobody else can reach it */
};

struct shape_slots {
	uint32_t first, count;
};

struct shape {
	bool harmless;
	uint32_t join; /* instruction where the ways meet */
	VEC(struct shape_slots) slots;
	VEC(struct shape_touch) touches;
};

struct shapes;

struct shapes *shapes_new(struct symex_program *p);
void shapes_free(struct shapes *s);
/* Of the branch or switch at instruction `at'; kept by s. */
const struct shape *shapes_of(struct shapes *s, struct code *code, uint32_t at);

#endif
