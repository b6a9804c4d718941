#include "instr/spin.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "instr/call.h"
#include "instr/site.h"
#include "instr/spin_idle.h"
#include "wire/event.h"
#include "wire/site.h"

struct judged {
	struct unit *u;
	const struct escape *x;
	const struct cfg *c;
	const struct cfg_loop *loop;
};

/* Who calls it comes back, if at all, as an exception: no round of a loop goes on behind it. */
static bool never_returns(LLVMValueRef call)
{
	unsigned kind = LLVMGetEnumAttributeKindForName("noreturn", strlen("noreturn"));
	LLVMValueRef callee = LLVMGetCalledValue(call);

	return LLVMGetCallSiteEnumAttribute(call, LLVMAttributeFunctionIndex, kind) ||
	       (LLVMIsAFunction(callee) &&
		LLVMGetEnumAttributeAtIndex(callee, LLVMAttributeFunctionIndex, kind));
}

static bool call_is_quiet(struct unit *u, LLVMValueRef call)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	const char *symbol, *effects;
	size_t bytes;

	if (never_returns(call))
		return true;
	switch (call_classify(call)) {
	case CALL_NONE:
		return true;
	case CALL_INSIDE:
		return ptrmap_has(&u->quiet, callee);
	case CALL_LIBRARY:
		symbol = LLVMGetValueName2(callee, &bytes);
		effects = calls_effects(symbol);
		return calls_find(symbol) == CALLS_QUIET ||
		       (calls_find(symbol) == CALLS_OPAQUE && effects && calls_only_reads(effects));
	default:
		return false;
	}
}

/* A library function that looks at memory. */
static bool call_reads(LLVMValueRef call)
{
	const char *effects;
	size_t bytes;

	if (call_classify(call) != CALL_LIBRARY)
		return false;
	effects = calls_effects(LLVMGetValueName2(LLVMGetCalledValue(call), &bytes));
	return effects && *effects == 'r';
}

/* An attempt that does not wait: it looks at the object, or for a request to end. */
static bool call_tries(LLVMValueRef call)
{
	size_t bytes;
	const char *symbol;

	if (call_classify(call) != CALL_LIBRARY)
		return false;
	symbol = LLVMGetValueName2(LLVMGetCalledValue(call), &bytes);
	return calls_find(symbol) == CALLS_QUIET &&
	       (strstr(symbol, "try") || strstr(symbol, "test"));
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

static bool in_header(const struct judged *j, LLVMValueRef value)
{
	return LLVMIsAInstruction(value) &&
	       LLVMGetInstructionParent(value) == j->c->blocks.items[j->loop->header];
}

/* Computes with registers alone. */
static bool only_computes(LLVMValueRef i)
{
	return LLVMIsAICmpInst(i) || LLVMIsAFCmpInst(i) || LLVMIsABinaryOperator(i) ||
	       LLVMIsACastInst(i) || LLVMIsAFreezeInst(i) || LLVMIsASelectInst(i);
}

/* Whether nothing in the loop looks at the value but the branch at the end of the header. */
static bool only_decides(const struct judged *j, LLVMValueRef value, int depth)
{
	for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);

		if (!inside_loop(j, user))
			continue;
		if (!in_header(j, user) || depth == 0)
			return false;
		if (LLVMIsABranchInst(user))
			continue;
		if (!only_computes(user) || !only_decides(j, user, depth - 1))
			return false;
	}
	return true;
}

/*
 * `while (!done)', where the round before found out whether it is done: what a round hands on is
 * looked at by the header's branch and by nothing else.  Then the wait ends a round where the
 * header goes on into the loop.
 */
static bool phis_only_decide(const struct judged *j)
{
	LLVMBasicBlockRef header = j->c->blocks.items[j->loop->header];
	LLVMValueRef last = LLVMGetBasicBlockTerminator(header);

	if (!LLVMIsABranchInst(last) || LLVMGetNumSuccessors(last) != 2)
		return false;
	for (LLVMValueRef i = LLVMGetFirstInstruction(header); i && LLVMIsAPHINode(i);
	     i = LLVMGetNextInstruction(i))
		if (!only_decides(j, i, 8))
			return false;
	return true;
}

bool spin_is_number(LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value);

	return LLVMGetTypeKind(type) == LLVMPointerTypeKind ||
	       (LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) <= 64);
}

/* How many operands, from the first on, say what an instruction finds; of a swap only where. */
static int deciding_operands(LLVMValueRef i)
{
	return LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAAtomicRMWInst(i) ? 1 : LLVMGetNumOperands(i);
}

static bool is_fresh(const struct judged *j, LLVMValueRef value, int depth);

/* Whether who comes to the phi from there leaves the loop behind it. */
static bool leaves_loop(const struct judged *j, LLVMValueRef phi, LLVMBasicBlockRef from)
{
	LLVMBasicBlockRef next = cfg_next(from, LLVMGetInstructionParent(phi));
	uint32_t to;

	return next && cfg_index(j->c, next, &to) && !j->loop->inside[to];
}

static bool all_fresh(const struct judged *j, LLVMValueRef phi, int depth)
{
	for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
		if (!is_fresh(j, LLVMGetIncomingValue(phi, k), depth) &&
		    !leaves_loop(j, phi, LLVMGetIncomingBlock(phi, k)))
			return false;
	return true;
}

/* Whether the value is computed from what the round before has handed on. */
static bool builds_on_old(const struct judged *j, LLVMValueRef value, int depth)
{
	for (int k = 0; k < deciding_operands(value); k++) {
		LLVMValueRef operand = LLVMGetOperand(value, (unsigned)k);

		if ((LLVMIsAPHINode(operand) && in_header(j, operand)) ||
		    !is_fresh(j, operand, depth))
			return true;
	}
	return false;
}

