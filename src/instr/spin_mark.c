/* The hooks of loops that may be waiting: see spin.h. */
#include "instr/spin.h"

#include <assert.h>

#include <llvm-c/Core.h>

#include "instr/site.h"
#include "wire/event.h"
#include "wire/site.h"

/* What a round is handed does not matter, or it hands the same on. */
static bool is_handed_on(const struct spin_loop *loop, LLVMValueRef phi, uint32_t number)
{
	for (size_t i = 0; i < loop->idle.count; i++)
		if (loop->idle.items[i] == number)
			return true;
	for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
		for (size_t i = 0; i < loop->ends.count; i++)
			if (LLVMGetIncomingBlock(phi, k) == loop->ends.items[i].middle &&
			    LLVMGetIncomingValue(phi, k) != phi)
				return false;
	return true;
}

/* What the edge hands to the phis of the loop's header, as one number. */
static LLVMValueRef carried(struct unit *u, const struct spin_loop *loop,
			    const struct spin_edge *edge)
{
	LLVMValueRef sum = unit_i64(u, 0);
	uint32_t number = 0;

	if (!loop->carries)
		return sum;
	for (LLVMValueRef i = LLVMGetFirstInstruction(edge->to); i && LLVMIsAPHINode(i);
	     i = LLVMGetNextInstruction(i), number++)
		for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
			LLVMValueRef value = LLVMGetIncomingValue(i, k);

			if (LLVMGetIncomingBlock(i, k) != edge->middle || !spin_is_number(value) ||
			    is_handed_on(loop, i, number))
				continue;
			value = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind
					? LLVMBuildPtrToInt(u->build, value, u->i64, "")
					: LLVMBuildZExtOrBitCast(u->build, value, u->i64, "");
			sum = LLVMBuildMul(u->build, sum, unit_i64(u, UINT64_C(0x9e3779b97f4a7c15)),
					   "");
			sum = LLVMBuildAdd(u->build, sum, value, "");
		}
	return sum;
}

/*
 * A variable without a value, as the loop is entered, may have any: with one that stays the same,
 * rounds that leave it alone are alike.
 */
static void settle_values(const struct spin_loop *loop)
{
	LLVMBasicBlockRef header = loop->ends.items[0].to;

	for (LLVMValueRef i = LLVMGetFirstInstruction(header); i && LLVMIsAPHINode(i);
	     i = LLVMGetNextInstruction(i))
		for (unsigned k = 0; k < LLVMCountIncoming(i); k++)
			if (LLVMIsUndef(LLVMGetIncomingValue(i, k)) && spin_is_number(i))
				LLVMSetOperand(i, k, LLVMConstNull(LLVMTypeOf(i)));
}

/* The block on the same edge, when another loop has put one there. */
static LLVMBasicBlockRef find_middle(const struct spin_marks *marks, const struct spin_edge *edge)
{
	for (size_t l = 0; l < marks->loops.count; l++) {
		const struct spin_loop *loop = &marks->loops.items[l];

		for (size_t i = 0; i < loop->enters.count + loop->ends.count; i++) {
			const struct spin_edge *other =
				i < loop->enters.count ? &loop->enters.items[i]
						       : &loop->ends.items[i - loop->enters.count];

			if (other->from == edge->from && other->to == edge->to && other->middle)
				return other->middle;
		}
	}
	return NULL;
}

/* The block that is on the edge since instructions were replaced (behind a call that may throw). */
static LLVMBasicBlockRef find_replaced(const struct spin_edge *edge)
{
	LLVMValueRef last = LLVMGetBasicBlockTerminator(edge->from);

	for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++) {
		LLVMBasicBlockRef block = LLVMGetSuccessor(last, i);
		LLVMValueRef next = LLVMGetBasicBlockTerminator(block);

		if (LLVMIsABranchInst(next) && LLVMGetNumSuccessors(next) == 1 &&
		    LLVMGetSuccessor(next, 0) == edge->to)
			return block;
	}
	return NULL;
}

/*
 * The hooks stand on edges, not in blocks: an iteration that leaves the loop is not the end of a
 * wait.
 */
static bool split(const struct spin_marks *marks, struct spin_edge *edge)
{
	edge->middle = find_middle(marks, edge);
	if (!edge->middle)
		edge->middle = spin_leads_to(edge->from, edge->to)
				       ? cfg_split_edge(edge->from, edge->to)
				       : find_replaced(edge);
	return edge->middle;
}

static void build_on(struct unit *u, const struct spin_edge *edge)
{
	unit_build_before(u, LLVMGetBasicBlockTerminator(edge->from));
	LLVMPositionBuilderBefore(u->build, LLVMGetBasicBlockTerminator(edge->middle));
}

/* Where a loop is entered, nothing is known of the iterations of the last time. */
static void mark_entry(struct unit *u, const struct spin_loop *loop, const struct spin_edge *edge,
		       LLVMValueRef site)
{
	LLVMValueRef values[] = {site, unit_i64(u, 0), unit_i32(u, loop->collects)};

	build_on(u, edge);
	if (loop->collects)
		values[1] = carried(u, loop, edge);
	unit_call_hook(u, HOOK_SPIN_ENTER, values, 3);
}

static void mark_loop(struct unit *u, const struct spin_loop *loop)
{
	struct site_what what = {EVENT_SPIN_PARK, 0, SITE_BACK_EDGE, NULL};
	const struct spin_edge *first = &loop->ends.items[0];
	LLVMValueRef site = site_add(u, LLVMGetBasicBlockTerminator(first->from), &what);

	if (loop->carries)
		settle_values(loop);
	/* However a round ends: one that begins at the header is one of the same loop. */
	for (size_t i = 0; i < loop->ends.count; i++) {
		const struct spin_edge *edge = &loop->ends.items[i];

		assert(edge->middle && edge->to == first->to);
		build_on(u, edge);
		unit_call_hook(u, HOOK_SPIN, (LLVMValueRef[]){site, carried(u, loop, edge)}, 2);
	}
	for (size_t i = 0; i < loop->enters.count; i++)
		mark_entry(u, loop, &loop->enters.items[i], site);
}

void spin_mark(struct unit *u, struct spin_marks *marks)
{
	/* All edges first: making a block on one changes the phis of others. */
	for (size_t l = 0; l < marks->loops.count; l++) {
		struct spin_loop *loop = &marks->loops.items[l];
		bool whole = true;

		for (size_t i = 0; i < loop->enters.count; i++)
			whole = split(marks, &loop->enters.items[i]) && whole;
		for (size_t i = 0; i < loop->ends.count; i++)
			whole = split(marks, &loop->ends.items[i]) && whole;
		if (!whole)
			loop->ends.count = 0;
	}
	for (size_t l = 0; l < marks->loops.count; l++)
		if (marks->loops.items[l].ends.count)
			mark_loop(u, &marks->loops.items[l]);
}

void spin_marks_fini(struct spin_marks *marks)
{
	for (size_t l = 0; l < marks->loops.count; l++) {
		vec_free(&marks->loops.items[l].enters);
		vec_free(&marks->loops.items[l].ends);
		vec_free(&marks->loops.items[l].idle);
	}
	vec_free(&marks->loops);
}
