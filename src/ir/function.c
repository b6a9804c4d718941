#include "ir/function.h"

#include <string.h>

#include <llvm-c/Core.h>

bool ir_function_has(LLVMValueRef function, const char *attribute)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(attribute, strlen(attribute));

	return LLVMGetEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
					   kind) != NULL;
}

const char *ir_function_intrinsic(LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	size_t bytes;

	if (!callee || !LLVMIsAFunction(callee) || !LLVMGetIntrinsicID(callee))
		return "";
	return LLVMGetValueName2(callee, &bytes);
}
