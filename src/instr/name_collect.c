/* Which values are variables, from debug information; kept while values are replaced. */
#include "instr/name.h"

#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "base/debug.h"
#include "ir/function.h"

void name_of_loaded(struct unit *u, LLVMValueRef load, LLVMValueRef value, LLVMValueRef address)
{
	uintptr_t variable;

	if (!LLVMIsAInstruction(value))
		return;
	ptrmap_set(&u->loaded, value, (uintptr_t)address);
	if (ptrmap_get(&u->variables, load, &variable))
		ptrmap_set(&u->variables, value, variable);
}

void name_forget(struct unit *u, LLVMValueRef value)
{
	ptrmap_remove(&u->variables, value);
	ptrmap_remove(&u->loaded, value);
}

/* A parameter of a header's function that was inlined says nothing to the user. */
static bool belongs_to_header(LLVMValueRef call)
{
	LLVMMetadataRef loc = LLVMInstructionGetDebugLoc(call), file;
	const char *name;
	unsigned bytes;

	if (!loc || !LLVMDILocationGetInlinedAt(loc))
		return false;
	file = LLVMDIScopeGetFile(LLVMDILocationGetScope(loc));
	if (!file)
		return false;
	name = LLVMDIFileGetFilename(file, &bytes);
	return debug_is_system_file(name, bytes);
}

static void collect_call(struct unit *u, LLVMValueRef call, LLVMMetadataRef no_expression)
{
	const char *name = ir_function_intrinsic(call);
	LLVMValueRef wrapped, value = NULL;

	if (strncmp(name, "llvm.dbg.declare", 16) && strncmp(name, "llvm.dbg.value", 14))
		return;
	if (LLVMValueAsMetadata(LLVMGetOperand(call, 2)) != no_expression ||
	    belongs_to_header(call))
		return;
	wrapped = LLVMGetOperand(call, 0);
	/* Several values (an argument list) or none at all describe no place. */
	if (LLVMGetMDNodeNumOperands(wrapped) != 1)
		return;
	LLVMGetMDNodeOperands(wrapped, &value);
	if (!value || (!LLVMIsAInstruction(value) && !LLVMIsAArgument(value)) ||
	    ptrmap_has(&u->variables, value))
		return;
	ptrmap_set(&u->variables, value, (uintptr_t)LLVMValueAsMetadata(LLVMGetOperand(call, 1)));
}

void name_collect(struct unit *u)
{
	LLVMDIBuilderRef maker = LLVMCreateDIBuilder(u->mod);
	LLVMMetadataRef none = LLVMDIBuilderCreateExpression(maker, NULL, 0);

	for (LLVMValueRef f = LLVMGetFirstFunction(u->mod); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
		     b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
			     i = LLVMGetNextInstruction(i))
				if (LLVMIsACallInst(i))
					collect_call(u, i, none);
	LLVMDisposeDIBuilder(maker);
}
