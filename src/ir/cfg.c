#include "ir/cfg.h"

#include <llvm-c/Core.h>

#define UNKNOWN UINT32_MAX

struct visit {
	LLVMBasicBlockRef block;
	unsigned next;
};

static unsigned successor_count(LLVMBasicBlockRef block)
{
	LLVMValueRef last = LLVMGetBasicBlockTerminator(block);

	return last ? LLVMGetNumSuccessors(last) : 0;
}

static LLVMBasicBlockRef successor(LLVMBasicBlockRef block, unsigned i)
{
	return LLVMGetSuccessor(LLVMGetBasicBlockTerminator(block), i);
}

bool cfg_index(const struct cfg *c, LLVMBasicBlockRef block, uint32_t *index)
{
	uintptr_t value;

	if (!ptrmap_get(&c->index, block, &value))
		return false;
	*index = (uint32_t)value;
	return true;
}

static void order_blocks(struct cfg *c, LLVMBasicBlockRef entry)
{
	VEC(struct visit) stack = VEC_INIT;
	struct ptrmap seen = PTRMAP_INIT;
	struct visit first = {entry, 0};
	size_t n;

	ptrmap_add(&seen, entry);
	vec_push(&stack, first);
	while (stack.count) {
		struct visit *top = &vec_last(&stack);
		struct visit next = {NULL, 0};

		if (top->next == successor_count(top->block)) {
			vec_push(&c->blocks, top->block);
			(void)vec_pop(&stack);
			continue;
		}
		next.block = successor(top->block, top->next++);
		if (ptrmap_add(&seen, next.block))
			vec_push(&stack, next);
	}
	n = c->blocks.count;
	for (size_t i = 0; i < n / 2; i++) {
		LLVMBasicBlockRef swap = c->blocks.items[i];

		c->blocks.items[i] = c->blocks.items[n - 1 - i];
		c->blocks.items[n - 1 - i] = swap;
	}
	for (size_t i = 0; i < n; i++)
		ptrmap_set(&c->index, c->blocks.items[i], i);
	ptrmap_free(&seen);
	vec_free(&stack);
}

struct preds {
	VEC(uint32_t) * of;
};

static uint32_t meet(const struct cfg *c, uint32_t a, uint32_t b)
{
	while (a != b) {
		while (a > b)
			a = c->idom[a];
		while (b > a)
			b = c->idom[b];
	}
	return a;
}

static void find_dominators(struct cfg *c, const struct preds *preds)
{
	size_t n = c->blocks.count;
	bool changed = true;

	c->idom = xmalloc(n * sizeof(*c->idom));
	for (size_t i = 0; i < n; i++)
		c->idom[i] = UNKNOWN;
	c->idom[0] = 0;
	while (changed) {
		changed = false;
		for (uint32_t b = 1; b < n; b++) {
			uint32_t best = UNKNOWN;

			for (size_t k = 0; k < preds->of[b].count; k++) {
				uint32_t p = preds->of[b].items[k];

				if (c->idom[p] == UNKNOWN)
					continue;
				best = best == UNKNOWN ? p : meet(c, p, best);
			}
			changed |= c->idom[b] != best;
			c->idom[b] = best;
		}
	}
}

bool cfg_dominates(const struct cfg *c, uint32_t a, uint32_t b)
{
	while (b > a)
		b = c->idom[b];
	return a == b;
}

static struct cfg_loop *loop_of_header(struct cfg *c, uint32_t header)
{
	struct cfg_loop fresh = {.header = header};

	for (size_t i = 0; i < c->loops.count; i++)
		if (c->loops.items[i].header == header)
			return &c->loops.items[i];
	fresh.inside = xcalloc(c->blocks.count, sizeof(bool));
	fresh.inside[header] = true;
	vec_push(&fresh.body, header);
	vec_push(&c->loops, fresh);
	return &vec_last(&c->loops);
}

static void add_back_edge(struct cfg *c, const struct preds *preds, uint32_t latch, uint32_t header)
{
	struct cfg_loop *loop = loop_of_header(c, header);
	VEC(uint32_t) work = VEC_INIT;

	vec_push(&loop->latches, latch);
	vec_push(&work, latch);
	while (work.count) {
		uint32_t b = vec_pop(&work);

		if (loop->inside[b])
			continue;
		loop->inside[b] = true;
		vec_push(&loop->body, b);
		for (size_t k = 0; k < preds->of[b].count; k++)
			vec_push(&work, preds->of[b].items[k]);
	}
	vec_free(&work);
}

