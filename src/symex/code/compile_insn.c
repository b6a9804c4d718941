/* Instructions to register code. */
#include <assert.h>
#include <string.h>

#include "ir/canon.h"
#include "symex/code/compile_priv.h"

static const struct {
	LLVMOpcode from;
	enum expr_op to;
} operations[] = {
	{LLVMAdd, EXPR_ADD},   {LLVMSub, EXPR_SUB},   {LLVMMul, EXPR_MUL},   {LLVMUDiv, EXPR_UDIV},
	{LLVMSDiv, EXPR_SDIV}, {LLVMURem, EXPR_UREM}, {LLVMSRem, EXPR_SREM}, {LLVMShl, EXPR_SHL},
	{LLVMLShr, EXPR_LSHR}, {LLVMAShr, EXPR_ASHR}, {LLVMAnd, EXPR_AND},   {LLVMOr, EXPR_OR},
	{LLVMXor, EXPR_XOR},   {LLVMFAdd, EXPR_FADD}, {LLVMFSub, EXPR_FSUB}, {LLVMFMul, EXPR_FMUL},
	{LLVMFDiv, EXPR_FDIV}, {LLVMFRem, EXPR_FREM},
};

struct scalar_op {
	enum expr_op op;
	uint16_t aux;
	unsigned width, from; /* of the result, of the arguments */
	uint32_t d, a, b;
};

static void emit_scalar(struct compiler *k, const struct scalar_op *s)
{
	bool quick = s->op >= EXPR_ADD && s->op <= EXPR_SLE && s->width <= 64 && s->from <= 64;
	struct code_insn *i =
		compile_emit(k, quick ? (enum code_op)(s->op - EXPR_ADD) : CODE_COMPUTE);

	i->w = (uint8_t)(s->op >= EXPR_EQ && s->op <= EXPR_SLE ? s->from : s->width);
	i->v = (uint8_t)s->from;
	i->d = s->d;
	i->a = s->a;
	i->b = s->b;
	if (!quick) {
		i->w = (uint8_t)s->width;
		i->x = (uint32_t)s->op | (uint32_t)s->aux << 8;
	}
}

static uint32_t lanes(LLVMTypeRef type)
{
	return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetVectorSize(type) : 1;
}

static uint32_t lane_words(unsigned width)
{
	return width > 64 ? 2 : 1;
}

static void compile_each(struct compiler *k, LLVMValueRef i, struct scalar_op s)
{
	uint32_t n = lanes(LLVMTypeOf(i));
	bool two = LLVMGetNumOperands(i) > 1;
	uint32_t d = compile_slot(k, i), a = compile_operand(k, LLVMGetOperand(i, 0));
	uint32_t b = two ? compile_operand(k, LLVMGetOperand(i, 1)) : 0;

	if (s.width > EXPR_MAX_WIDTH || s.from > EXPR_MAX_WIDTH) {
		compile_unknown(k, "number", i);
		return;
	}
	for (uint32_t lane = 0; lane < n; lane++) {
		s.d = d + lane * lane_words(s.width);
		s.a = a + lane * lane_words(s.from);
		s.b = two ? b + lane * lane_words(s.from) : 0;
		emit_scalar(k, &s);
	}
}

static void compile_binary(struct compiler *k, LLVMValueRef i)
{
	struct scalar_op s = {.op = EXPR_OPS};
	LLVMTypeRef type = LLVMTypeOf(i);

	for (size_t n = 0; n < sizeof(operations) / sizeof(operations[0]); n++)
		if (operations[n].from == LLVMGetInstructionOpcode(i))
			s.op = operations[n].to;
	if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
		type = LLVMGetElementType(type);
	if (s.op == EXPR_OPS || (s.op >= EXPR_FADD && !program_is_real(type))) {
		compile_unknown(k, "operation", i);
		return;
	}
	s.width = s.from = compile_scalar_width(k, type);
	compile_each(k, i, s);
}

static void compile_icmp(struct compiler *k, LLVMValueRef i)
{
	struct scalar_op s = {.width = 1};
	LLVMValueRef a = LLVMGetOperand(i, 0), b = LLVMGetOperand(i, 1);
	bool swap = false;

	s.from = compile_scalar_width(k, LLVMTypeOf(a));
	switch (LLVMGetICmpPredicate(i)) {
	case LLVMIntEQ:
		s.op = EXPR_EQ;
		break;
	case LLVMIntNE:
		s.op = EXPR_NE;
		break;
	case LLVMIntUGT:
		swap = true;
		/* fall through */
	case LLVMIntULT:
		s.op = EXPR_ULT;
		break;
	case LLVMIntUGE:
		swap = true;
		/* fall through */
	case LLVMIntULE:
		s.op = EXPR_ULE;
		break;
	case LLVMIntSGT:
		swap = true;
		/* fall through */
	case LLVMIntSLT:
		s.op = EXPR_SLT;
		break;
	case LLVMIntSGE:
		swap = true;
		/* fall through */
	default:
		s.op = EXPR_SLE;
	}
	for (uint32_t lane = 0; lane < lanes(LLVMTypeOf(i)); lane++) {
		s.d = compile_slot(k, i) + lane;
		s.a = compile_operand(k, swap ? b : a) + lane * lane_words(s.from);
		s.b = compile_operand(k, swap ? a : b) + lane * lane_words(s.from);
		emit_scalar(k, &s);
	}
}

