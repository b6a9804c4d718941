#include "instr/escape.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "base/vec.h"
#include "ir/function.h"

static bool starts(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

static bool call_keeps_private(LLVMValueRef call)
{
	static const char *const harmless[] = {
		"llvm.lifetime.",   "llvm.dbg.",     "llvm.memcpy.",	"llvm.memmove.",
		"llvm.memset.",	    "llvm.va_start", "llvm.va_end",	"llvm.va_copy",
		"llvm.objectsize.", "llvm.assume",   "llvm.invariant.",
	};
	const char *name = ir_function_intrinsic(call);

	for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++)
		if (*name && starts(name, harmless[i]))
			return true;
	return false;
}

/* An argument passed by value is copied by the call; its address stays here. */
static bool passes_only_copies(LLVMValueRef call, LLVMValueRef address)
{
	unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);

	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
		if (LLVMGetOperand(call, i) == address &&
		    !LLVMGetCallSiteEnumAttribute(call, i + 1, byval))
			return false;
	return LLVMGetCalledValue(call) != address;
}

enum verdict { USE_STAYS, USE_DERIVES, USE_ESCAPES };

static enum verdict judge_use(LLVMValueRef user, LLVMValueRef address)
{
	if (!LLVMIsAInstruction(user))
		return USE_ESCAPES;
	switch (LLVMGetInstructionOpcode(user)) {
	case LLVMLoad:
	case LLVMICmp:
		return USE_STAYS;
	case LLVMStore:
	case LLVMAtomicRMW:
		return LLVMGetOperand(user, 0) == address && LLVMIsAStoreInst(user) ? USE_ESCAPES
		       : LLVMIsAAtomicRMWInst(user) && LLVMGetOperand(user, 1) == address
			       ? USE_ESCAPES
			       : USE_STAYS;
	case LLVMAtomicCmpXchg:
		return LLVMGetOperand(user, 1) == address || LLVMGetOperand(user, 2) == address
			       ? USE_ESCAPES
			       : USE_STAYS;
	case LLVMGetElementPtr:
	case LLVMBitCast:
		return USE_DERIVES;
	case LLVMCall:
	case LLVMInvoke:
		return call_keeps_private(user) || passes_only_copies(user, address) ? USE_STAYS
										     : USE_ESCAPES;
	default:
		return USE_ESCAPES;
	}
}

static bool stays_inside(LLVMValueRef object)
{
	VEC(LLVMValueRef) work = VEC_INIT;
	bool inside = true;

	vec_push(&work, object);
	while (inside && work.count) {
		LLVMValueRef address = vec_pop(&work);

		for (LLVMUseRef use = LLVMGetFirstUse(address); use && inside;
		     use = LLVMGetNextUse(use)) {
			LLVMValueRef user = LLVMGetUser(use);
			enum verdict verdict = judge_use(user, address);

			if (verdict == USE_ESCAPES)
				inside = false;
			else if (verdict == USE_DERIVES)
				vec_push(&work, user);
		}
	}
	vec_free(&work);
	return inside;
}

static void consider_arguments(struct escape *x, LLVMValueRef function)
{
	unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);

	for (unsigned i = 0; i < LLVMCountParams(function); i++) {
		LLVMValueRef param = LLVMGetParam(function, i);

		if (LLVMGetEnumAttributeAtIndex(function, i + 1, byval) && stays_inside(param))
			ptrmap_add(&x->private, param);
	}
}

void escape_init(struct escape *x, LLVMValueRef function)
{
	memset(x, 0, sizeof(*x));
	consider_arguments(x, function);
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
	     b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if (LLVMIsAAllocaInst(i) && stays_inside(i))
				ptrmap_add(&x->private, i);
}

void escape_fini(struct escape *x)
{
	ptrmap_free(&x->private);
}

static bool is_address_arithmetic(LLVMValueRef value)
{
	if (LLVMIsAInstruction(value))
		return LLVMIsAGetElementPtrInst(value) || LLVMIsABitCastInst(value);
	if (LLVMIsAConstantExpr(value))
		return LLVMGetConstOpcode(value) == LLVMGetElementPtr ||
		       LLVMGetConstOpcode(value) == LLVMBitCast;
	return false;
}

LLVMValueRef escape_root(LLVMValueRef address)
{
	while (is_address_arithmetic(address))
		address = LLVMGetOperand(address, 0);
	return address;
}

bool escape_is_private(const struct escape *x, LLVMValueRef address)
{
	return ptrmap_has(&x->private, escape_root(address));
}

bool escape_is_constant(LLVMValueRef address)
{
	LLVMValueRef root = escape_root(address);

	return LLVMIsAGlobalVariable(root) && LLVMIsGlobalConstant(root);
}

bool escape_is_thread_local(LLVMValueRef address)
{
	LLVMValueRef root = escape_root(address);

	if (LLVMIsACallInst(root) && starts(ir_function_intrinsic(root), "llvm.threadlocal.address"))
		return true;
	return LLVMIsAGlobalVariable(root) && LLVMIsThreadLocal(root);
}
