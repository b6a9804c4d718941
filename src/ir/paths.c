#include "ir/paths.h"

#include <assert.h>

#include <llvm-c/Core.h>

bool ir_paths_is_end(LLVMValueRef i)
{
	LLVMValueRef callee;

	if (!LLVMIsACallInst(i) && !LLVMIsAInvokeInst(i))
		return false;
	callee = LLVMGetCalledValue(i);
	return !LLVMIsAInlineAsm(callee) &&
	       !(LLVMIsAFunction(callee) && LLVMGetIntrinsicID(callee));
}

bool ir_paths_adds(LLVMValueRef last)
{
	return ir_canon_kind(last) == IR_POINT_BRANCH &&
	       LLVMGetSuccessor(last, 0) != LLVMGetSuccessor(last, 1);
}

static bool has_calls(LLVMBasicBlockRef block)
{
	for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
		if (ir_paths_is_end(i))
			return true;
	return false;
}

static uint32_t index_of(const struct ir_paths *p, LLVMBasicBlockRef block)
{
	uint32_t i = 0;
	bool known = cfg_index(&p->cfg, block, &i);

	assert(known);
	(void)known;
	return i;
}

bool ir_paths_ends_on(const struct ir_paths *p, uint32_t from, uint32_t to)
{
	/* In reverse postorder every cycle has an edge that does not go forward. */
	return to <= from || p->blocks.items[to].cut_in || p->blocks.items[from].cut_out;
}

uint64_t ir_paths_on(const struct ir_paths *p, uint32_t from, uint32_t to)
{
	return ir_paths_ends_on(p, from, to) || p->blocks.items[to].calls
		       ? 1
		       : p->blocks.items[to].paths;
}

/* Neither landing pads nor blocks that a computed goto leads to have ways of their own. */
static void find_cuts(struct ir_paths *p)
{
	for (size_t b = 0; b < p->blocks.count; b++) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(p->blocks.items[b].block);
		bool jumps = LLVMIsAIndirectBrInst(last) || LLVMIsACallBrInst(last);

		p->blocks.items[b].cut_out =
			jumps || LLVMIsASwitchInst(last) || LLVMIsAInvokeInst(last) ||
			(ir_canon_kind(last) == IR_POINT_BRANCH && !ir_paths_adds(last));
		for (unsigned i = 0; jumps && i < LLVMGetNumSuccessors(last); i++)
			p->blocks.items[index_of(p, LLVMGetSuccessor(last, i))].cut_in = true;
		if (LLVMIsAInvokeInst(last))
			p->blocks.items[index_of(p, LLVMGetUnwindDest(last))].cut_in = true;
	}
}

static uint64_t count(const struct ir_paths *p, uint32_t b)
{
	LLVMValueRef last = LLVMGetBasicBlockTerminator(p->blocks.items[b].block);
	uint64_t n = 0;

	if (!LLVMIsABranchInst(last) || (LLVMIsConditional(last) && !ir_paths_adds(last)))
		return 1;
	for (unsigned i = 0; i < LLVMGetNumSuccessors(last); i++)
		n += ir_paths_on(p, b, index_of(p, LLVMGetSuccessor(last, i)));
	return n;
}

static uint32_t first(const struct ir_paths *p, uint32_t b)
{
	LLVMValueRef last = LLVMGetBasicBlockTerminator(p->blocks.items[b].block);
	uint32_t to;

	if (ir_paths_adds(last))
		return ir_canon_point(last);
	if (!LLVMIsABranchInst(last) || LLVMIsConditional(last))
		return IR_PATHS_NO_POINT;
	to = index_of(p, LLVMGetSuccessor(last, 0));
	return ir_paths_ends_on(p, b, to) ? IR_PATHS_NO_POINT : ir_paths_first_in(p, to);
}

void ir_paths_init(struct ir_paths *p, LLVMValueRef function, uint64_t bound)
{
	*p = (struct ir_paths){.blocks = VEC_INIT};
	cfg_init(&p->cfg, function);
	for (size_t b = 0; b < p->cfg.blocks.count; b++) {
		LLVMBasicBlockRef block = p->cfg.blocks.items[b];

		vec_push(&p->blocks,
			 ((struct ir_path_block){.block = block, .calls = has_calls(block)}));
	}
	find_cuts(p);
	for (uint32_t b = (uint32_t)p->blocks.count; b-- > 0;) {
		p->blocks.items[b].paths = count(p, b);
		if (p->blocks.items[b].paths > bound) {
			p->blocks.items[b].cut_out = true;
			p->blocks.items[b].paths = count(p, b);
		}
		p->blocks.items[b].first = first(p, b);
	}
}

void ir_paths_fini(struct ir_paths *p)
{
	cfg_fini(&p->cfg);
	vec_free(&p->blocks);
}

uint32_t ir_paths_first_in(const struct ir_paths *p, uint32_t b)
{
	return p->blocks.items[b].calls ? IR_PATHS_NO_POINT : p->blocks.items[b].first;
}
