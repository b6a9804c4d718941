/*
 * Debug information the C API has no getters for: operands of metadata nodes by position (stable
 * within LLVM 19), source locations, names of functions as the user wrote them.
 */
#ifndef HEDDLE_IR_DEBUG_H
#define HEDDLE_IR_DEBUG_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Types.h>

#include "base/strbuf.h"

struct ir_location {
	const char *file, *dir; /* borrowed from the module, not NUL-terminated */
	unsigned file_bytes, dir_bytes;
	uint32_t line, column;
	LLVMMetadataRef subprogram; /* NULL when unknown */
};

/*
 * Where the user wrote an instruction.  Code inlined from system headers is placed where the user's
 * code called it; without a location of its own, the line of the function.  False when the function
 * has no debug information at all.
 */
bool ir_debug_location(LLVMValueRef instruction, struct ir_location *out);
/* The head of a function. */
bool ir_debug_function_location(LLVMValueRef function, struct ir_location *out);

/* Operand of a metadata node; NULL when absent. */
LLVMMetadataRef ir_debug_operand(LLVMContextRef ctx, LLVMMetadataRef node, unsigned index);
/* Operand that is a string, borrowed and with its length; NULL when absent. */
const char *ir_debug_string(LLVMContextRef ctx, LLVMMetadataRef node, unsigned index,
			    unsigned *bytes);

/* Positions of operands. */
enum ir_debug_position {
	DEBUG_VARIABLE_NAME = 1,
	DEBUG_VARIABLE_TYPE = 3,
	DEBUG_SCOPE = 1, /* of types, namespaces, subprograms */
	DEBUG_NAME = 2,
	DEBUG_TYPE_BASE = 3,
	DEBUG_TYPE_ELEMENTS = 4,
	DEBUG_UNIT_GLOBALS = 6,
};

/* "push", "Queue::push", "ns::f". */
void ir_debug_subprogram_name(LLVMContextRef ctx, LLVMMetadataRef subprogram, struct strbuf *to);

#endif
