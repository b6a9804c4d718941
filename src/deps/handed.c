#include "deps/handed.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "deps/build.h"
#include "ir/cfg.h"

#define MAX_DEPTH 16

/* Widening does not change which element is meant. */
static LLVMValueRef without_casts(LLVMValueRef v)
{
	while (LLVMIsASExtInst(v) || LLVMIsAZExtInst(v))
		v = LLVMGetOperand(v, 0);
	return v;
}

static bool same_value(LLVMValueRef a, LLVMValueRef b, unsigned depth)
{
	a = without_casts(a);
	b = without_casts(b);
	if (a == b)
		return true;
	if (!depth || !LLVMIsAGetElementPtrInst(a) || !LLVMIsAGetElementPtrInst(b) ||
	    LLVMGetNumOperands(a) != LLVMGetNumOperands(b) ||
	    LLVMGetGEPSourceElementType(a) != LLVMGetGEPSourceElementType(b))
		return false;
	for (int i = 0; i < LLVMGetNumOperands(a); i++)
		if (!same_value(LLVMGetOperand(a, (unsigned)i), LLVMGetOperand(b, (unsigned)i),
				depth - 1))
			return false;
	return true;
}

/* The object a member lies in: steps with constant distances are inside it. */
static bool points_into(LLVMValueRef pointer, LLVMValueRef object)
{
	for (unsigned i = 0; i < MAX_DEPTH; i++) {
		if (same_value(pointer, object, MAX_DEPTH))
			return true;
		if (!LLVMIsAGetElementPtrInst(pointer))
			return false;
		for (int k = 1; k < LLVMGetNumOperands(pointer); k++)
			if (!LLVMIsAConstantInt(LLVMGetOperand(pointer, (unsigned)k)))
				return false;
		pointer = LLVMGetOperand(pointer, 0);
	}
	return false;
}

/* Can control come from a block back to it?  Loops of every form count. */
static bool comes_again(LLVMBasicBlockRef block)
{
	VEC(LLVMBasicBlockRef) work = VEC_INIT;
	struct ptrmap seen = PTRMAP_INIT;
	bool again = false;

	vec_push(&work, block);
	while (work.count && !again) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(vec_pop(&work));

		for (unsigned i = 0; last && i < LLVMGetNumSuccessors(last); i++) {
			LLVMBasicBlockRef next = LLVMGetSuccessor(last, i);

			again |= next == block;
			if (ptrmap_add(&seen, next))
				vec_push(&work, next);
		}
	}
	ptrmap_free(&seen);
	vec_free(&work);
	return again;
}

static bool in_loop(const struct cfg *c, const struct cfg_loop *loop, LLVMValueRef v)
{
	uint32_t block;

	return LLVMIsAInstruction(v) && cfg_index(c, LLVMGetInstructionParent(v), &block) &&
	       loop->inside[block];
}

/* A number or pointer that goes on by a fixed step every time around the loop. */
static bool counts(const struct cfg *c, const struct cfg_loop *loop, LLVMValueRef v)
{
	uint32_t block;
	bool steps = false;

	v = without_casts(v);
	if (!LLVMIsAPHINode(v) || !cfg_index(c, LLVMGetInstructionParent(v), &block) ||
	    block != loop->header)
		return false;
	for (unsigned i = 0; i < LLVMCountIncoming(v); i++) {
		LLVMValueRef in = LLVMGetIncomingValue(v, i), step;

		if (!in_loop(c, loop, LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(v, i))))
			continue;
		if (!LLVMIsAInstruction(in) || LLVMGetNumOperands(in) != 2 ||
		    (!LLVMIsAGetElementPtrInst(in) && LLVMGetInstructionOpcode(in) != LLVMAdd) ||
		    LLVMGetOperand(in, 0) != v)
			return false;
		step = LLVMGetOperand(in, 1);
		if (!LLVMIsAConstantInt(step) || LLVMConstIntGetSExtValue(step) == 0)
			return false;
		steps = true;
	}
	return steps;
}

