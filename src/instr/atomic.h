/*
 * Atomic accesses of every size and order, and fences.  Each function replaces the instruction and
 * returns true, or returns false and leaves it when it works on private memory.
 */
#ifndef HEDDLE_INSTR_ATOMIC_H
#define HEDDLE_INSTR_ATOMIC_H

#include "instr/escape.h"
#include "instr/unit.h"

/* True for a load or store with an atomic order. */
bool atomic_is(LLVMValueRef instruction);

bool atomic_load(struct unit *u, const struct escape *x, LLVMValueRef load);
bool atomic_store(struct unit *u, const struct escape *x, LLVMValueRef store);
bool atomic_rmw(struct unit *u, const struct escape *x, LLVMValueRef rmw);
bool atomic_cmpxchg(struct unit *u, const struct escape *x, LLVMValueRef cmpxchg);
/*
 * Calls the compiler makes because the target has no instruction for sixteen bytes.  Those that are
 * not expanded (exchange, arithmetic, other sizes) stay calls: opaque, so they happen in one step.
 */
bool atomic_libcall(struct unit *u, LLVMValueRef call);
bool atomic_fence(struct unit *u, LLVMValueRef fence);

#endif
