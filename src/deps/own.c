#include "deps/own.h"

#include <stdint.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "deps/handed.h"

#define MAX_STEPS 16

/* To members of what a pointer points to, and not beyond it. */
static bool steps_inside(LLVMValueRef pointer)
{
	LLVMValueRef first = LLVMGetOperand(pointer, 1);

	if (!LLVMIsAConstantInt(first) || LLVMConstIntGetZExtValue(first) ||
	    LLVMGetTypeKind(LLVMGetGEPSourceElementType(pointer)) != LLVMStructTypeKind)
		return false;
	for (int k = 2; k < LLVMGetNumOperands(pointer); k++)
		if (!LLVMIsAConstantInt(LLVMGetOperand(pointer, (unsigned)k)))
			return false;
	return true;
}

static bool given(const struct deps_own *o, LLVMValueRef pointer)
{
	for (unsigned i = 0; i < MAX_STEPS; i++) {
		if (LLVMIsAArgument(pointer))
			return !ptrmap_has(&o->foreign, pointer);
		if (!LLVMIsAGetElementPtrInst(pointer) || !steps_inside(pointer))
			return false;
		pointer = LLVMGetOperand(pointer, 0);
	}
	return false;
}

static void *class_key(struct deps_build *b, LLVMValueRef pointer)
{
	return (void *)((uintptr_t)deps_points_place(&b->points, pointer) + 1);
}

bool deps_own_is(const struct deps_own *o, LLVMValueRef pointer)
{
	return given(o, pointer) && !ptrmap_has(&o->several, class_key(o->b, pointer));
}

bool deps_own_number(const struct deps_own *o, LLVMValueRef pointer)
{
	if (LLVMIsAArgument(pointer))
		return !ptrmap_has(&o->addresses, pointer);
	if (LLVMIsAConstantExpr(pointer))
		return LLVMGetConstOpcode(pointer) == LLVMIntToPtr;
	return LLVMIsAConstantPointerNull(pointer) || LLVMIsAIntToPtrInst(pointer);
}

/* ---- parameters ---- */

static bool set(struct ptrmap *m, LLVMValueRef f, unsigned parameter)
{
	return ptrmap_add(m, LLVMGetParam(f, parameter));
}

/* A function that is called with something, from somewhere. */
static bool give_anything(struct deps_own *o, LLVMValueRef f)
{
	bool changed = false;

	for (unsigned k = 0; k < LLVMCountParams(f); k++) {
		changed |= set(&o->foreign, f, k);
		changed |= set(&o->addresses, f, k);
	}
	return changed;
}

static bool give_thread(struct deps_own *o, LLVMValueRef f, LLVMValueRef argument)
{
	bool changed = false;

	for (unsigned k = 0; k < LLVMCountParams(f); k++)
		if (k || !deps_own_number(o, argument))
			changed |= set(&o->addresses, f, k);
	return changed;
}

static bool give_arguments(struct deps_own *o, LLVMValueRef f, LLVMValueRef call)
{
	bool changed = false;

	for (unsigned k = 0; k < LLVMCountParams(f); k++) {
		bool there = k < LLVMGetNumArgOperands(call);
		LLVMValueRef argument = there ? LLVMGetOperand(call, k) : NULL;

		if (!there || !given(o, argument))
			changed |= set(&o->foreign, f, k);
		if (!there || !deps_own_number(o, argument))
			changed |= set(&o->addresses, f, k);
	}
	return changed;
}

static bool look_at_call(struct deps_own *o, LLVMValueRef call)
{
	struct deps_list targets = VEC_INIT;
	enum deps_callee kind = deps_calls_find(o->b, call, &targets);
	int thread = deps_calls_thread_argument(call);
	bool changed = false;

	for (size_t i = 0; i < targets.count; i++) {
		LLVMValueRef f = o->b->functions.items[targets.items[i]].value;

		if (kind == DEPS_CALL_INSIDE)
			changed |= give_arguments(o, f, call);
		else if (thread >= 0)
			changed |= give_thread(o, f, LLVMGetOperand(call, (unsigned)thread));
		else
			changed |= give_anything(o, f);
	}
	vec_free(&targets);
	return changed;
}

typedef bool (*call_fn)(struct deps_own *o, LLVMValueRef call);

static bool each_call(struct deps_own *o, call_fn visit)
{
	bool changed = false;

	for (size_t i = 0; i < o->b->functions.count; i++)
		for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(o->b->functions.items[i].value);
		     k; k = LLVMGetNextBasicBlock(k))
			for (LLVMValueRef v = LLVMGetFirstInstruction(k); v;
			     v = LLVMGetNextInstruction(v))
				if (deps_calls_is(v))
					changed |= visit(o, v);
	return changed;
}

/* ---- objects ---- */

static struct ptrmap once;

/* Objects of one class are given to threads by one call, and another one each time: they differ. */
static bool look_at_object(struct deps_own *o, LLVMValueRef call)
{
	int thread = deps_calls_thread_argument(call);
	void *key;

	if (thread < 0)
		return false;
	key = class_key(o->b, LLVMGetOperand(call, (unsigned)thread));
	if (!ptrmap_add(&once, key) || !deps_handed_differs(call))
		ptrmap_add(&o->several, key);
	return false;
}

static bool is_main(LLVMValueRef f)
{
	size_t bytes;

	return !strcmp(LLVMGetValueName2(f, &bytes), "main");
}

static bool others_call(LLVMValueRef f, bool program)
{
	LLVMLinkage linkage = LLVMGetLinkage(f);

	return is_main(f) ||
	       (!program && linkage != LLVMInternalLinkage && linkage != LLVMPrivateLinkage);
}

void deps_own_init(struct deps_own *o, struct deps_build *b)
{
	bool program = false;

	*o = (struct deps_own){b, PTRMAP_INIT, PTRMAP_INIT, PTRMAP_INIT};
	for (size_t i = 0; i < b->functions.count; i++)
		program |= is_main(b->functions.items[i].value);
	for (size_t i = 0; i < b->functions.count; i++)
		if (others_call(b->functions.items[i].value, program))
			give_anything(o, b->functions.items[i].value);
	while (each_call(o, look_at_call))
		;
	once = (struct ptrmap)PTRMAP_INIT;
	each_call(o, look_at_object);
	ptrmap_free(&once);
}

void deps_own_fini(struct deps_own *o)
{
	ptrmap_free(&o->foreign);
	ptrmap_free(&o->addresses);
	ptrmap_free(&o->several);
}
