/*
 * Intrinsics that touch memory, order it or ask the processor.  What has a form of its own in the
 * language of the instrumenter is put into it before anything else is looked at; the rest is either
 * known to do nothing to the program's memory, or opaque.
 */
#ifndef HEDDLE_INSTR_INTRINSIC_H
#define HEDDLE_INSTR_INTRINSIC_H

#include "base/err.h"
#include "instr/unit.h"

/* Masked and gathered accesses to single ones, fences to fences, counters to the clock. */
int intrinsic_translate(struct unit *u, struct err *e);
/* True when the call is of an intrinsic that may touch memory nobody here knows of. */
bool intrinsic_is_opaque(LLVMValueRef call);

#endif
