/*
 * The record flavour: the canonical form of a unit (ir/canon.h) in which every marked point leaves
 * the way it took in the thread's stream (wire/record.h), and nothing else is changed.
 *
 * A bit costs a shift, a store and a branch that is almost never taken (record_bit.h).  The word under
 * way lies in the shared mapping itself, so nothing is lost whatever ends the process.  Only when a
 * word is full the runtime is called, in a convention that leaves the registers alone.
 *
 * Functions without a marked point have no code of ours at all.
 */
#ifndef HEDDLE_INSTR_RECORD_H
#define HEDDLE_INSTR_RECORD_H

#include "instr/unit.h"
#include "ir/canon.h"
#include "wire/record.h"

/* Which points of a unit are recorded. */
struct record_choice {
	struct record_marks head;
	VEC(uint64_t) words;
};

/* What the unit alone tells: every point, or (all false) those that depend on more than constants. */
void record_choose(struct record_choice *c, LLVMModuleRef canonical, bool all);
static inline bool record_chosen(const struct record_choice *c, uint32_t point)
{
	return point / 64 < c->words.count && (c->words.items[point / 64] >> (point % 64) & 1);
}

/* Takes back points in functions that must not be changed. */
void record_take_back(struct unit *u, struct record_choice *c);
bool record_may_change(LLVMValueRef function);
/* Puts recording code at the chosen points of u->mod, which is in canonical form. */
void record_points(struct unit *u, struct record_choice *c);
/* To be called at the end: a call that leaves bits may neither be left out nor made twice. */
void record_drop_promises(struct unit *u);
/* At u->build: which successor a computed goto takes. */
LLVMValueRef record_goto_direction(struct unit *u, LLVMValueRef jump);
/* Are the results of this function in the log?  Do they follow from what is kept anyway? */
bool record_input_logged(const char *symbol);
bool record_input_same(const char *symbol);
/* What a point decides on: condition, value, pointer. */
LLVMValueRef record_condition(LLVMValueRef point);

#endif
