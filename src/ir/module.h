/* Modules: reading, writing, checking, linking, running passes, with our kind of errors. */
#ifndef HEDDLE_IR_MODULE_H
#define HEDDLE_IR_MODULE_H

#include <stddef.h>

#include <llvm-c/Types.h>

#include "base/err.h"

/* A context whose diagnostics go into the errors of the functions below, not to stderr. */
LLVMContextRef ir_context_new(void);

/* Parses bitcode; bytes are only borrowed.  The caller disposes of *out. */
int ir_module_parse(LLVMContextRef ctx, const void *bytes, size_t n, LLVMModuleRef *out,
		    struct err *e);
/* Writes bitcode atomically. */
int ir_module_write(LLVMModuleRef mod, const char *path, struct err *e);
/* A pipeline in the notation of opt's -passes. */
int ir_module_run_passes(LLVMModuleRef mod, const char *pipeline, struct err *e);
/* ERR_INTERNAL with the verifier's first complaint when the module is broken. */
int ir_module_verify(LLVMModuleRef mod, struct err *e);
/* Moves everything of from into mod; from is gone afterwards, also on failure. */
int ir_module_link(LLVMModuleRef mod, LLVMModuleRef from, struct err *e);

#endif
