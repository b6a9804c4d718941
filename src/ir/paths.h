/*
 * Numbers of paths (Ball and Larus, "Efficient path profiling", MICRO-29, 1996), as the recorder of
 * CLAP uses them: what a thread did between two ends of paths is one number.
 *
 * A path begins at the entry of a function, behind a call, and where a back edge leads; it ends at a
 * back edge, in front of a call and of a return.  In between the graph has no cycles.  n(b) is the
 * number of paths from the end of block b on; the two ways of a branch begin at 0 and at the number
 * of paths of the first way, so that the sum along a path tells it from all others with the same
 * first branch.  To tell the first branch too, the paths of a unit have a base by first branch,
 * counted from 1; a path without a branch is 0 and need not be said.
 *
 * Deviations: calls end paths, so that the numbers of a thread stand in the order of execution; a
 * switch (or a branch whose ways lead to one block, or a computed goto) is a path of its own, whose
 * number is the way; blocks with more than a bound of paths end them.
 */
#ifndef HEDDLE_IR_PATHS_H
#define HEDDLE_IR_PATHS_H

#include "ir/canon.h"
#include "ir/cfg.h"

#define IR_PATHS_NO_POINT UINT32_MAX

struct ir_path_block {
	LLVMBasicBlockRef block;
	uint64_t paths;	  /* from its end on */
	uint32_t first;	  /* point at or behind its end, IR_PATHS_NO_POINT: the path ends without one */
	bool calls;	  /* something in it ends paths */
	bool cut_in;	  /* paths end on all ways to it */
	bool cut_out;	  /* and on all ways from it */
};

/* One function. */
struct ir_paths {
	struct cfg cfg;
	VEC(struct ir_path_block) blocks; /* as in cfg.blocks */
};

/* May the instruction run code that has paths of its own? */
bool ir_paths_is_end(LLVMValueRef instruction);

/*
 * No block has more than about bound paths.  What is asked afterwards does not look at the code again,
 * which may have changed.
 */
void ir_paths_init(struct ir_paths *p, LLVMValueRef function, uint64_t bound);
void ir_paths_fini(struct ir_paths *p);

/* A branch whose ways are added up; false: its way is a path of its own. */
bool ir_paths_adds(LLVMValueRef terminator);
/* Does a path end on the way from a block to another? */
bool ir_paths_ends_on(const struct ir_paths *p, uint32_t from, uint32_t to);
/* The first point of a path that comes to a block. */
uint32_t ir_paths_first_in(const struct ir_paths *p, uint32_t block);
/* How many paths a way has. */
uint64_t ir_paths_on(const struct ir_paths *p, uint32_t from, uint32_t to);

#endif
