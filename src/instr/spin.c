#include "instr/spin.h"

#include <llvm-c/Core.h>

#include "instr/call.h"
#include "instr/site.h"
#include "wire/event.h"
#include "wire/site.h"

struct judged {
	struct unit *u;
	const struct escape *x;
	const struct cfg *c;
	const struct cfg_loop *loop;
};

static bool call_is_quiet(struct unit *u, LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	enum calls_class class;
	size_t bytes;

	switch (call_classify(call)) {
	case CALL_NONE:
	case CALL_FENCE:
		return true;
	case CALL_INSIDE:
		return ptrmap_has(&u->quiet, callee);
	case CALL_LIBRARY:
		class = calls_find(LLVMGetValueName2(callee, &bytes));
		return class == CALLS_PURE || class == CALLS_QUIET;
	default:
		return false;
	}
}

static bool function_is_quiet(struct unit *u, LLVMValueRef function)
{
	for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
	     b = LLVMGetNextBasicBlock(b))
		for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
			if ((LLVMIsACallInst(i) || LLVMIsAInvokeInst(i) || LLVMIsACallBrInst(i)) &&
			    !call_is_quiet(u, i))
				return false;
	return true;
}

/* The greatest set: start with every function, drop those that call something loud. */
void spin_find_quiet(struct unit *u)
{
	VEC(LLVMValueRef) left = VEC_INIT;
	bool changed = true;

	for (LLVMValueRef f = LLVMGetFirstFunction(u->mod); f; f = LLVMGetNextFunction(f))
		if (!LLVMIsDeclaration(f)) {
			vec_push(&left, f);
			ptrmap_add(&u->quiet, f);
		}
	while (changed) {
		size_t kept = 0;

		changed = false;
		for (size_t i = 0; i < left.count; i++) {
			if (function_is_quiet(u, left.items[i]))
				left.items[kept++] = left.items[i];
			else
				changed = true;
		}
		left.count = kept;
		ptrmap_free(&u->quiet);
		for (size_t i = 0; i < kept; i++)
			ptrmap_add(&u->quiet, left.items[i]);
	}
	vec_free(&left);
}

static bool inside_loop(const struct judged *j, LLVMValueRef value)
{
	uint32_t block;

	return LLVMIsAInstruction(value) &&
	       cfg_index(j->c, LLVMGetInstructionParent(value), &block) && j->loop->inside[block];
}

static bool reads_memory(LLVMValueRef i)
{
	return LLVMIsALoadInst(i) || LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAAtomicRMWInst(i);
}

/* A header phi is harmless when every iteration hands it on as it is, or sets it to one value. */
static bool phis_carry_nothing(const struct judged *j)
{
	LLVMBasicBlockRef header = j->c->blocks.items[j->loop->header];

	for (LLVMValueRef i = LLVMGetFirstInstruction(header); i && LLVMIsAPHINode(i);
	     i = LLVMGetNextInstruction(i))
		for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
			LLVMValueRef value = LLVMGetIncomingValue(i, k);
			uint32_t from;

			if (cfg_index(j->c, LLVMGetIncomingBlock(i, k), &from) &&
			    j->loop->inside[from] && value != i && inside_loop(j, value))
				return false;
		}
	return true;
}

enum effect { EFFECT_NONE, EFFECT_READ, EFFECT_STATE };

static enum effect effect_of(const struct judged *j, LLVMValueRef i)
{
	LLVMValueRef address;

	if (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i) || LLVMIsACallBrInst(i)) {
		if (call_classify(i) == CALL_INSIDE && call_is_quiet(j->u, i))
			return EFFECT_READ;
		if (LLVMIsAMemIntrinsic(i) && escape_is_private(j->x, LLVMGetOperand(i, 0)))
			return EFFECT_STATE;
		return call_is_quiet(j->u, i) ? EFFECT_NONE : EFFECT_STATE;
	}
	if (LLVMIsAAllocaInst(i) || LLVMIsAVAArgInst(i))
		return EFFECT_STATE;
	if (LLVMIsAStoreInst(i))
		return escape_is_private(j->x, LLVMGetOperand(i, 1)) ? EFFECT_STATE : EFFECT_NONE;
	if (!reads_memory(i))
		return EFFECT_NONE;
	address = LLVMGetOperand(i, 0);
	if (!escape_is_private(j->x, address))
		return escape_is_constant(address) ? EFFECT_NONE : EFFECT_READ;
	return LLVMIsALoadInst(i) ? EFFECT_NONE : EFFECT_STATE;
}

static bool body_keeps_nothing(const struct judged *j)
{
	bool reads = false;

	for (size_t b = 0; b < j->loop->body.count; b++) {
		LLVMBasicBlockRef block = j->c->blocks.items[j->loop->body.items[b]];

		for (LLVMValueRef i = LLVMGetFirstInstruction(block); i;
		     i = LLVMGetNextInstruction(i)) {
			enum effect effect = effect_of(j, i);

			if (effect == EFFECT_STATE)
				return false;
			reads |= effect == EFFECT_READ;
		}
	}
	return reads;
}

void spin_find(struct unit *u, const struct escape *x, const struct cfg *c, struct spin_marks *out)
{
	for (size_t l = 0; l < c->loops.count; l++) {
		struct judged j = {u, x, c, &c->loops.items[l]};

		if (!body_keeps_nothing(&j) || !phis_carry_nothing(&j))
			continue;
		for (size_t k = 0; k < j.loop->latches.count; k++) {
			struct spin_edge edge = {c->blocks.items[j.loop->latches.items[k]],
						 c->blocks.items[j.loop->header]};

			vec_push(&out->edges, edge);
		}
	}
}

/* An edge with several labels of a switch is listed as often; after the first time it is gone. */
static bool is_edge(const struct spin_edge *edge)
{
	LLVMValueRef last = LLVMGetBasicBlockTerminator(edge->from);

	for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++)
		if (LLVMGetSuccessor(last, i) == edge->to)
			return true;
	return false;
}

/*
 * The hook stands on the edge, not in the latch: an iteration that leaves the loop is not the end
 * of a wait.
 */
void spin_mark(struct unit *u, const struct spin_marks *marks)
{
	struct site_what what = {EVENT_SPIN_PARK, 0, SITE_BACK_EDGE, NULL};

	for (size_t i = 0; i < marks->edges.count; i++) {
		const struct spin_edge *edge = &marks->edges.items[i];
		LLVMValueRef last = LLVMGetBasicBlockTerminator(edge->from);
		LLVMBasicBlockRef block;
		LLVMValueRef site;

		if (!is_edge(edge))
			continue;
		block = cfg_split_edge(edge->from, edge->to);
		if (!block)
			continue;
		site = site_add(u, last, &what);
		unit_build_before(u, last);
		LLVMPositionBuilderBefore(u->build, LLVMGetBasicBlockTerminator(block));
		unit_call_hook(u, HOOK_SPIN, (LLVMValueRef[]){site}, 1);
	}
}

void spin_marks_fini(struct spin_marks *marks)
{
	vec_free(&marks->edges);
}
