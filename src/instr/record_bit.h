/*
 * Code that leaves a way in the thread's stream of bits.  Private to instr.
 *
 * The word under way lies in the shared mapping, and every bit is stored there at once: whatever ends
 * the process, nothing is lost.  But it is not loaded for every bit.  A function with marked points
 * keeps two locals, where the word lies and what is in it, which the optimiser turns into registers;
 * they are read at its entry and again behind every call, because what was called may have written
 * bits of its own.  So a bit is a shift, a store nobody waits for, and a branch that is almost never
 * taken; of the chain from bit to bit only the shift is left.
 *
 * Stores are volatile (no store is left out or moved behind an access that may fail), loads are not (a
 * load whose value is not used disappears, and one behind an inlined call becomes the value stored).
 * Both have types of their own for alias analysis and do not stand in the way of others.
 */
#ifndef HEDDLE_INSTR_RECORD_BIT_H
#define HEDDLE_INSTR_RECORD_BIT_H

#include "instr/unit.h"

#define RECORD_BITS_SPILL "heddle_record_spill"

struct record_bits {
	struct unit *u;
	LLVMValueRef global;	      /* heddle_record_at */
	LLVMValueRef place_tag, word_tag; /* of accesses to it and to the word; may be NULL */
	unsigned tbaa;
	LLVMValueRef bit, push, path; /* helpers that are inlined everywhere */
	uint32_t unit;		      /* of paths */
	LLVMValueRef at, word;	 /* locals of the function under way */
};

void record_bits_init(struct record_bits *b, struct unit *u);
/*
 * Gives a function its locals, read wherever they may have changed.  To be called before anything
 * is added to it.
 */
void record_bits_enter(struct record_bits *b, LLVMValueRef function);
/* A branch of two ways: 1 on the way it takes when its condition holds. */
void record_bits_branch(struct record_bits *b, LLVMValueRef branch);
/* At u->build: a number of so many bits, highest first; the function at an address. */
void record_bits_number(struct record_bits *b, LLVMValueRef value, unsigned bits);
void record_bits_target(struct record_bits *b, LLVMValueRef address);

/* For numbers of paths instead of bits: a word each. */
void record_bits_init_paths(struct record_bits *b, uint32_t unit);
/* At u->build: the number of a path, an i32, unless it is 0; the function at an address. */
void record_bits_path(struct record_bits *b, LLVMValueRef number);
void record_bits_path_target(struct record_bits *b, LLVMValueRef address);

#endif
