#include "instr/unit.h"

#include <assert.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

static const struct {
	const char *symbol, *signature;
} hook_table[HOOK_COUNT] = {
#define X(name, symbol, signature) [HOOK_##name] = {symbol, signature},
#include "instr/hooks.def"
#undef X
};

void unit_init(struct unit *u, LLVMModuleRef mod, const struct instr_flavor *flavor)
{
	memset(u, 0, sizeof(*u));
	u->ctx = LLVMGetModuleContext(mod);
	u->mod = mod;
	u->flavor = flavor;
	u->layout = LLVMGetModuleDataLayout(mod);
	u->build = LLVMCreateBuilderInContext(u->ctx);
	u->i1 = LLVMInt1TypeInContext(u->ctx);
	u->i8 = LLVMInt8TypeInContext(u->ctx);
	u->i16 = LLVMInt16TypeInContext(u->ctx);
	u->i32 = LLVMInt32TypeInContext(u->ctx);
	u->i64 = LLVMInt64TypeInContext(u->ctx);
	u->ptr = LLVMPointerTypeInContext(u->ctx, 0);
	u->none = LLVMVoidTypeInContext(u->ctx);
}

void unit_fini(struct unit *u)
{
	LLVMDisposeBuilder(u->build);
	vec_free(&u->sites);
	strbuf_free(&u->texts);
	free(u->text_slots);
	ptrmap_free(&u->variables);
	ptrmap_free(&u->loaded);
	ptrmap_free(&u->quiet);
	ptrmap_free(&u->idle);
}

static LLVMTypeRef type_of_letter(struct unit *u, char letter)
{
	switch (letter) {
	case '1':
		return u->i8;
	case '2':
		return u->i16;
	case '4':
		return u->i32;
	case '8':
		return u->i64;
	case 'p':
		return u->ptr;
	default:
		return u->none;
	}
}

/* Callees compiled by clang rely on narrow integers being extended by the caller. */
static void extend_narrow(struct unit *u, LLVMValueRef function, LLVMAttributeIndex index, char c)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("zeroext", 7);

	if (c == '1' || c == '2')
		LLVMAddAttributeAtIndex(function, index, LLVMCreateEnumAttribute(u->ctx, kind, 0));
}

static LLVMTypeRef hook_type(struct unit *u, const char *signature)
{
	LLVMTypeRef params[8];
	unsigned n = 0;

	for (const char *c = signature + 1; *c; c++)
		params[n++] = type_of_letter(u, *c);
	return LLVMFunctionType(type_of_letter(u, signature[0]), params, n, 0);
}

static LLVMValueRef hook_declare(struct unit *u, enum hook_id hook, LLVMTypeRef type)
{
	const char *signature = hook_table[hook].signature;
	unsigned kind = LLVMGetEnumAttributeKindForName("nounwind", 8);
	LLVMValueRef function = LLVMGetNamedFunction(u->mod, hook_table[hook].symbol);

	if (function)
		return function;
	function = LLVMAddFunction(u->mod, hook_table[hook].symbol, type);
	LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
				LLVMCreateEnumAttribute(u->ctx, kind, 0));
	for (unsigned i = 0; signature[i]; i++)
		extend_narrow(u, function, i, signature[i]);
	return function;
}

LLVMValueRef unit_call_hook(struct unit *u, enum hook_id hook, LLVMValueRef *args, unsigned n)
{
	const char *signature = hook_table[hook].signature;
	LLVMTypeRef type = hook_type(u, signature);
	LLVMValueRef call;

	assert(strlen(signature) == n + 1);
	if (!u->hooks[hook])
		u->hooks[hook] = hook_declare(u, hook, type);
	call = LLVMBuildCall2(u->build, type, u->hooks[hook], args, n, "");
	for (unsigned i = 0; signature[i]; i++)
		if (signature[i] == '1' || signature[i] == '2')
			LLVMAddCallSiteAttribute(
				call, i,
				LLVMCreateEnumAttribute(
					u->ctx, LLVMGetEnumAttributeKindForName("zeroext", 7), 0));
	return call;
}

/*
 * A call inside a function with debug information needs a location when the callee might be
 * inlined; instructions without one get line 0 of the function.
 */
void unit_build_before(struct unit *u, LLVMValueRef instruction)
{
	LLVMMetadataRef loc = LLVMInstructionGetDebugLoc(instruction);
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
	LLVMMetadataRef scope = LLVMGetSubprogram(function);

	LLVMPositionBuilderBefore(u->build, instruction);
	if (!loc && scope)
		loc = LLVMDIBuilderCreateDebugLocation(u->ctx, 0, 0, scope, NULL);
	LLVMSetCurrentDebugLocation2(u->build, loc);
}

LLVMValueRef unit_i32(struct unit *u, uint32_t value)
{
	return LLVMConstInt(u->i32, value, 0);
}

LLVMValueRef unit_i64(struct unit *u, uint64_t value)
{
	return LLVMConstInt(u->i64, value, 0);
}

LLVMValueRef unit_slot(struct unit *u, LLVMTypeRef type)
{
	LLVMBasicBlockRef here = LLVMGetInsertBlock(u->build);
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(here));
	LLVMBuilderRef at = LLVMCreateBuilderInContext(u->ctx);
	LLVMValueRef slot;

	LLVMPositionBuilderBefore(at, LLVMGetFirstInstruction(entry));
	slot = LLVMBuildAlloca(at, type, "");
	LLVMDisposeBuilder(at);
	return slot;
}
