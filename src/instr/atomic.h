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
 * Calls of libatomic, which the compiler makes for structures and for sixteen bytes (libatomic.c).
 * Arithmetic on sixteen bytes stays a call of code that nobody knows.
 */
bool atomic_libcall(struct unit *u, LLVMValueRef call);
bool atomic_fence(struct unit *u, LLVMValueRef fence);

/* The site of an atomic access; kind is an enum event_kind. */
LLVMValueRef atomic_site(struct unit *u, LLVMValueRef instruction, LLVMValueRef address,
			 uint8_t kind, uint64_t size);

#endif
