#include "instr/entry.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Comdat.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "base/mem.h"
#include "instr/body.h"

#define PLAIN_SUFFIX ".plain"

static bool has_copied_argument(LLVMValueRef function)
{
	unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);

	for (unsigned i = 1; i <= LLVMCountParams(function); i++)
		if (LLVMGetEnumAttributeAtIndex(function, i, byval))
			return true;
	return false;
}

/* A function whose labels are taken cannot hand its name to another (body.h). */
bool entry_possible(LLVMValueRef function)
{
	return !has_copied_argument(function) || !body_has_label_address(function) ||
	       !LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function));
}

static LLVMValueRef active_flag(LLVMModuleRef mod, LLVMTypeRef type)
{
	LLVMValueRef flag = LLVMGetNamedGlobal(mod, "heddle_active");

	return flag ? flag : LLVMAddGlobal(mod, type, "heddle_active");
}

static void mark_instruction(LLVMContextRef ctx, LLVMValueRef i, const char *kind,
			     LLVMMetadataRef *operands, size_t n)
{
	LLVMMetadataRef node = LLVMMDNodeInContext2(ctx, operands, n);

	LLVMSetMetadata(i, LLVMGetMDKindIDInContext(ctx, kind, (unsigned)strlen(kind)),
			LLVMMetadataAsValue(ctx, node));
}

static void mark_unlikely(LLVMContextRef ctx, LLVMValueRef branch)
{
	LLVMTypeRef i32 = LLVMInt32TypeInContext(ctx);
	LLVMMetadataRef weights[] = {
		LLVMMDStringInContext2(ctx, "branch_weights", 14),
		LLVMValueAsMetadata(LLVMConstInt(i32, 1, 0)),
		LLVMValueAsMetadata(LLVMConstInt(i32, 1 << 20, 0)),
	};

	mark_instruction(ctx, branch, "prof", weights, 3);
}

static LLVMValueRef forward_call(LLVMBuilderRef b, const struct split_pair *p)
{
	unsigned n = LLVMCountParams(p->function);
	LLVMValueRef *args = xcalloc(n + 1, sizeof(*args)), call;

	LLVMGetParams(p->function, args);
	if (LLVMGetSubprogram(p->function))
		LLVMSetCurrentDebugLocation2(
			b, LLVMDIBuilderCreateDebugLocation(
				   LLVMGetModuleContext(LLVMGetGlobalParent(p->function)), 0, 0,
				   LLVMGetSubprogram(p->function), NULL));
	call = LLVMBuildCall2(b, LLVMGlobalGetValueType(p->function), p->active, args, n, "");
	LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(p->function));
	for (unsigned i = 0; i <= n; i++) {
		unsigned count = LLVMGetAttributeCountAtIndex(p->function, i);
		LLVMAttributeRef *list = xcalloc(count + 1, sizeof(LLVMAttributeRef));

		LLVMGetAttributesAtIndex(p->function, i, list);
		for (unsigned k = 0; k < count; k++)
			LLVMAddCallSiteAttribute(call, i, list[k]);
		free(list);
	}
	if (!has_copied_argument(p->function))
		LLVMSetTailCallKind(call, LLVMTailCallKindMustTail);
	free(args);
	return call;
}

/* Only slots made in the entry block have a fixed place in the frame. */
static void move_slots(LLVMBuilderRef b, LLVMBasicBlockRef from)
{
	LLVMValueRef next;

	for (LLVMValueRef i = LLVMGetFirstInstruction(from); i; i = next) {
		next = LLVMGetNextInstruction(i);
		if (!LLVMIsAAllocaInst(i) || !LLVMIsAConstant(LLVMGetOperand(i, 0)))
			continue;
		LLVMInstructionRemoveFromParent(i);
		LLVMInsertIntoBuilder(b, i);
	}
}

static void add_test(LLVMModuleRef mod, const struct split_pair *p)
{
	LLVMContextRef ctx = LLVMGetModuleContext(mod);
	LLVMTypeRef i32 = LLVMInt32TypeInContext(ctx);
	LLVMBasicBlockRef body = LLVMGetEntryBasicBlock(p->function);
	LLVMBasicBlockRef go = LLVMInsertBasicBlockInContext(ctx, body, "heddle.active");
	LLVMBasicBlockRef entry = LLVMInsertBasicBlockInContext(ctx, go, "heddle.entry");
	LLVMBuilderRef b = LLVMCreateBuilderInContext(ctx);
	LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(p->function));
	LLVMValueRef flag, call;

	body_drop_promises(p->function);
	LLVMPositionBuilderAtEnd(b, entry);
	move_slots(b, body);
	flag = LLVMBuildLoad2(b, i32, active_flag(mod, i32), "");
	mark_instruction(ctx, flag, "invariant.load", NULL, 0);
	flag = LLVMBuildICmp(b, LLVMIntNE, flag, LLVMConstInt(i32, 0, 0), "");
	mark_unlikely(ctx, LLVMBuildCondBr(b, flag, go, body));
	LLVMPositionBuilderAtEnd(b, go);
	call = forward_call(b, p);
	if (LLVMGetTypeKind(result) == LLVMVoidTypeKind)
		LLVMBuildRetVoid(b);
	else
		LLVMBuildRet(b, call);
	LLVMDisposeBuilder(b);
}


