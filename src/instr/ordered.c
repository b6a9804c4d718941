#include "instr/ordered.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "base/vec.h"
#include "instr/atomic.h"
#include "instr/escape.h"
#include "wire/stable.h"

/* The address of an atomic access, NULL when it is none. */
static LLVMValueRef atomic_address(LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad:
		return atomic_is(i) ? LLVMGetOperand(i, 0) : NULL;
	case LLVMStore:
		return atomic_is(i) ? LLVMGetOperand(i, 1) : NULL;
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		return LLVMGetOperand(i, 0);
	default:
		return NULL;
	}
}

/* A call of libatomic, for sizes that no instruction has; its first or second operand is where. */
static LLVMValueRef libcall_address(LLVMValueRef i)
{
	static const char prefix[] = "__atomic_";
	LLVMValueRef callee;
	const char *name;
	size_t bytes;

	if (!LLVMIsACallInst(i))
		return NULL;
	callee = LLVMGetCalledValue(i);
	if (!LLVMIsAFunction(callee))
		return NULL;
	name = LLVMGetValueName2(callee, &bytes);
	if (strncmp(name, prefix, sizeof(prefix) - 1))
		return NULL;
	for (unsigned k = 0; k < LLVMGetNumArgOperands(i) && k < 2; k++)
		if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i, k))) == LLVMPointerTypeKind)
			return LLVMGetOperand(i, k);
	return NULL;
}

static void surround(struct unit *u, LLVMValueRef i, LLVMValueRef address)
{
	unit_build_before(u, i);
	unit_call_hook(u, HOOK_ORDERED_BEGIN, (LLVMValueRef[]){address}, 1);
	unit_build_before(u, LLVMGetNextInstruction(i));
	unit_call_hook(u, HOOK_ORDERED_END, (LLVMValueRef[]){address}, 1);
}

/* Assembly that may be atomic, or ask the system; the rest orders nothing between threads. */
static bool is_assembly(LLVMValueRef i)
{
	static const char *const words[] = {"lock", "xchg", "syscall", ".byte", ".long", "int"};
	const char *text;
	size_t bytes;

	if (!(LLVMIsACallInst(i) || LLVMIsACallBrInst(i)) ||
	    !LLVMIsAInlineAsm(LLVMGetCalledValue(i)))
		return false;
	text = LLVMGetInlineAsmAsmString(LLVMGetCalledValue(i), &bytes);
	for (size_t k = 0; k < sizeof(words) / sizeof(words[0]); k++)
		if (strstr(text, words[k]))
			return true;
	return false;
}

static void instrument_function(struct unit *u, LLVMValueRef function)
{
	VEC(LLVMValueRef) list = VEC_INIT;
	bool understood = true;
	struct escape x;

	escape_init(&x, function);
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
	     b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			vec_push(&list, i);
	for (size_t k = 0; k < list.count; k++) {
		LLVMValueRef i = list.items[k], address = atomic_address(i);

		if (!address)
			address = libcall_address(i);
		if (address && !escape_is_private(&x, address) && !escape_is_constant(address))
			surround(u, i, address);
		understood = understood && !is_assembly(i);
	}
	if (understood && !LLVMGetSection(function))
		LLVMSetSection(function, STABLE_ORDERED_TEXT);
	escape_fini(&x);
	vec_free(&list);
}

void ordered_instrument(struct unit *u)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(u->mod); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f))
			instrument_function(u, f);
}