static void compile_fcmp(struct compiler *k, LLVMValueRef i)
{
	struct scalar_op s = {.op = EXPR_FCMP, .width = 1};

	/* LLVM's predicates are made of the same four bits. */
	s.aux = (uint16_t)LLVMGetFCmpPredicate(i);
	s.from = compile_scalar_width(k, LLVMTypeOf(LLVMGetOperand(i, 0)));
	compile_each(k, i, s);
}

static void compile_cast(struct compiler *k, LLVMValueRef i)
{
	struct scalar_op s = {.width = compile_scalar_width(k, LLVMTypeOf(i))};
	LLVMValueRef from = LLVMGetOperand(i, 0);

	s.from = compile_scalar_width(k, LLVMTypeOf(from));
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMTrunc:
		s.op = EXPR_EXTRACT;
		break;
	case LLVMZExt:
		s.op = EXPR_ZEXT;
		break;
	case LLVMPtrToInt:
	case LLVMIntToPtr:
		s.op = s.width < s.from ? EXPR_EXTRACT : EXPR_ZEXT;
		break;
	case LLVMSExt:
		s.op = EXPR_SEXT;
		break;
	case LLVMFPToUI:
		s.op = EXPR_FTOU;
		break;
	case LLVMFPToSI:
		s.op = EXPR_FTOS;
		break;
	case LLVMUIToFP:
		s.op = EXPR_UTOF;
		break;
	case LLVMSIToFP:
		s.op = EXPR_STOF;
		break;
	default:
		s.op = EXPR_FCONV;
	}
	compile_each(k, i, s);
}

/* Bits stay, words may be cut differently. */
static void compile_bitcast(struct compiler *k, LLVMValueRef i)
{
	LLVMTypeRef to = LLVMTypeOf(i), from = LLVMTypeOf(LLVMGetOperand(i, 0));
	unsigned wide = compile_scalar_width(k, to), narrow = compile_scalar_width(k, from);
	struct code_insn *n;

	if (wide == narrow) {
		n = compile_emit(k, CODE_MOVES);
		n->d = compile_slot(k, i);
		n->a = compile_operand(k, LLVMGetOperand(i, 0));
		n->c = compile_words(k, i);
		return;
	}
	/* Through memory, as the machine would. */
	if (wide % 8 || narrow % 8) {
		compile_unknown(k, "bitcast", i);
		return;
	}
	n = compile_emit(k, CODE_ALLOCA);
	n->d = k->temps;
	n->a = compile_word(k, 1);
	n->v = 4;
	n->imm = 64;
	for (uint32_t lane = 0; lane < lanes(from); lane++) {
		n = compile_emit(k, CODE_STORE);
		n->a = k->temps;
		n->b = compile_operand(k, LLVMGetOperand(i, 0)) + lane * lane_words(narrow);
		n->w = (uint8_t)narrow;
		n->imm = (int64_t)lane * narrow / 8;
	}
	for (uint32_t lane = 0; lane < lanes(to); lane++) {
		n = compile_emit(k, CODE_LOAD);
		n->a = k->temps;
		n->d = compile_slot(k, i) + lane * lane_words(wide);
		n->w = (uint8_t)wide;
		n->imm = (int64_t)lane * wide / 8;
	}
}

/* ---- memory ---- */

static void compile_access(struct compiler *k, LLVMValueRef i, bool store)
{
	LLVMValueRef value = store ? LLVMGetOperand(i, 0) : i;
	LLVMValueRef address = LLVMGetOperand(i, store ? 1 : 0);
	struct program_leaves leaves = VEC_INIT;

	if (!program_leaves(k->p, LLVMTypeOf(value), &leaves)) {
		compile_unknown(k, "access", i);
	} else {
		uint32_t at = compile_operand(k, address);
		uint32_t words = store ? compile_operand(k, value) : compile_slot(k, i);

		for (size_t n = 0; n < leaves.count; n++) {
			struct code_insn *x = compile_emit(k, store ? CODE_STORE : CODE_LOAD);

			x->a = at;
			x->w = (uint8_t)leaves.items[n].width;
			x->imm = (int64_t)leaves.items[n].offset;
			if (store)
				x->b = words + leaves.items[n].word;
			else
				x->d = words + leaves.items[n].word;
		}
	}
	vec_free(&leaves);
}

static unsigned log2_of(uint64_t align)
{
	unsigned n = 0;

	while (UINT64_C(1) << n < align)
		n++;
	return n;
}

static void compile_alloca(struct compiler *k, LLVMValueRef i)
{
	LLVMTypeRef type = LLVMGetAllocatedType(i);
	struct code_insn *n;
	uint32_t count = compile_operand(k, LLVMGetOperand(i, 0));

	n = compile_emit(k, CODE_ALLOCA);
	n->d = compile_slot(k, i);
	n->a = count;
	n->imm = (int64_t)LLVMABISizeOfType(k->p->layout, type);
	n->v = (uint8_t)log2_of(LLVMGetAlignment(i));
}

