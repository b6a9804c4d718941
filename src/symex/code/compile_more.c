/* Aggregates, vectors, control and atomics of private memory to register code. */
#include "ir/canon.h"
#include "symex/code/compile_priv.h"

/* ---- aggregates and vectors ---- */

static uint32_t word_of_index(struct compiler *k, LLVMTypeRef type, LLVMValueRef i)
{
	const unsigned *at = LLVMGetIndices(i);
	uint32_t word = 0;

	for (unsigned n = 0; n < LLVMGetNumIndices(i); n++) {
		if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
			for (unsigned f = 0; f < at[n]; f++)
				word += program_words_of(k->p, LLVMStructGetTypeAtIndex(type, f));
			type = LLVMStructGetTypeAtIndex(type, at[n]);
		} else {
			type = LLVMGetElementType(type);
			word += at[n] * program_words_of(k->p, type);
		}
	}
	return word;
}

void compile_moves(struct compiler *k, uint32_t to, uint32_t from, uint32_t words)
{
	struct code_insn *n = words ? compile_emit(k, words == 1 ? CODE_MOVE : CODE_MOVES) : NULL;

	if (!n)
		return;
	n->d = to;
	n->a = from;
	n->c = words;
}

void compile_extract_value(struct compiler *k, LLVMValueRef i)
{
	LLVMValueRef from = LLVMGetOperand(i, 0);

	compile_moves(k, compile_slot(k, i),
		      compile_operand(k, from) + word_of_index(k, LLVMTypeOf(from), i),
		      compile_words(k, i));
}

void compile_insert_value(struct compiler *k, LLVMValueRef i)
{
	LLVMValueRef from = LLVMGetOperand(i, 0), value = LLVMGetOperand(i, 1);

	compile_moves(k, compile_slot(k, i), compile_operand(k, from), compile_words(k, i));
	compile_moves(k, compile_slot(k, i) + word_of_index(k, LLVMTypeOf(i), i),
		      compile_operand(k, value), compile_words(k, value));
}

void compile_vector(struct compiler *k, LLVMValueRef i, bool insert)
{
	LLVMValueRef from = LLVMGetOperand(i, 0), value = LLVMGetOperand(i, insert ? 1 : 0);
	LLVMValueRef index = LLVMGetOperand(i, insert ? 2 : 1);
	uint32_t words = insert ? compile_words(k, value) : compile_words(k, i);
	uint32_t vector = compile_operand(k, from), at = compile_operand(k, index), v;
	struct code_insn *n;

	v = insert ? compile_operand(k, value) : 0;
	if (insert)
		compile_moves(k, compile_slot(k, i), vector, compile_words(k, i));
	n = compile_emit(k, insert ? CODE_PUT : CODE_PICK);
	n->d = compile_slot(k, i);
	n->a = insert ? v : vector;
	n->b = at;
	n->c = LLVMGetVectorSize(LLVMTypeOf(from));
	n->x = words;
}

void compile_shuffle(struct compiler *k, LLVMValueRef i)
{
	LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
	uint32_t n = LLVMGetVectorSize(LLVMTypeOf(a));
	uint32_t words = compile_words(k, a) / n;

	for (unsigned e = 0; e < LLVMGetNumMaskElements(i); e++) {
		int at = LLVMGetMaskValue(i, e);

		if (at < 0 || at == LLVMGetUndefMaskElem())
			continue;
		compile_moves(k, compile_slot(k, i) + e * words,
			      (uint32_t)at < n ? compile_operand(k, a) + (uint32_t)at * words
					       : compile_operand(k, b) + ((uint32_t)at - n) * words,
			      words);
	}
}

void compile_select(struct compiler *k, LLVMValueRef i)
{
	uint32_t c = compile_operand(k, LLVMGetOperand(i, 0));
	uint32_t a = compile_operand(k, LLVMGetOperand(i, 1));
	uint32_t b = compile_operand(k, LLVMGetOperand(i, 2));
	struct program_leaves leaves = VEC_INIT;
	bool vector = LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(i, 0))) == LLVMVectorTypeKind;

	(void)program_leaves(k->p, LLVMTypeOf(i), &leaves);
	for (size_t n = 0; n < leaves.count; n++) {
		struct code_insn *x = compile_emit(k, CODE_SELECT);
		uint32_t word = leaves.items[n].word;

		x->d = compile_slot(k, i) + word;
		x->a = vector ? c + (uint32_t)n : c;
		x->b = a + word;
		x->c = b + word;
		x->w = (uint8_t)leaves.items[n].width;
		x->x = leaves.items[n].width > 64 ? 2 : 1;
	}
	vec_free(&leaves);
}

/* ---- control ---- */

