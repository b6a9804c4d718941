#include "ir/header.h"

#include <stdbool.h>
#include <string.h>

#include <llvm-c/Comdat.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "base/debug.h"
#include "base/vec.h"
#include "ir/debug.h"
#include "ir/function.h"
#include "ir/module.h"

#define MAX_INSTRUCTIONS 40

struct kept {
	LLVMValueRef function;
	LLVMLinkage linkage;
	LLVMComdatRef comdat;
};

/* Instructions that count, or more than the limit when the function calls itself. */
static unsigned weigh(LLVMValueRef function)
{
	unsigned n = 0;

	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
	     b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
		     i = LLVMGetNextInstruction(i)) {
			if (LLVMIsACallInst(i) && *ir_function_intrinsic(i))
				continue;
			if ((LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)) &&
			    LLVMGetCalledValue(i) == function)
				return MAX_INSTRUCTIONS + 1;
			if (++n > MAX_INSTRUCTIONS)
				return n;
		}
	return n;
}

static bool is_small_header_function(LLVMValueRef function)
{
	struct ir_location at;

	if (LLVMIsDeclaration(function) ||
	    LLVMGetLinkage(function) == LLVMAvailableExternallyLinkage ||
	    LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)))
		return false;
	if (!ir_debug_function_location(function, &at) ||
	    !debug_is_system_file(at.file, at.file_bytes))
		return false;
	return weigh(function) <= MAX_INSTRUCTIONS;
}

/* Without optimisation clang marks every function noinline; that is not the user's wish. */
static void mark_inline(LLVMContextRef ctx, LLVMValueRef function)
{
	LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
	unsigned always = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
	unsigned never = LLVMGetEnumAttributeKindForName("noinline", 8);

	LLVMRemoveEnumAttributeAtIndex(function, at, never);
	LLVMAddAttributeAtIndex(function, at, LLVMCreateEnumAttribute(ctx, always, 0));
}

int ir_header_inline(LLVMModuleRef mod, struct err *e)
{
	LLVMContextRef ctx = LLVMGetModuleContext(mod);
	VEC(struct kept) list = VEC_INIT;
	int rc;

	for (LLVMValueRef f = LLVMGetFirstFunction(mod); f; f = LLVMGetNextFunction(f)) {
		struct kept k = {f, LLVMGetLinkage(f), LLVMGetComdat(f)};

		if (LLVMIsDeclaration(f))
			continue;
		if (is_small_header_function(f))
			mark_inline(ctx, f);
		if (!ir_function_has(f, "alwaysinline"))
			continue;
		/* Whoever takes its address still needs a body: the pass must not drop it. */
		LLVMSetComdat(f, NULL);
		LLVMSetLinkage(f, LLVMExternalLinkage);
		vec_push(&list, k);
	}
	rc = list.count ? ir_module_run_passes(mod, "always-inline", e) : 0;
	for (size_t i = 0; i < list.count; i++) {
		LLVMSetLinkage(list.items[i].function, list.items[i].linkage);
		LLVMSetComdat(list.items[i].function, list.items[i].comdat);
	}
	vec_free(&list);
	return rc ? rc : ir_module_run_passes(mod, "elim-avail-extern", e);
}
