/* Small questions about functions and calls. */
#ifndef HEDDLE_IR_FUNCTION_H
#define HEDDLE_IR_FUNCTION_H

#include <stdbool.h>

#include <llvm-c/Types.h>

/* True when the function carries the attribute of that name. */
bool ir_function_has(LLVMValueRef function, const char *attribute);
/* Name of the intrinsic a call instruction calls, "" for other calls. */
const char *ir_function_intrinsic(LLVMValueRef call);

#endif