void compile_branch(struct compiler *k, LLVMValueRef i)
{
	LLVMBasicBlockRef here = LLVMGetInstructionParent(i);
	uint32_t at = 0, condition;
	struct code_insn *n;

	if (!LLVMIsConditional(i)) {
		compile_emit(k, CODE_JUMP);
		at = (uint32_t)k->c->insns.count - 1;
		compile_fix(k, (struct compile_fixup){FIX_A, at, 0, here, LLVMGetSuccessor(i, 0)});
		return;
	}
	condition = compile_operand(k, LLVMGetCondition(i));
	n = compile_emit(k, CODE_BRANCH);
	at = (uint32_t)k->c->insns.count - 1;
	n->a = condition;
	n->x = ir_canon_point(i);
	compile_fix(k, (struct compile_fixup){FIX_B, at, 0, here, LLVMGetSuccessor(i, 0)});
	compile_fix(k, (struct compile_fixup){FIX_C, at, 0, here, LLVMGetSuccessor(i, 1)});
}

void compile_switch(struct compiler *k, LLVMValueRef i)
{
	LLVMBasicBlockRef here = LLVMGetInstructionParent(i);
	bool computed = LLVMGetInstructionOpcode(i) == LLVMIndirectBr;
	struct code_table table = VEC_INIT;
	uint32_t on = compile_operand(k, LLVMGetOperand(i, 0)), number;
	struct code_insn *n;

	number = (uint32_t)k->c->tables.count;
	for (unsigned s = 0; s < LLVMGetNumSuccessors(i); s++) {
		struct code_case one = {.successor = s};

		if (computed)
			one.value = program_label(k->p, LLVMGetSuccessor(i, s));
		else if (s)
			one.value = LLVMConstIntGetZExtValue(LLVMGetOperand(i, 2 * s));
		vec_push(&table, one);
		compile_fix(k, (struct compile_fixup){FIX_CASE, number, s, here,
						      LLVMGetSuccessor(i, s)});
	}
	vec_push(&k->c->tables, table);
	n = compile_emit(k, computed ? CODE_GOTO : CODE_SWITCH);
	n->a = on;
	n->b = number;
	n->w = (uint8_t)compile_scalar_width(k, LLVMTypeOf(LLVMGetOperand(i, 0)));
	n->x = ir_canon_point(i);
}

void compile_return(struct compiler *k, LLVMValueRef i)
{
	LLVMValueRef value = LLVMGetNumOperands(i) ? LLVMGetOperand(i, 0) : NULL;
	uint32_t from = value ? compile_operand(k, value) : 0;
	struct code_insn *n = compile_emit(k, CODE_RETURN);

	n->a = from;
	n->c = value ? compile_words(k, value) : 0;
}

/* ---- atomics of private memory ---- */

static int rmw_operation(LLVMValueRef i)
{
	switch (LLVMGetAtomicRMWBinOp(i)) {
	case LLVMAtomicRMWBinOpXchg:
		return EXPR_READ;
	case LLVMAtomicRMWBinOpAdd:
		return EXPR_ADD;
	case LLVMAtomicRMWBinOpSub:
		return EXPR_SUB;
	case LLVMAtomicRMWBinOpAnd:
		return EXPR_AND;
	case LLVMAtomicRMWBinOpOr:
		return EXPR_OR;
	case LLVMAtomicRMWBinOpXor:
		return EXPR_XOR;
	case LLVMAtomicRMWBinOpFAdd:
		return EXPR_FADD;
	case LLVMAtomicRMWBinOpFSub:
		return EXPR_FSUB;
	default:
		return -1;
	}
}

void compile_rmw(struct compiler *k, LLVMValueRef i)
{
	int op = rmw_operation(i);
	unsigned width = compile_scalar_width(k, LLVMTypeOf(i));
	uint32_t a = compile_operand(k, LLVMGetOperand(i, 0));
	uint32_t b = compile_operand(k, LLVMGetOperand(i, 1));
	struct code_insn *n;

	if (op < 0 || width > 64) {
		compile_unknown(k, "atomic operation", i);
		return;
	}
	n = compile_emit(k, CODE_RMW);
	n->d = compile_slot(k, i);
	n->a = a;
	n->b = b;
	n->w = (uint8_t)width;
	n->x = (uint32_t)op;
}

void compile_cmpxchg(struct compiler *k, LLVMValueRef i)
{
	LLVMValueRef expected = LLVMGetOperand(i, 1);
	unsigned width = compile_scalar_width(k, LLVMTypeOf(expected));
	uint32_t a = compile_operand(k, LLVMGetOperand(i, 0)), b = compile_operand(k, expected);
	uint32_t c = compile_operand(k, LLVMGetOperand(i, 2));
	struct code_insn *n;

	if (width > 64) {
		compile_unknown(k, "atomic operation", i);
		return;
	}
	n = compile_emit(k, CODE_SWAP);
	n->d = compile_slot(k, i);
	n->a = a;
	n->b = b;
	n->c = c;
	n->w = (uint8_t)width;
}