/*
 * Whether the value is made in this round from what the loop finds in memory, or is one that the
 * round was handed itself: counters and walks along a list are no waits.
 */
static bool is_fresh(const struct judged *j, LLVMValueRef value, int depth)
{
	if (!inside_loop(j, value) || (LLVMIsAPHINode(value) && in_header(j, value)))
		return true;
	if (depth == 0)
		return false;
	return LLVMIsAPHINode(value) ? all_fresh(j, value, depth - 1)
				     : !builds_on_old(j, value, depth - 1);
}

static bool phi_is_fresh(const struct judged *j, LLVMValueRef phi)
{
	for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
		LLVMValueRef value = LLVMGetIncomingValue(phi, k);

		if (value != phi && inside_loop(j, value) &&
		    (!spin_is_number(value) || !is_fresh(j, value, 8)))
			return false;
	}
	return true;
}

/*
 * `while (!swap(&word, &seen, …))', where a round begins with what the one before has seen; how
 * often it went round may be counted besides.
 */
static bool phis_are_fresh(const struct judged *j, struct spin_loop *out)
{
	LLVMBasicBlockRef header = j->c->blocks.items[j->loop->header];
	uint32_t number = 0;

	for (LLVMValueRef i = LLVMGetFirstInstruction(header); i && LLVMIsAPHINode(i);
	     i = LLVMGetNextInstruction(i), number++) {
		if (phi_is_fresh(j, i))
			continue;
		if (!spin_is_idle(j->u, j->c, j->loop, i))
			return false;
		vec_push(&out->idle, number);
	}
	return true;
}

/* The edge from the header into the loop; none when it leads nowhere else. */
static void push_header_edge(const struct judged *j, struct spin_loop *out)
{
	LLVMBasicBlockRef header = j->c->blocks.items[j->loop->header];
	LLVMValueRef last = LLVMGetBasicBlockTerminator(header);
	struct spin_edge edge = {header, NULL, NULL};
	uint32_t block;

	for (unsigned i = 0; i < 2; i++)
		if (cfg_index(j->c, LLVMGetSuccessor(last, i), &block) && j->loop->inside[block]) {
			if (edge.to)
				return;
			edge.to = LLVMGetSuccessor(last, i);
		}
	if (edge.to)
		vec_push(&out->ends, edge);
}

static void push_back_edges(const struct judged *j, struct spin_loop *out)
{
	LLVMBasicBlockRef header = j->c->blocks.items[j->loop->header];

	for (size_t k = 0; k < j->loop->latches.count; k++) {
		LLVMBasicBlockRef latch = j->c->blocks.items[j->loop->latches.items[k]];

		vec_push(&out->ends, ((struct spin_edge){latch, header, NULL}));
	}
}

bool spin_leads_to(LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
	LLVMValueRef last = LLVMGetBasicBlockTerminator(from);

	for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++)
		if (LLVMGetSuccessor(last, i) == to)
			return true;
	return false;
}

static void push_entries(const struct judged *j, struct spin_loop *out)
{
	LLVMBasicBlockRef header = j->c->blocks.items[j->loop->header];

	for (uint32_t b = 0; b < j->c->blocks.count; b++)
		if (!j->loop->inside[b] && spin_leads_to(j->c->blocks.items[b], header))
			vec_push(&out->enters,
				 ((struct spin_edge){j->c->blocks.items[b], header, NULL}));
}

/* Whether an iteration hands to a phi what the loop was entered with. */
static bool hands_on(const struct judged *j, LLVMValueRef phi, LLVMValueRef value)
{
	if (value == phi)
		return true;
	if (inside_loop(j, value))
		return false;
	for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
		if (LLVMGetIncomingValue(phi, k) != value)
			return false;
	return true;
}

/* Whether what the first iteration begins with can be compared with what it hands on. */
static bool begins_alike(const struct judged *j)
{
	LLVMBasicBlockRef header = j->c->blocks.items[j->loop->header];
	uint32_t from;

	for (LLVMValueRef i = LLVMGetFirstInstruction(header); i && LLVMIsAPHINode(i);
	     i = LLVMGetNextInstruction(i))
		for (unsigned k = 0; k < LLVMCountIncoming(i); k++)
			if (!spin_is_number(i) &&
			    cfg_index(j->c, LLVMGetIncomingBlock(i, k), &from) &&
			    j->loop->inside[from] && !hands_on(j, i, LLVMGetIncomingValue(i, k)))
				return false;
	return true;
}

enum effect { EFFECT_NONE, EFFECT_READ, EFFECT_STATE };

static enum effect effect_of(const struct judged *j, LLVMValueRef i)
{
	LLVMValueRef address;

	if (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i) || LLVMIsACallBrInst(i)) {
		if ((call_classify(i) == CALL_INSIDE || call_reads(i) || call_tries(i)) &&
		    call_is_quiet(j->u, i))
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
		struct spin_loop loop = {.carries = false};

		if (!body_keeps_nothing(&j))
			continue;
		if (!phis_carry_nothing(&j) && phis_only_decide(&j)) {
			push_header_edge(&j, &loop);
		} else if (phis_are_fresh(&j, &loop)) {
			push_back_edges(&j, &loop);
			loop.carries = true;
			loop.collects = begins_alike(&j);
		}
		if (loop.ends.count)
			push_entries(&j, &loop);
		vec_push(&out->loops, loop);
	}
}
