#include "instr/call.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "instr/asm.h"
#include "instr/element.h"
#include "instr/intrinsic.h"
#include "instr/name.h"
#include "instr/outside.h"
#include "instr/site.h"
#include "instr/split.h"
#include "ir/demangle.h"
#include "wire/event.h"
#include "wire/site.h"

enum call_kind call_classify(LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);

	if (LLVMIsAInlineAsm(callee))
		return asm_may_touch(call) ? CALL_ASM : CALL_NONE;
	if (!LLVMIsAFunction(callee))
		return CALL_INDIRECT;
	if (LLVMGetIntrinsicID(callee))
		return intrinsic_is_opaque(call) ? CALL_OPAQUE : CALL_NONE;
	if (LLVMIsDeclaration(callee))
		return CALL_LIBRARY;
	return split_wanted(callee) ? CALL_INSIDE : CALL_OPAQUE;
}

/* Every object the call is given is named in the source, not found through memory. */
static uint32_t fixed_flag(LLVMValueRef call)
{
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		LLVMValueRef argument = LLVMGetArgOperand(call, i);

		if (LLVMGetTypeKind(LLVMTypeOf(argument)) == LLVMPointerTypeKind &&
		    !LLVMIsConstant(argument))
			return 0;
	}
	return SITE_FIXED;
}

static LLVMValueRef call_site(struct unit *u, LLVMValueRef call, const char *name, uint8_t kind)
{
	char *readable = name ? ir_demangle(name) : NULL;
	struct site_what what = {kind, 0, fixed_flag(call), readable};
	LLVMValueRef site = site_add(u, call, &what);

	free(readable);
	return site;
}

/* A call whose target may be in instrumented code: its frames belong to this place. */
static void mark_into(struct unit *u, LLVMValueRef site)
{
	unit_call_hook(u, HOOK_INTO, (LLVMValueRef[]){site}, 1);
}

static void mark_library(struct unit *u, LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call), site;
	size_t bytes;
	const char *symbol = LLVMGetValueName2(callee, &bytes);
	const char *effects = calls_effects(symbol);
	bool modelled = calls_find(symbol) != CALLS_OPAQUE;

	if (effects && !*effects && !modelled)
		return;
	site = call_site(u, call, symbol, EVENT_CALL);
	element_call(u, call, symbol);
	/* The function may be the program's own, in another file. */
	if (!modelled)
		mark_into(u, site);
	if (effects)
		outside_mark(u, call, effects, site);
	if (modelled)
		unit_call_hook(u, HOOK_AT, (LLVMValueRef[]){site}, 1);
	else if (!effects)
		unit_call_hook(u, HOOK_CALL, (LLVMValueRef[]){callee, site}, 2);
}

void call_mark(struct unit *u, LLVMValueRef call)
{
	struct strbuf text = STRBUF_INIT;
	LLVMValueRef callee = LLVMGetCalledValue(call), site;
	size_t bytes;

	if (u->flavor->elements) {
		if (call_classify(call) == CALL_LIBRARY)
			element_call(u, call, LLVMGetValueName2(callee, &bytes));
		return;
	}
	unit_build_before(u, call);
	switch (call_classify(call)) {
	case CALL_INSIDE:
		site = call_site(u, call, NULL, EVENT_INTO);
		mark_into(u, site);
		break;
	case CALL_LIBRARY:
		mark_library(u, call);
		break;
	case CALL_INDIRECT:
		name_of_value(u, callee, &text);
		site = call_site(u, call, text.text, EVENT_CALL);
		mark_into(u, site);
		outside_mark(u, call, NULL, site);
		strbuf_free(&text);
		break;
	case CALL_OPAQUE:
		site = call_site(u, call, LLVMGetValueName2(callee, &bytes), EVENT_CALL);
		unit_call_hook(u, HOOK_CALL, (LLVMValueRef[]){LLVMConstPointerNull(u->ptr), site},
			       2);
		break;
	case CALL_ASM:
		site = call_site(u, call, "asm", EVENT_CALL);
		unit_call_hook(u, HOOK_CALL, (LLVMValueRef[]){LLVMConstPointerNull(u->ptr), site},
			       2);
		break;
	default:
		break;
	}
}

/* Nothing may come between a guaranteed tail call and the return. */
static LLVMValueRef leave_point(LLVMValueRef ret)
{
	LLVMValueRef at = ret;

	for (int back = 0; back < 2 && at; back++) {
		at = LLVMGetPreviousInstruction(at);
		if (at && LLVMIsACallInst(at) &&
		    LLVMGetTailCallKind(at) == LLVMTailCallKindMustTail)
			return at;
	}
	return ret;
}

static void mark_returns(struct unit *u, LLVMValueRef function, LLVMValueRef site)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
	     b = LLVMGetNextBasicBlock(b)) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(b);

		if (!end || !LLVMIsAReturnInst(end))
			continue;
		unit_build_before(u, leave_point(end));
		unit_call_hook(u, HOOK_LEAVE, (LLVMValueRef[]){site}, 1);
	}
}

void call_mark_entry(struct unit *u, LLVMValueRef function)
{
	struct site_what what = {EVENT_ENTER, 0, 0, NULL};
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
	LLVMValueRef at = LLVMGetFirstInstruction(entry), site;

	while (LLVMIsAAllocaInst(at))
		at = LLVMGetNextInstruction(at);
	unit_build_before(u, at);
	site = site_add_function(u, function, &what);
	unit_call_hook(u, HOOK_ENTER, (LLVMValueRef[]){site}, 1);
	mark_returns(u, function, site);
}