static void compile_gep_index(struct compiler *k, uint32_t d, uint32_t from, LLVMValueRef index,
			      uint64_t size)
{
	struct code_insn *n;

	if (LLVMIsAConstantInt(index)) {
		n = compile_emit(k, CODE_ADDR);
		n->imm = (int64_t)((uint64_t)LLVMConstIntGetSExtValue(index) * size);
	} else {
		uint32_t at = compile_operand(k, index);

		n = compile_emit(k, CODE_GEP);
		n->b = at;
		n->v = (uint8_t)program_width(k->p, LLVMTypeOf(index));
		n->imm = (int64_t)size;
	}
	n->d = d;
	n->a = from;
}

static void compile_gep(struct compiler *k, LLVMValueRef i)
{
	LLVMTypeRef type = LLVMGetGEPSourceElementType(i);
	uint32_t d, from;

	if (LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVectorTypeKind) {
		compile_unknown(k, "address", i);
		return;
	}
	d = compile_slot(k, i);
	from = compile_operand(k, LLVMGetOperand(i, 0));
	for (unsigned n = 1; n < (unsigned)LLVMGetNumOperands(i); n++) {
		LLVMValueRef index = LLVMGetOperand(i, n);

		if (n == 1) {
			compile_gep_index(k, d, from, index, LLVMABISizeOfType(k->p->layout, type));
		} else if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
			unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
			struct code_insn *x = compile_emit(k, CODE_ADDR);

			x->d = d;
			x->a = from;
			x->imm = (int64_t)LLVMOffsetOfElement(k->p->layout, type, field);
			type = LLVMStructGetTypeAtIndex(type, field);
		} else {
			type = LLVMGetElementType(type);
			compile_gep_index(k, d, from, index, LLVMABISizeOfType(k->p->layout, type));
		}
		from = d;
	}
}

static void compile_fneg(struct compiler *k, LLVMValueRef i)
{
	struct scalar_op s = {.op = EXPR_FNEG};

	s.width = s.from = compile_scalar_width(k, LLVMTypeOf(i));
	compile_each(k, i, s);
}

static void compile_pad(struct compiler *k, LLVMValueRef i)
{
	compile_emit(k, CODE_PAD)->d = compile_slot(k, i);
}

static void compile_resume(struct compiler *k, LLVMValueRef i)
{
	uint32_t a = compile_operand(k, LLVMGetOperand(i, 0));

	compile_emit(k, CODE_RESUME)->a = a;
}

void compile_instruction(struct compiler *k, LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMICmp:
		compile_icmp(k, i);
		break;
	case LLVMFCmp:
		compile_fcmp(k, i);
		break;
	case LLVMFNeg:
		compile_fneg(k, i);
		break;
	case LLVMTrunc:
	case LLVMZExt:
	case LLVMSExt:
	case LLVMFPToUI:
	case LLVMFPToSI:
	case LLVMUIToFP:
	case LLVMSIToFP:
	case LLVMFPTrunc:
	case LLVMFPExt:
	case LLVMPtrToInt:
	case LLVMIntToPtr:
		compile_cast(k, i);
		break;
	case LLVMBitCast:
	case LLVMAddrSpaceCast:
		compile_bitcast(k, i);
		break;
	case LLVMFreeze:
		compile_moves(k, compile_slot(k, i), compile_operand(k, LLVMGetOperand(i, 0)),
			      compile_words(k, i));
		break;
	case LLVMLoad:
		compile_access(k, i, false);
		break;
	case LLVMStore:
		compile_access(k, i, true);
		break;
	case LLVMAlloca:
		compile_alloca(k, i);
		break;
	case LLVMGetElementPtr:
		compile_gep(k, i);
		break;
	case LLVMExtractValue:
		compile_extract_value(k, i);
		break;
	case LLVMInsertValue:
		compile_insert_value(k, i);
		break;
	case LLVMExtractElement:
		compile_vector(k, i, false);
		break;
	case LLVMInsertElement:
		compile_vector(k, i, true);
		break;
	case LLVMShuffleVector:
		compile_shuffle(k, i);
		break;
	case LLVMSelect:
		compile_select(k, i);
		break;
	case LLVMBr:
		compile_branch(k, i);
		break;
	case LLVMSwitch:
	case LLVMIndirectBr:
		compile_switch(k, i);
		break;
	case LLVMRet:
		compile_return(k, i);
		break;
	case LLVMCall:
	case LLVMInvoke:
		compile_call(k, i);
		break;
	case LLVMLandingPad:
		compile_pad(k, i);
		break;
	case LLVMResume:
		compile_resume(k, i);
		break;
	case LLVMAtomicRMW:
		compile_rmw(k, i);
		break;
	case LLVMAtomicCmpXchg:
		compile_cmpxchg(k, i);
		break;
	case LLVMFence:
		break;
	case LLVMUnreachable:
		compile_emit(k, CODE_UNREACHABLE);
		break;
	default:
		compile_binary(k, i);
	}
}
