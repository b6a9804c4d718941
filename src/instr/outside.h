/*
 * Calls of functions outside: the guest is told the effects and the arguments before the call, and
 * the result after it (wire/outside.h).
 */
#ifndef HEDDLE_INSTR_OUTSIDE_H
#define HEDDLE_INSTR_OUTSIDE_H

#include "instr/unit.h"

/* How the names of texts of effects begin. */
#define OUTSIDE_EFFECTS "heddle.effects."

/*
 * Hooks around a call.  effects: NULL when the target is only known when it is called.  site: of the
 * call.  The builder stands before the call and does so again afterwards.
 */
void outside_mark(struct unit *u, LLVMValueRef call, const char *effects, LLVMValueRef site);

#endif