/* Memory that was never seen before: of an allocator, or of this call of the function. */
static bool is_fresh(LLVMValueRef v)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("noalias", 7);
	LLVMAttributeIndex result = (LLVMAttributeIndex)LLVMAttributeReturnIndex;
	LLVMValueRef callee;

	if (LLVMIsAAllocaInst(v))
		return true;
	if (!LLVMIsACallInst(v) && !LLVMIsAInvokeInst(v))
		return false;
	callee = LLVMGetCalledValue(v);
	return LLVMGetCallSiteEnumAttribute(v, result, kind) ||
	       (LLVMIsAFunction(callee) && LLVMGetEnumAttributeAtIndex(callee, result, kind));
}

static bool in_main(LLVMValueRef instruction)
{
	LLVMValueRef f = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
	size_t bytes;

	return !strcmp(LLVMGetValueName2(f, &bytes), "main");
}

/* How many of the loops around the call have to make a difference, because the base is outside. */
static unsigned loops_between(const struct cfg *c, LLVMValueRef call, LLVMValueRef base,
			      const struct cfg_loop **one)
{
	unsigned n = 0;

	for (size_t i = 0; i < c->loops.count; i++)
		if (in_loop(c, &c->loops.items[i], call) && !in_loop(c, &c->loops.items[i], base)) {
			*one = &c->loops.items[i];
			n++;
		}
	return n;
}

/* Is the object another one every time the call is made? */
static bool differs(const struct cfg *c, LLVMValueRef call, LLVMValueRef object)
{
	const struct cfg_loop *loop = NULL;
	LLVMValueRef base = object, index = NULL;
	unsigned between;

	if (LLVMIsAGetElementPtrInst(object)) {
		base = LLVMGetOperand(object, 0);
		index = LLVMGetOperand(object, (unsigned)LLVMGetNumOperands(object) - 1);
		/* The last index only: &w[0][i]. */
		for (int k = 1; k < LLVMGetNumOperands(object) - 1; k++)
			if (!LLVMIsAConstantInt(LLVMGetOperand(object, (unsigned)k)))
				return false;
	}
	if (!is_fresh(base) && !(LLVMIsAGlobalVariable(base) && in_main(call)))
		return false;
	/* What lies on the stack is made once, wherever it stands; the entry is in no loop. */
	between = loops_between(c, call, base, &loop);
	if (!between)
		return is_fresh(base) || !comes_again(LLVMGetInstructionParent(call));
	return between == 1 && index && counts(c, loop, index);
}

static bool comes_before(const struct cfg *c, LLVMValueRef a, LLVMValueRef b)
{
	LLVMBasicBlockRef block_a = LLVMGetInstructionParent(a),
			  block_b = LLVMGetInstructionParent(b);
	uint32_t x, y;

	if (block_a == block_b) {
		for (LLVMValueRef i = a; i; i = LLVMGetNextInstruction(i))
			if (i == b)
				return true;
		return false;
	}
	return cfg_index(c, block_a, &x) && cfg_index(c, block_b, &y) && cfg_dominates(c, x, y);
}

static bool hands_over(const struct cfg *c, LLVMValueRef call, LLVMValueRef instruction,
		       LLVMValueRef pointer)
{
	int argument = deps_calls_thread_argument(call);
	LLVMValueRef object;

	if (argument < 0 || !comes_before(c, instruction, call))
		return false;
	object = LLVMGetOperand(call, (unsigned)argument);
	return points_into(pointer, object) && differs(c, call, object);
}

bool deps_handed(LLVMValueRef instruction, LLVMValueRef pointer)
{
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
	struct cfg c = {.idom = NULL};
	bool found = false, made = false;

	for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(function); k && !found;
	     k = LLVMGetNextBasicBlock(k))
		for (LLVMValueRef i = LLVMGetFirstInstruction(k); i && !found;
		     i = LLVMGetNextInstruction(i)) {
			if (!deps_calls_is(i) || deps_calls_thread_argument(i) < 0)
				continue;
			if (!made)
				cfg_init(&c, function);
			made = true;
			found = hands_over(&c, i, instruction, pointer);
		}
	if (made)
		cfg_fini(&c);
	return found;
}

bool deps_handed_differs(LLVMValueRef call)
{
	LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
	struct cfg c = {.idom = NULL};
	int argument = deps_calls_thread_argument(call);
	bool different;

	cfg_init(&c, function);
	different = argument >= 0 && differs(&c, call, LLVMGetOperand(call, (unsigned)argument));
	cfg_fini(&c);
	return different;
}
