#include "instr/call.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "instr/name.h"
#include "instr/site.h"
#include "ir/demangle.h"
#include "wire/event.h"
#include "wire/site.h"

static const struct {
	const char *text;
	enum call_kind kind;
} known_asm[] = {
	{"", CALL_NONE},	 {"nop", CALL_NONE},	 {"pause", CALL_NONE},
	{"rep; nop", CALL_NONE}, {"rep nop", CALL_NONE}, {"rep;nop", CALL_NONE},
	{"mfence", CALL_FENCE},	 {"lfence", CALL_FENCE}, {"sfence", CALL_FENCE},
};

static bool same_asm(const char *text, size_t bytes, const char *known)
{
	while (bytes && strchr(" \t\n;", text[0]))
		text++, bytes--;
	while (bytes && strchr(" \t\n;", text[bytes - 1]))
		bytes--;
	return bytes == strlen(known) && !memcmp(text, known, bytes);
}

/* An asm without memory operand or clobber computes on registers only. */
static enum call_kind classify_asm(LLVMValueRef callee)
{
	size_t bytes, constraint_bytes;
	const char *text = LLVMGetInlineAsmAsmString(callee, &bytes);
	const char *constraints = LLVMGetInlineAsmConstraintString(callee, &constraint_bytes);

	for (size_t i = 0; i < sizeof(known_asm) / sizeof(known_asm[0]); i++)
		if (same_asm(text, bytes, known_asm[i].text))
			return known_asm[i].kind;
	if (!memmem(constraints, constraint_bytes, "memory", 6) &&
	    !memchr(constraints, '*', constraint_bytes))
		return CALL_NONE;
	return CALL_ASM;
}

enum call_kind call_classify(LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);

	if (LLVMIsAInlineAsm(callee))
		return classify_asm(callee);
	if (!LLVMIsAFunction(callee))
		return CALL_INDIRECT;
	if (LLVMGetIntrinsicID(callee))
		return CALL_NONE;
	return LLVMIsDeclaration(callee) ? CALL_LIBRARY : CALL_INSIDE;
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

static void mark_library(struct unit *u, LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	size_t bytes;
	const char *symbol = LLVMGetValueName2(callee, &bytes);
	LLVMValueRef site;

	switch (calls_find(symbol)) {
	case CALLS_PURE:
		return;
	case CALLS_MODEL:
	case CALLS_QUIET:
		site = call_site(u, call, symbol, EVENT_CALL);
		unit_call_hook(u, HOOK_AT, (LLVMValueRef[]){site}, 1);
		return;
	default:
		site = call_site(u, call, symbol, EVENT_CALL);
		unit_call_hook(u, HOOK_INTO, (LLVMValueRef[]){site}, 1);
		unit_call_hook(u, HOOK_CALL, (LLVMValueRef[]){callee, site}, 2);
	}
}

void call_mark(struct unit *u, LLVMValueRef call)
{
	struct strbuf text = STRBUF_INIT;
	LLVMValueRef callee = LLVMGetCalledValue(call), site;

	unit_build_before(u, call);
	switch (call_classify(call)) {
	case CALL_INSIDE:
		site = call_site(u, call, NULL, EVENT_INTO);
		unit_call_hook(u, HOOK_INTO, (LLVMValueRef[]){site}, 1);
		break;
	case CALL_LIBRARY:
		mark_library(u, call);
		break;
	case CALL_INDIRECT:
		name_of_value(u, callee, &text);
		site = call_site(u, call, text.text, EVENT_CALL);
		unit_call_hook(u, HOOK_INTO, (LLVMValueRef[]){site}, 1);
		unit_call_hook(u, HOOK_CALL, (LLVMValueRef[]){callee, site}, 2);
		strbuf_free(&text);
		break;
	case CALL_ASM:
		site = call_site(u, call, "asm", EVENT_CALL);
		unit_call_hook(u, HOOK_CALL, (LLVMValueRef[]){LLVMConstPointerNull(u->ptr), site},
			       2);
		break;
	case CALL_FENCE:
		site = call_site(u, call, "asm", EVENT_FENCE);
		unit_call_hook(u, HOOK_FENCE, (LLVMValueRef[]){unit_i32(u, ORDER_SEQ_CST), site},
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
