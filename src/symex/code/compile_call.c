/* Calls and invocations with their landing pads. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "instr/again.h"
#include "ir/canon.h"
#include "ir/function.h"
#include "symex/code/compile_priv.h"

static uint8_t class_of(struct compiler *k, LLVMTypeRef type)
{
	if (LLVMGetTypeKind(type) == LLVMX86_FP80TypeKind)
		return CODE_MEMORY;
	if (program_is_real(type) || LLVMGetTypeKind(type) == LLVMVectorTypeKind)
		return CODE_REAL;
	return CODE_INTEGER;
}

static void set_copied(struct compiler *k, struct code_arg *arg, LLVMValueRef call, unsigned i)
{
	unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
	LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(call, i + 1, byval), align;
	LLVMTypeRef type;

	if (!a)
		return;
	type = LLVMGetTypeAttributeValue(a);
	arg->class = CODE_MEMORY;
	arg->bytes = (uint32_t)LLVMABISizeOfType(k->p->layout, type);
	arg->align = LLVMABIAlignmentOfType(k->p->layout, type);
	align = LLVMGetCallSiteEnumAttribute(call, i + 1,
					     LLVMGetEnumAttributeKindForName("align", 5));
	if (align && LLVMGetEnumAttributeValue(align) > arg->align)
		arg->align = (uint32_t)LLVMGetEnumAttributeValue(align);
}

static void add_arguments(struct compiler *k, LLVMValueRef call, struct code_call *c)
{
	c->count = (uint16_t)LLVMGetNumArgOperands(call);
	c->args = xcalloc(c->count + 1u, sizeof(*c->args));
	for (unsigned i = 0; i < c->count; i++) {
		LLVMValueRef v = LLVMGetArgOperand(call, i);
		LLVMTypeRef type = LLVMTypeOf(v);
		struct code_arg *a = &c->args[i];

		if (LLVMGetTypeKind(type) == LLVMMetadataTypeKind)
			continue;
		a->words = (uint16_t)program_words_of(k->p, type);
		a->width = (uint8_t)compile_scalar_width(k, type);
		a->class = class_of(k, type);
		a->slot = compile_operand(k, v);
		set_copied(k, a, call, i);
	}
}

static bool clause_of(struct compiler *k, LLVMValueRef v, struct code_clause *out)
{
	struct program_words w = VEC_INIT;
	bool ok = program_constant(k->p, v, &w);

	memset(out, 0, sizeof(*out));
	if (LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMArrayTypeKind) {
		out->filter = true;
		for (size_t i = 0; i < w.count; i++)
			vec_push(&out->allowed, w.items[i]);
	} else if (w.count) {
		out->type = w.items[0];
	}
	vec_free(&w);
	return ok;
}

static uint32_t add_pad(struct compiler *k, LLVMValueRef invoke)
{
	LLVMBasicBlockRef to = LLVMGetUnwindDest(invoke);
	struct code_pad pad = {.target = 0};
	LLVMValueRef i = LLVMGetFirstInstruction(to);
	uint32_t number = (uint32_t)k->c->pads.count;

	while (i && LLVMIsAPHINode(i))
		i = LLVMGetNextInstruction(i);
	assert(i && LLVMIsALandingPadInst(i));
	pad.cleanup = LLVMIsCleanup(i);
	for (unsigned n = 0; n < LLVMGetNumClauses(i); n++) {
		struct code_clause clause;

		(void)clause_of(k, LLVMGetClause(i, n), &clause);
		vec_push(&pad.clauses, clause);
	}
	vec_push(&k->c->pads, pad);
	compile_fix(k, (struct compile_fixup){FIX_PAD, number, 0, LLVMGetInstructionParent(invoke),
					      to});
	return number;
}

static struct program_function *direct_target(struct compiler *k, LLVMValueRef callee)
{
	uintptr_t found;

	while (LLVMIsAGlobalAlias(callee))
		callee = LLVMAliasGetAliasee(callee);
	if (ptrmap_get(&k->p->function_of, callee, &found))
		return (struct program_function *)found;
	return NULL;
}

static uint32_t unit_site(struct compiler *k, LLVMValueRef call)
{
	uint32_t site = instr_again_hook(call) ? instr_again_site(call) : UINT32_MAX;

	return site == UINT32_MAX ? SYMEX_NONE : k->p->units.items[k->f->unit].first_site + site;
}

void compile_call(struct compiler *k, LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	LLVMTypeRef type = LLVMGetCalledFunctionType(call);
	struct code_call c = {.normal = UINT32_MAX, .pad = CODE_NO_PAD};
	uint32_t number = (uint32_t)k->c->calls.count;

	if (*ir_function_intrinsic(call) && compile_intrinsic(k, call))
		return;
	if (LLVMIsAInlineAsm(callee)) {
		/* An empty statement is only a barrier for the compiler. */
		size_t bytes;

		if (LLVMGetInlineAsmAsmString(callee, &bytes) && bytes == 0 &&
		    !compile_words(k, call))
			return;
		compile_unknown(k, "assembly", call);
		return;
	}
	c.target = direct_target(k, callee);
	c.callee = c.target ? 0 : compile_operand(k, callee);
	add_arguments(k, call, &c);
	c.fixed = (uint16_t)LLVMCountParamTypes(type);
	c.variadic = LLVMIsFunctionVarArg(type);
	c.result_words = (uint16_t)compile_words(k, call);
	c.result = c.result_words ? compile_slot(k, call) : 0;
	c.result_width = c.result_words ? (uint8_t)compile_scalar_width(k, LLVMTypeOf(call)) : 0;
	c.result_real = c.result_words && program_is_real(LLVMTypeOf(call));
	c.point = ir_canon_point(call);
	c.site = unit_site(k, call);
	vec_push(&k->c->calls, c);
	if (LLVMIsAInvokeInst(call)) {
		compile_fix(k, (struct compile_fixup){FIX_NORMAL, number, 0,
						      LLVMGetInstructionParent(call),
						      LLVMGetNormalDest(call)});
		number = add_pad(k, call);
		vec_last(&k->c->calls).pad = number;
		number = (uint32_t)k->c->calls.count - 1;
	}
	compile_emit(k, CODE_CALL)->a = number;
}
