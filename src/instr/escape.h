/*
 * Which memory needs no watching: locals whose address never leaves the function, and constants.
 *
 * A local is private when every use of its address, followed through address arithmetic, is a load,
 * a store to it, a block operation on it, a comparison, or a marker (lifetime, debug, va_start).
 * Anything else (stored somewhere, passed to a call, merged with another pointer) lets it escape.
 */
#ifndef HEDDLE_INSTR_ESCAPE_H
#define HEDDLE_INSTR_ESCAPE_H

#include <stdbool.h>

#include <llvm-c/Types.h>

#include "ir/ptrmap.h"

struct escape {
	struct ptrmap private; /* allocas and by-value arguments that stay inside */
};

void escape_init(struct escape *x, LLVMValueRef function);
void escape_fini(struct escape *x);

/* True when the address lies in private memory of the function. */
bool escape_is_private(const struct escape *x, LLVMValueRef address);
/* True when the address lies in a constant global. */
bool escape_is_constant(LLVMValueRef address);
/* True when the address lies in a thread-local variable. */
bool escape_is_thread_local(LLVMValueRef address);
/* The object an address is computed from. */
LLVMValueRef escape_root(LLVMValueRef address);

#endif
