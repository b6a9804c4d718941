/*
 * Control flow of one function: blocks in reverse postorder, immediate dominators (the iterative
 * algorithm of Cooper, Harvey and Kennedy), natural loops.
 *
 * A back edge is an edge whose target dominates its source; the natural loop of a header is the
 * set of blocks from which some back edge to it is reached without passing the header.  Cycles
 * without such a header (irreducible flow) are not loops here.  Unreachable blocks are left out.
 */
#ifndef HEDDLE_IR_CFG_H
#define HEDDLE_IR_CFG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <llvm-c/Types.h>

#include "base/vec.h"
#include "ir/ptrmap.h"

struct cfg_loop {
	uint32_t header;
	VEC(uint32_t) latches; /* sources of back edges to the header */
	VEC(uint32_t) body;    /* blocks, the header included */
	bool *inside;	       /* per block */
};

struct cfg {
	VEC(LLVMBasicBlockRef) blocks; /* reverse postorder; 0 is the entry */
	uint32_t *idom;
	VEC(struct cfg_loop) loops; /* one per header */
	struct ptrmap index;	    /* block -> its number */
};

void cfg_init(struct cfg *c, LLVMValueRef function);
void cfg_fini(struct cfg *c);
bool cfg_dominates(const struct cfg *c, uint32_t a, uint32_t b);
/* Number of a block; false when it cannot be reached. */
bool cfg_index(const struct cfg *c, LLVMBasicBlockRef block, uint32_t *index);

/*
 * Where who comes from one block into another goes on behind that, when a switch on a number
 * decides that follows from where he came; NULL when it does not.  `break' out of a scope with
 * variables goes through the end of the scope, and such a number says where to from there.
 */
LLVMBasicBlockRef cfg_next(LLVMBasicBlockRef from, LLVMBasicBlockRef block);

/*
 * Puts a block of its own on the edges from one block to another and returns it; NULL when the
 * source does not end in a branch, switch or invoke.  The numbering of a struct cfg does not know
 * the block.
 */
LLVMBasicBlockRef cfg_split_edge(LLVMBasicBlockRef from, LLVMBasicBlockRef to);

#endif
