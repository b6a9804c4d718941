#include "deps/alias.h"

#include <stddef.h>

#include <llvm-c/Core.h>

#define MAX_DEPTH 32

LLVMValueRef deps_alias_tag(LLVMValueRef access)
{
	LLVMContextRef ctx = LLVMGetTypeContext(LLVMTypeOf(access));

	if (!LLVMIsALoadInst(access) && !LLVMIsAStoreInst(access))
		return NULL;
	return LLVMHasMetadata(access)
		       ? LLVMGetMetadata(access, LLVMGetMDKindIDInContext(ctx, "tbaa", 4))
		       : NULL;
}

static LLVMValueRef operand(LLVMValueRef node, unsigned i)
{
	LLVMValueRef all[256];
	int n = node && LLVMIsAMDNode(node) ? LLVMGetMDNodeNumOperands(node) : 0;

	if (n > 256 || i >= (unsigned)n)
		return NULL;
	LLVMGetMDNodeOperands(node, all);
	return all[i];
}

/* The type above a scalar type; NULL at the root. */
static LLVMValueRef above(LLVMValueRef type)
{
	return type && LLVMIsAMDNode(type) && LLVMGetMDNodeNumOperands(type) >= 2 ? operand(type, 1)
										  : NULL;
}

static bool is_below(LLVMValueRef type, LLVMValueRef ancestor)
{
	for (unsigned i = 0; type && i < MAX_DEPTH; i++) {
		if (type == ancestor)
			return true;
		type = above(type);
	}
	return false;
}

bool deps_alias_may(LLVMValueRef a, LLVMValueRef b)
{
	LLVMValueRef type_a = operand(a, 1), type_b = operand(b, 1);
	LLVMValueRef base_a = operand(a, 0), base_b = operand(b, 0);

	if (!a || !b || a == b || !type_a || !type_b || !base_a || !base_b)
		return true;
	if (!is_below(type_a, type_b) && !is_below(type_b, type_a))
		return false;
	/* The same member of the same structure, or of different ones that may hold each other. */
	if (base_a == base_b && base_a != type_a)
		return operand(a, 2) == operand(b, 2);
	return true;
}
