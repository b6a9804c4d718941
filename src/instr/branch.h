/* Branch markers: which way a branch went whose condition depends on data; and what is compared. */
#ifndef HEDDLE_INSTR_BRANCH_H
#define HEDDLE_INSTR_BRANCH_H

#include "instr/unit.h"
#include "ir/cfg.h"

/* Puts a marker before a conditional branch or switch that depends on a load, call or argument. */
void branch_mark(struct unit *u, const struct cfg *c, LLVMValueRef terminator);
/*
 * Puts a marker before a comparison of two pointers either of which may have been kept from before
 * what it points to was freed.
 */
void branch_compare(struct unit *u, LLVMValueRef comparison);
/* True when the value is more than arithmetic on constants, through any number of steps. */
bool branch_depends_on_data(LLVMValueRef value);
/* The number of the successor a switch takes, as a value; successor 0 is the default. */
LLVMValueRef branch_switch_direction(struct unit *u, LLVMValueRef terminator);

#endif
