/*
 * Instrumented code once more, from the bitcode a binary keeps: for analyses that have to know
 * which instruction stands behind a site of the binary.  The same bitcode gives the same sites in
 * the same order.
 */
#ifndef HEDDLE_INSTR_AGAIN_H
#define HEDDLE_INSTR_AGAIN_H

#include <stddef.h>
#include <stdint.h>

#include <llvm-c/Types.h>

#include "base/err.h"
#include "instr/flavor.h"

struct elements;

struct instr_again {
	LLVMModuleRef mod; /* the instrumented bodies; the caller disposes of it */
	uint32_t sites;	   /* of the unit */
	uint64_t hash;	   /* of its canonical form (ir/canon.h) */
	struct elements *elements; /* in: gets what sites access (element.h), without places; may be NULL */
};

int instr_again(LLVMContextRef ctx, const void *bitcode, size_t bytes,
		const struct instr_flavor *flavor, struct instr_again *out, struct err *e);

/* The hook a call is of, by its symbol without "heddle_hook_"; NULL when it is none. */
const char *instr_again_hook(LLVMValueRef call);
/* The site a hook is called with, counted in its unit; UINT32_MAX when it is called without. */
uint32_t instr_again_site(LLVMValueRef call);

#endif
