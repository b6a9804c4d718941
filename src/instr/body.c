#include "instr/body.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/Comdat.h>
#include <llvm-c/Core.h>

#include "base/mem.h"

char *body_name_of(LLVMValueRef global)
{
	size_t bytes;
	const char *name = LLVMGetValueName2(global, &bytes);

	return xstrndup(name, bytes);
}

void body_copy_attributes(LLVMValueRef from, LLVMValueRef to)
{
	unsigned params = LLVMCountParams(from);

	for (unsigned i = 0; i <= params + 1; i++) {
		LLVMAttributeIndex at =
			i > params ? (LLVMAttributeIndex)LLVMAttributeFunctionIndex : i;
		unsigned n = LLVMGetAttributeCountAtIndex(from, at);
		LLVMAttributeRef *list = xcalloc(n + 1, sizeof(LLVMAttributeRef));

		LLVMGetAttributesAtIndex(from, at, list);
		for (unsigned k = 0; k < n; k++)
			LLVMAddAttributeAtIndex(to, at, list[k]);
		free(list);
	}
}

/*
 * The guest works behind every access, so nothing may be concluded from what the user's code alone
 * does to memory.
 */
static const char *const promises[] = {"memory",       "willreturn", "nosync",	    "nofree",
				       "speculatable", "norecurse",  "mustprogress"};

void body_drop_promises(LLVMValueRef function)
{
	for (size_t i = 0; i < sizeof(promises) / sizeof(promises[0]); i++)
		LLVMRemoveEnumAttributeAtIndex(
			function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
			LLVMGetEnumAttributeKindForName(promises[i], strlen(promises[i])));
}

static void drop_call_promises(LLVMValueRef call)
{
	for (size_t i = 0; i < sizeof(promises) / sizeof(promises[0]); i++)
		LLVMRemoveCallSiteEnumAttribute(
			call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
			LLVMGetEnumAttributeKindForName(promises[i], strlen(promises[i])));
}

void body_drop_all_promises(LLVMValueRef function)
{
	body_drop_promises(function);
	for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);

		if (LLVMIsACallInst(user) || LLVMIsAInvokeInst(user) || LLVMIsACallBrInst(user))
			drop_call_promises(user);
	}
}

bool body_interposable(LLVMLinkage linkage)
{
	return linkage == LLVMWeakAnyLinkage || linkage == LLVMLinkOnceAnyLinkage ||
	       linkage == LLVMExternalWeakLinkage;
}

static bool is_direct_call(LLVMValueRef user, LLVMValueRef function)
{
	return (LLVMIsACallInst(user) || LLVMIsAInvokeInst(user) || LLVMIsACallBrInst(user)) &&
	       LLVMGetCalledValue(user) == function;
}

/* Given to a call, even to the function itself, it is a value like any other. */
static bool is_argument(LLVMValueRef call, LLVMValueRef function)
{
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
		if (LLVMGetArgOperand(call, i) == function)
			return true;
	return false;
}

bool body_only_called(LLVMValueRef function)
{
	for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);

		if (!is_direct_call(user, function) || is_argument(user, function))
			return false;
	}
	return true;
}

bool body_has_label_address(LLVMValueRef function)
{
	for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
		if (LLVMIsABlockAddress(LLVMGetUser(use)))
			return true;
	return false;
}

static void replace_operands(LLVMModuleRef mod, LLVMValueRef from, LLVMValueRef to)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(mod); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
		     b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
			     i = LLVMGetNextInstruction(i))
				for (int k = 0; k < LLVMGetNumOperands(i); k++)
					if (LLVMGetOperand(i, (unsigned)k) == from)
						LLVMSetOperand(i, (unsigned)k, to);
}

void body_redirect_uses(LLVMModuleRef mod, LLVMValueRef from, LLVMValueRef to)
{
	if (body_has_label_address(from))
		replace_operands(mod, from, to);
	else
		LLVMReplaceAllUsesWith(from, to);
}

static bool is_inside(LLVMValueRef instruction, const struct ptrmap *callers)
{
	LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);

	return !callers || ptrmap_has(callers, LLVMGetBasicBlockParent(block));
}

void body_redirect_calls(LLVMValueRef decl, LLVMValueRef to, const struct ptrmap *callers)
{
	LLVMUseRef use = LLVMGetFirstUse(decl);

	while (use) {
		LLVMValueRef user = LLVMGetUser(use);

		use = LLVMGetNextUse(use);
		if (!is_direct_call(user, decl) || !is_inside(user, callers))
			continue;
		LLVMSetOperand(user, (unsigned)LLVMGetNumOperands(user) - 1, to);
		drop_call_promises(user);
	}
}

void body_settle_linkage(LLVMModuleRef mod, LLVMValueRef function, LLVMValueRef body)
{
	size_t bytes;

	switch (LLVMGetLinkage(function)) {
	case LLVMLinkOnceODRLinkage:
	case LLVMWeakODRLinkage:
		LLVMSetLinkage(body, LLVMLinkOnceODRLinkage);
		LLVMSetVisibility(body, LLVMHiddenVisibility);
		LLVMSetComdat(body, LLVMGetOrInsertComdat(mod, LLVMGetValueName2(body, &bytes)));
		break;
	default:
		LLVMSetComdat(body, NULL);
		LLVMSetVisibility(body, LLVMDefaultVisibility);
		LLVMSetLinkage(body, LLVMInternalLinkage);
	}
}
