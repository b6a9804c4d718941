/*
 * Whole functions: what their attributes promise, who calls them, where their bodies go.  Private to
 * instr.
 */
#ifndef HEDDLE_INSTR_BODY_H
#define HEDDLE_INSTR_BODY_H

#include <stdbool.h>

#include <llvm-c/Core.h>

#include "ir/ptrmap.h"

/* The caller frees it. */
char *body_name_of(LLVMValueRef global);
void body_copy_attributes(LLVMValueRef from, LLVMValueRef to);
/* Takes away what the function says about memory and progress. */
void body_drop_promises(LLVMValueRef function);
/* The same, and what its calls say. */
void body_drop_all_promises(LLVMValueRef function);
/* True when another definition may take this one's place. */
bool body_interposable(LLVMLinkage linkage);
/* A label's address names the very function it is in; such a function keeps those uses. */
bool body_has_label_address(LLVMValueRef function);
/* Every use, except of label addresses and, then, of constants that hold the function. */
void body_redirect_uses(LLVMModuleRef mod, LLVMValueRef from, LLVMValueRef to);
/* Direct calls of one function go to another; only those in the callers, unless that is NULL. */
void body_redirect_calls(LLVMValueRef decl, LLVMValueRef to, const struct ptrmap *callers);
/* True when no use of the function needs its address. */
bool body_only_called(LLVMValueRef function);
/* Gives a second body of a function the linkage that keeps one of it per program at most. */
void body_settle_linkage(LLVMModuleRef mod, LLVMValueRef function, LLVMValueRef body);

#endif
