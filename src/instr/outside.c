#include "instr/outside.h"

#include <stdio.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "instr/calls.h"
#include "ir/cfg.h"
#include "wire/outside.h"

/* The bits of a number with a fraction, of a long one as of the nearest double. */
static LLVMValueRef as_bits(struct unit *u, LLVMValueRef value)
{
	LLVMTypeRef twice = LLVMDoubleTypeInContext(u->ctx);

	if (LLVMTypeOf(value) != twice)
		value = LLVMBuildFPCast(u->build, value, twice, "");
	return LLVMBuildBitCast(u->build, value, u->i64, "");
}

/* An argument or result as a word: pointers and numbers; anything else is 0. */
static LLVMValueRef as_word(struct unit *u, LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value);

	switch (LLVMGetTypeKind(type)) {
	case LLVMPointerTypeKind:
		if (LLVMGetPointerAddressSpace(type) != 0)
			return unit_i64(u, 0);
		return LLVMBuildPtrToInt(u->build, value, u->i64, "");
	case LLVMIntegerTypeKind:
		if (LLVMGetIntTypeWidth(type) > 64)
			return LLVMBuildTrunc(u->build, value, u->i64, "");
		return LLVMBuildSExtOrBitCast(u->build, value, u->i64, "");
	case LLVMFloatTypeKind:
	case LLVMDoubleTypeKind:
	case LLVMX86_FP80TypeKind:
		return as_bits(u, value);
	default:
		return unit_i64(u, 0);
	}
}

static LLVMValueRef spill_arguments(struct unit *u, LLVMValueRef call, unsigned count)
{
	LLVMTypeRef words = LLVMArrayType2(u->i64, count + OUTSIDE_SCRATCH);
	LLVMValueRef slot = unit_slot(u, words);

	for (unsigned i = 0; i < count; i++) {
		LLVMValueRef at[2] = {unit_i64(u, 0), unit_i64(u, i)};

		LLVMBuildStore(u->build, as_word(u, LLVMGetArgOperand(call, i)),
			       LLVMBuildInBoundsGEP2(u->build, words, slot, at, 2, ""));
	}
	return slot;
}

/* One copy of each text in the module. */
static LLVMValueRef effects_text(struct unit *u, const char *effects)
{
	char name[128];
	LLVMValueRef global, text;

	if (!effects)
		return LLVMConstPointerNull(u->ptr);
	snprintf(name, sizeof(name), OUTSIDE_EFFECTS "%s", effects);
	global = LLVMGetNamedGlobal(u->mod, name);
	if (global)
		return global;
	text = LLVMConstStringInContext2(u->ctx, effects, strlen(effects), 0);
	global = LLVMAddGlobal(u->mod, LLVMTypeOf(text), name);
	LLVMSetInitializer(global, text);
	LLVMSetGlobalConstant(global, 1);
	LLVMSetLinkage(global, LLVMPrivateLinkage);
	LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
	return global;
}

/* Puts the builder to where the call has come back; false when it never does so here. */
static bool build_after(struct unit *u, LLVMValueRef call)
{
	LLVMBasicBlockRef block;

	if (!LLVMIsAInvokeInst(call)) {
		LLVMValueRef next = LLVMGetNextInstruction(call);

		/* Nothing may come between a guaranteed tail call and the return. */
		if (!next || LLVMIsAUnreachableInst(next) ||
		    (LLVMIsACallInst(call) &&
		     LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail))
			return false;
		LLVMPositionBuilderBefore(u->build, next);
		return true;
	}
	/* Phis would be made anew, and somebody may be about to look at the old ones. */
	if (LLVMIsAPHINode(LLVMGetFirstInstruction(LLVMGetNormalDest(call))))
		return false;
	block = cfg_split_edge(LLVMGetInstructionParent(call), LLVMGetNormalDest(call));
	if (!block)
		return false;
	LLVMPositionBuilderBefore(u->build, LLVMGetFirstInstruction(block));
	return true;
}

void outside_mark(struct unit *u, LLVMValueRef call, const char *effects, LLVMValueRef site)
{
	unsigned count = LLVMGetNumArgOperands(call);
	LLVMValueRef target = LLVMGetCalledValue(call), text, args, result;
	bool gives;

	/* A format may speak of arguments that are not handed on. */
	if (count > OUTSIDE_ARGS && effects && strpbrk(effects, "pPcC"))
		unit_call_hook(u, HOOK_CALL, (LLVMValueRef[]){target, site}, 2);
	count = count < OUTSIDE_ARGS ? count : OUTSIDE_ARGS;
	text = effects_text(u, effects);
	args = spill_arguments(u, call, count);
	unit_call_hook(u, HOOK_OUTSIDE,
		       (LLVMValueRef[]){target, text, args, unit_i32(u, count), site}, 5);
	if (effects && calls_only_reads(effects))
		return;
	if (!build_after(u, call)) {
		/* What it wrote cannot be told. */
		if (effects && strchr(effects, 'w'))
			unit_call_hook(u, HOOK_CALL, (LLVMValueRef[]){target, site}, 2);
		return;
	}
	gives = LLVMGetTypeKind(LLVMTypeOf(call)) != LLVMVoidTypeKind;
	result = gives ? as_word(u, call) : unit_i64(u, 0);
	unit_call_hook(u, HOOK_OUTSIDE_DONE,
		       (LLVMValueRef[]){target, text, args, unit_i32(u, count), result, site}, 6);
	unit_build_before(u, call);
}
