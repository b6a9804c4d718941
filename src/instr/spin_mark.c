/* The hooks of loops that may be waiting: see spin.h. */
#include "instr/spin.h"

#include <assert.h>

#include <llvm-c/Core.h>

#include "instr/site.h"
#include "wire/event.h"
#include "wire/site.h"

/* What the edge hands to the phis of the loop's header, as one number. */
static LLVMValueRef carried(struct unit *u, const struct spin_loop *loop,
			    const struct spin_edge *edge)
{
	LLVMValueRef sum = unit_i64(u, 0);

	if (!loop->carries)
		return sum;
	for (LLVMValueRef i = LLVMGetFirstInstruction(edge->to); i && LLVMIsAPHINode(i);
	     i = LLVMGetNextInstruction(i))
		for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
			LLVMValueRef value = LLVMGetIncomingValue(i, k);

			if (LLVMGetIncomingBlock(i, k) != edge->middle ||
			    !LLVMIsAInstruction(value) || value == i || !spin_is_number(value))
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
		       const LLVMValueRef *sites)
{
	build_on(u, edge);
	for (size_t i = loop->ends.count; i-- > 0;)
		unit_call_hook(u, HOOK_SPIN_ENTER,
			       (LLVMValueRef[]){sites[i], unit_i64(u, 0),
						unit_i32(u, loop->collects && i == 0)},
			       3);
}

static void mark_loop(struct unit *u, const struct spin_loop *loop)
{
	struct site_what what = {EVENT_SPIN_PARK, 0, SITE_BACK_EDGE, NULL};
	LLVMValueRef *sites = xcalloc(loop->ends.count, sizeof(*sites));

	for (size_t i = 0; i < loop->ends.count; i++) {
		const struct spin_edge *edge = &loop->ends.items[i];

		assert(edge->middle);
		sites[i] = site_add(u, LLVMGetBasicBlockTerminator(edge->from), &what);
		build_on(u, edge);
		unit_call_hook(u, HOOK_SPIN, (LLVMValueRef[]){sites[i], carried(u, loop, edge)}, 2);
	}
	for (size_t i = 0; i < loop->enters.count; i++)
		mark_entry(u, loop, &loop->enters.items[i], sites);
	free(sites);
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
	}
	vec_free(&marks->loops);
}