static void find_loops(struct cfg *c, const struct preds *preds)
{
	for (uint32_t b = 0; b < c->blocks.count; b++)
		for (size_t k = 0; k < preds->of[b].count; k++)
			if (cfg_dominates(c, b, preds->of[b].items[k]))
				add_back_edge(c, preds, preds->of[b].items[k], b);
}

void cfg_init(struct cfg *c, LLVMValueRef function)
{
	struct preds preds;

	memset(c, 0, sizeof(*c));
	order_blocks(c, LLVMGetEntryBasicBlock(function));
	preds.of = xcalloc(c->blocks.count, sizeof(*preds.of));
	for (uint32_t b = 0; b < c->blocks.count; b++)
		for (unsigned i = 0; i < successor_count(c->blocks.items[b]); i++) {
			uint32_t to;

			if (cfg_index(c, successor(c->blocks.items[b], i), &to))
				vec_push(&preds.of[to], b);
		}
	find_dominators(c, &preds);
	find_loops(c, &preds);
	for (size_t b = 0; b < c->blocks.count; b++)
		vec_free(&preds.of[b]);
	free(preds.of);
}

void cfg_fini(struct cfg *c)
{
	for (size_t i = 0; i < c->loops.count; i++) {
		vec_free(&c->loops.items[i].latches);
		vec_free(&c->loops.items[i].body);
		free(c->loops.items[i].inside);
	}
	vec_free(&c->loops);
	vec_free(&c->blocks);
	free(c->idom);
	ptrmap_free(&c->index);
}

static LLVMValueRef value_from(LLVMValueRef phi, LLVMBasicBlockRef block)
{
	for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
		if (LLVMGetIncomingBlock(phi, k) == block)
			return LLVMGetIncomingValue(phi, k);
	return NULL;
}

LLVMBasicBlockRef cfg_next(LLVMBasicBlockRef from, LLVMBasicBlockRef block)
{
	LLVMValueRef last = LLVMGetBasicBlockTerminator(block), where, number;

	if (!LLVMIsASwitchInst(last))
		return NULL;
	where = LLVMGetOperand(last, 0);
	if (!LLVMIsAPHINode(where) || LLVMGetInstructionParent(where) != block)
		return NULL;
	number = value_from(where, from);
	if (!number || !LLVMIsAConstantInt(number))
		return NULL;
	for (unsigned i = 1; i < LLVMGetNumSuccessors(last); i++)
		if (LLVMGetOperand(last, 2 * i) == number)
			return LLVMGetSuccessor(last, i);
	return LLVMGetSuccessor(last, 0);
}

/* A phi whose value for `from' now comes through `middle'; its incoming blocks cannot be changed.
 */
static void rebuild_phi(LLVMBuilderRef b, LLVMValueRef phi, LLVMBasicBlockRef from,
			LLVMBasicBlockRef middle)
{
	bool seen = false;
	LLVMValueRef fresh;

	LLVMPositionBuilderBefore(b, phi);
	fresh = LLVMBuildPhi(b, LLVMTypeOf(phi), "");
	for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
		LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, k);
		LLVMValueRef value = LLVMGetIncomingValue(phi, k);

		if (block == from) {
			if (seen)
				continue;
			seen = true;
			block = middle;
		}
		LLVMAddIncoming(fresh, &value, &block, 1);
	}
	LLVMReplaceAllUsesWith(phi, fresh);
	LLVMInstructionEraseFromParent(phi);
}

LLVMBasicBlockRef cfg_split_edge(LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
	LLVMValueRef last = LLVMGetBasicBlockTerminator(from), next;
	LLVMContextRef ctx = LLVMGetTypeContext(LLVMTypeOf(LLVMBasicBlockAsValue(to)));
	LLVMBasicBlockRef middle;
	LLVMBuilderRef b;

	if (!LLVMIsABranchInst(last) && !LLVMIsASwitchInst(last) && !LLVMIsAInvokeInst(last))
		return NULL;
	middle = LLVMAppendBasicBlockInContext(ctx, LLVMGetBasicBlockParent(from), "");
	b = LLVMCreateBuilderInContext(ctx);
	LLVMPositionBuilderAtEnd(b, middle);
	LLVMBuildBr(b, to);
	for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++)
		if (LLVMGetSuccessor(last, i) == to)
			LLVMSetSuccessor(last, i, middle);
	for (LLVMValueRef i = LLVMGetFirstInstruction(to); i && LLVMIsAPHINode(i); i = next) {
		next = LLVMGetNextInstruction(i);
		rebuild_phi(b, i, from, middle);
	}
	LLVMDisposeBuilder(b);
	return middle;
}
