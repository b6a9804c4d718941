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

static bool is_header_phi(const struct judged *j, LLVMValueRef value)
{
	return LLVMIsAPHINode(value) &&
	       LLVMGetInstructionParent(value) == j->c->blocks.items[j->loop->header];
}

static bool reads_memory(LLVMValueRef i)
{
	return LLVMIsALoadInst(i) || LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAAtomicRMWInst(i);
}

/*
 * True when the value is the same whenever the loads of this iteration give the same values.  Of an
 * access to memory only the address counts: what it yields is what was read (and a compare and swap
 * that took place has written, which ends the question).  *merges is set when the value depends on
 * the way the iteration took.
 */
static bool determined_by_reads(const struct judged *j, LLVMValueRef value, bool *merges)
{
	VEC(LLVMValueRef) work = VEC_INIT;
	struct ptrmap seen = PTRMAP_INIT;
	bool determined = true;

	vec_push(&work, value);
	while (work.count && determined) {
		LLVMValueRef v = vec_pop(&work);

		if (!inside_loop(j, v) || !ptrmap_add(&seen, v))
			continue;
		if (is_header_phi(j, v) || LLVMIsACallInst(v) || LLVMIsAInvokeInst(v)) {
			determined = false;
		} else if (reads_memory(v)) {
			vec_push(&work, LLVMGetOperand(v, 0));
		} else if (LLVMIsAPHINode(v)) {
			*merges = true;
			for (unsigned k = 0; k < LLVMCountIncoming(v); k++)
				vec_push(&work, LLVMGetIncomingValue(v, k));
		} else {
			for (int k = 0; k < LLVMGetNumOperands(v); k++)
				vec_push(&work, LLVMGetOperand(v, (unsigned)k));
		}
	}
	ptrmap_free(&seen);
	vec_free(&work);
	return determined;
}

/*
 * What a header phi gets for the next iteration: through merges of ways inside the loop, either
 * itself, unchanged, or something determined by what was read.
 */
static bool carries_nothing(const struct judged *j, LLVMValueRef phi, LLVMValueRef next,
			    bool *merges)
{
	VEC(LLVMValueRef) work = VEC_INIT;
	struct ptrmap seen = PTRMAP_INIT;
	bool nothing = true;

	vec_push(&work, next);
	while (work.count && nothing) {
		LLVMValueRef v = vec_pop(&work);

		if (v == phi || !ptrmap_add(&seen, v))
			continue;
		if (LLVMIsAPHINode(v) && inside_loop(j, v) && !is_header_phi(j, v)) {
			*merges = true;
			for (unsigned k = 0; k < LLVMCountIncoming(v); k++)
				vec_push(&work, LLVMGetIncomingValue(v, k));
		} else {
			nothing = determined_by_reads(j, v, merges);
		}
	}
	ptrmap_free(&seen);
	vec_free(&work);
	return nothing;
}

/* Two different ways to stay in the loop lead on from this block. */
static bool chooses_way(const struct judged *j, LLVMValueRef last)
{
	LLVMBasicBlockRef first = NULL;
	uint32_t index;

	for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++) {
		LLVMBasicBlockRef to = LLVMGetSuccessor(last, i);

		if (!cfg_index(j->c, to, &index) || !j->loop->inside[index] || to == first)
			continue;
		if (first)
			return true;
		first = to;
	}
	return false;
}

/* Which way an iteration takes, as long as it stays, is determined by what it read. */
static bool ways_are_determined(const struct judged *j)
{
	bool merges = false;

	for (size_t b = 0; b < j->loop->body.count; b++) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(
			j->c->blocks.items[j->loop->body.items[b]]);

		if (!chooses_way(j, last))
			continue;
		if (!LLVMIsABranchInst(last) && !LLVMIsASwitchInst(last))
			return false;
		if (!determined_by_reads(j, LLVMGetOperand(last, 0), &merges))
			return false;
	}
	return true;
}

static bool phis_carry_nothing(const struct judged *j)
{
	LLVMBasicBlockRef header = j->c->blocks.items[j->loop->header];
	bool merges = false;

	for (LLVMValueRef i = LLVMGetFirstInstruction(header); i && LLVMIsAPHINode(i);
	     i = LLVMGetNextInstruction(i))
		for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
			uint32_t from;

			if (!cfg_index(j->c, LLVMGetIncomingBlock(i, k), &from) ||
			    !j->loop->inside[from])
				continue;
			if (!carries_nothing(j, i, LLVMGetIncomingValue(i, k), &merges))
				return false;
		}
	return !merges || ways_are_determined(j);
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
		struct judged j = { u, x, c, &c->loops.items[l] };

		if (!body_keeps_nothing(&j) || !phis_carry_nothing(&j))
			continue;
		for (size_t k = 0; k < j.loop->latches.count; k++) {
			struct spin_edge edge = { c->blocks.items[j.loop->latches.items[k]],
						  c->blocks.items[j.loop->header] };

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
	struct site_what what = { EVENT_SPIN_PARK, 0, SITE_BACK_EDGE, NULL };

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
		unit_call_hook(u, HOOK_SPIN, (LLVMValueRef[]){ site }, 1);
	}
}

void spin_marks_fini(struct spin_marks *marks)
{
	vec_free(&marks->edges);
}