/* r11 carries nothing across a call in any C or C++ calling convention. */
static const char jump_text[] = "movq heddle_active@GOTPCREL(%rip), %r11\n\t"
				"cmpl $$0, (%r11)\n\t"
				"jne ${0:P}\n\t"
				"jmp ${1:P}";
static const char jump_constraints[] = "s,s,~{r11},~{memory},~{dirflag},~{fpsr},~{flags}";

static void build_jump(LLVMModuleRef mod, LLVMValueRef stub, LLVMValueRef bodies[2])
{
	LLVMContextRef ctx = LLVMGetModuleContext(mod);
	LLVMTypeRef ptr = LLVMPointerTypeInContext(ctx, 0), params[] = {ptr, ptr};
	LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(ctx), params, 2, 0);
	LLVMBuilderRef b = LLVMCreateBuilderInContext(ctx);
	LLVMValueRef text =
		LLVMGetInlineAsm(type, jump_text, strlen(jump_text), jump_constraints,
				 strlen(jump_constraints), 1, 0, LLVMInlineAsmDialectATT, 0);

	(void)active_flag(mod, LLVMInt32TypeInContext(ctx));
	LLVMPositionBuilderAtEnd(b, LLVMAppendBasicBlockInContext(ctx, stub, ""));
	LLVMBuildCall2(b, type, text, bodies, 2, "");
	LLVMBuildUnreachable(b);
	LLVMDisposeBuilder(b);
}

static void mark_naked(LLVMContextRef ctx, LLVMValueRef stub)
{
	static const char *const marks[] = {"naked", "noinline", "nounwind"};

	for (size_t i = 0; i < sizeof(marks) / sizeof(marks[0]); i++)
		LLVMAddAttributeAtIndex(
			stub, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
			LLVMCreateEnumAttribute(
				ctx, LLVMGetEnumAttributeKindForName(marks[i], strlen(marks[i])),
				0));
}

/* A function that stands for the other one: same name, same place in the program. */
static LLVMValueRef take_name(LLVMModuleRef mod, LLVMValueRef function)
{
	char *name = body_name_of(function), *plain = xasprintf("%s%s", name, PLAIN_SUFFIX);
	LLVMValueRef stub;

	LLVMSetValueName2(function, plain, strlen(plain));
	stub = LLVMAddFunction(mod, name, LLVMGlobalGetValueType(function));
	LLVMSetFunctionCallConv(stub, LLVMGetFunctionCallConv(function));
	LLVMSetLinkage(stub, LLVMGetLinkage(function));
	LLVMSetVisibility(stub, LLVMGetVisibility(function));
	LLVMSetUnnamedAddress(stub, LLVMGetUnnamedAddress(function));
	LLVMSetComdat(stub, LLVMGetComdat(function));
	if (LLVMGetSection(function))
		LLVMSetSection(stub, LLVMGetSection(function));
	mark_naked(LLVMGetModuleContext(mod), stub);
	free(plain);
	free(name);
	return stub;
}

static void add_jump(LLVMModuleRef mod, struct split_pair *p, const struct ptrmap *plain_bodies)
{
	LLVMValueRef plain = p->function, stub = take_name(mod, plain);

	assert(!body_has_label_address(plain));
	body_redirect_uses(mod, plain, stub);
	if (!body_interposable(LLVMGetLinkage(stub)))
		body_redirect_calls(stub, plain, plain_bodies);
	body_settle_linkage(mod, stub, plain);
	build_jump(mod, stub, (LLVMValueRef[]){p->active, plain});
	p->function = stub;
}

/* Other units call their own copy, or nobody else does, and nobody here needs the name. */
static bool is_own(LLVMValueRef function)
{
	LLVMLinkage linkage = LLVMGetLinkage(function);

	return (linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage ||
		linkage == LLVMLinkOnceODRLinkage) &&
	       body_only_called(function);
}

void entry_add(LLVMModuleRef mod, struct split_pair *p, const struct ptrmap *plain_bodies)
{
	bool jump = has_copied_argument(p->function) || is_own(p->function);

	if (jump && !body_has_label_address(p->function))
		add_jump(mod, p, plain_bodies);
	else
		add_test(mod, p);
}
