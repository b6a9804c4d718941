/* Intrinsics: what the compiler calls by a name of its own and has no body. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "instr/again.h"
#include "ir/canon.h"
#include "ir/function.h"
#include "symex/code/compile_priv.h"

static bool starts(const char *text, const char *prefix)
{
	return !strncmp(text, prefix, strlen(prefix));
}

static void copy_argument(struct compiler *k, LLVMValueRef call)
{
	struct code_insn *n;
	uint32_t from = compile_operand(k, LLVMGetArgOperand(call, 0));

	n = compile_emit(k, CODE_MOVES);
	n->d = compile_slot(k, call);
	n->a = from;
	n->c = compile_words(k, call);
}

static void set_number(struct compiler *k, LLVMValueRef call, uint64_t number)
{
	uint32_t from = compile_word(k, number);
	struct code_insn *n = compile_emit(k, CODE_MOVE);

	n->d = compile_slot(k, call);
	n->a = from;
}

/* Functions of mathematics on numbers with a fraction: "llvm.sqrt.f64" is sqrt. */
static bool compile_math(struct compiler *k, LLVMValueRef call, const char *name)
{
	static const char *const other[][2] = {
		{"minnum", "fmin"}, {"maxnum", "fmax"}, {"minimum", "fmin"}, {"maximum", "fmax"}};
	unsigned arguments = LLVMGetNumArgOperands(call);
	unsigned width = compile_scalar_width(k, LLVMTypeOf(call));
	char word[32] = "";
	uint32_t a, b,
		n = LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVectorTypeKind
			    ? LLVMGetVectorSize(LLVMTypeOf(call))
			    : 1;
	int number;

	if (sscanf(name, "llvm.%31[a-z0-9]", word) != 1 || arguments > 2 || !arguments ||
	    width > 64)
		return false;
	for (size_t i = 0; i < sizeof(other) / sizeof(other[0]); i++)
		if (!strcmp(word, other[i][0]))
			strcpy(word, other[i][1]);
	number = expr_function(word, arguments);
	if (number < 0)
		return false;
	a = compile_operand(k, LLVMGetArgOperand(call, 0));
	b = arguments > 1 ? compile_operand(k, LLVMGetArgOperand(call, 1)) : 0;
	for (uint32_t lane = 0; lane < n; lane++) {
		struct code_insn *i = compile_emit(k, CODE_COMPUTE);

		i->w = i->v = (uint8_t)width;
		i->d = compile_slot(k, call) + lane;
		i->a = a + lane;
		i->b = arguments > 1 ? b + lane : 0;
		i->x = (uint32_t)(arguments > 1 ? EXPR_FUN2 : EXPR_FUN1) | (uint32_t)number << 8;
	}
	return true;
}

static void emit_op(struct compiler *k, enum expr_op op, unsigned w, uint32_t d, uint32_t a,
		    uint32_t b)
{
	struct code_insn *i = compile_emit(k, CODE_COMPUTE);

	i->w = (uint8_t)w;
	i->v = (uint8_t)w;
	i->d = d;
	i->a = a;
	i->b = b;
	i->x = (uint32_t)op;
	if (op >= EXPR_EQ && op <= EXPR_SLE)
		i->w = 1;
}

static void emit_select(struct compiler *k, uint32_t d, uint32_t c, uint32_t a, uint32_t b,
			unsigned w)
{
	struct code_insn *i = compile_emit(k, CODE_SELECT);

	i->d = d;
	i->a = c;
	i->b = a;
	i->c = b;
	i->w = (uint8_t)w;
	i->x = w > 64 ? 2 : 1;
}

/* a * b + c, without the extra precision, as processors of any age do it. */
static void compile_muladd(struct compiler *k, LLVMValueRef call)
{
	unsigned w = compile_scalar_width(k, LLVMTypeOf(call));
	uint32_t a = compile_operand(k, LLVMGetArgOperand(call, 0));
	uint32_t b = compile_operand(k, LLVMGetArgOperand(call, 1));
	uint32_t c = compile_operand(k, LLVMGetArgOperand(call, 2));
	uint32_t step = w > 64 ? 2 : 1;

	for (uint32_t lane = 0; lane < compile_words(k, call); lane += step) {
		emit_op(k, EXPR_FMUL, w, k->temps, a + lane, b + lane);
		emit_op(k, EXPR_FADD, w, compile_slot(k, call) + lane, k->temps, c + lane);
	}
}

/* Least and greatest. */
static bool compile_minmax(struct compiler *k, LLVMValueRef call, const char *name)
{
	static const struct {
		const char *name;
		enum expr_op less;
		bool greatest;
	} rows[] = {{"llvm.smax.", EXPR_SLT, true},
		    {"llvm.smin.", EXPR_SLT, false},
		    {"llvm.umax.", EXPR_ULT, true},
		    {"llvm.umin.", EXPR_ULT, false}};
	unsigned w = compile_scalar_width(k, LLVMTypeOf(call));
	uint32_t a, b;

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!starts(name, rows[i].name) || w > 64)
			continue;
		a = compile_operand(k, LLVMGetArgOperand(call, 0));
		b = compile_operand(k, LLVMGetArgOperand(call, 1));
		for (uint32_t lane = 0; lane < compile_words(k, call); lane++) {
			emit_op(k, rows[i].less, w, k->temps, a + lane, b + lane);
			emit_select(k, compile_slot(k, call) + lane, k->temps,
				    (rows[i].greatest ? b : a) + lane,
				    (rows[i].greatest ? a : b) + lane, w);
		}
		return true;
	}
	return false;
}

/* {result, overflow}: computed in twice the width. */
static bool compile_overflow(struct compiler *k, LLVMValueRef call, const char *name)
{
	LLVMTypeRef type = LLVMTypeOf(LLVMGetArgOperand(call, 0));
	unsigned w = compile_scalar_width(k, type), wide = w * 2;
	bool sign = name[5] == 's';
	enum expr_op op = starts(name + 6, "add")   ? EXPR_ADD
			  : starts(name + 6, "sub") ? EXPR_SUB
						    : EXPR_MUL;
	uint32_t a, b, d, t = k->temps;
	struct code_insn *i;

	if (w > 64 || compile_words(k, LLVMGetArgOperand(call, 0)) != 1)
		return false;
	a = compile_operand(k, LLVMGetArgOperand(call, 0));
	b = compile_operand(k, LLVMGetArgOperand(call, 1));
	d = compile_slot(k, call);
	for (int n = 0; n < 2; n++) {
		i = compile_emit(k, CODE_COMPUTE);
		i->d = t + 2u * (uint32_t)n;
		i->a = n ? b : a;
		i->w = (uint8_t)wide;
		i->v = (uint8_t)w;
		i->x = sign ? EXPR_SEXT : EXPR_ZEXT;
	}
	emit_op(k, op, wide, t + 4, t, t + 2);
	i = compile_emit(k, CODE_COMPUTE); /* the low half */
	i->d = d;
	i->a = t + 4;
	i->w = (uint8_t)w;
	i->v = (uint8_t)wide;
	i->x = EXPR_EXTRACT;
	i = compile_emit(k, CODE_COMPUTE); /* wide again */
	i->d = t + 6;
	i->a = d;
	i->w = (uint8_t)wide;
	i->v = (uint8_t)w;
	i->x = sign ? EXPR_SEXT : EXPR_ZEXT;
	emit_op(k, EXPR_NE, wide, d + 1, t + 4, t + 6);
	return true;
}

static bool compile_abs(struct compiler *k, LLVMValueRef call)
{
	unsigned w = compile_scalar_width(k, LLVMTypeOf(call));
	uint32_t a, zero, d;

	if (w > 64)
		return false;
	a = compile_operand(k, LLVMGetArgOperand(call, 0));
	zero = compile_word(k, 0);
	d = compile_slot(k, call);
	for (uint32_t lane = 0; lane < compile_words(k, call); lane++) {
		emit_op(k, EXPR_SLT, w, k->temps, a + lane, zero);
		emit_op(k, EXPR_SUB, w, k->temps + 1, zero, a + lane);
		emit_select(k, d + lane, k->temps, k->temps + 1, a + lane, w);
	}
	return true;
}

/* Bits shifted out of two words: fshl(a, b, c). */
static bool compile_funnel(struct compiler *k, LLVMValueRef call, bool left)
{
	unsigned w = compile_scalar_width(k, LLVMTypeOf(call));
	uint32_t a, b, c, n, t = k->temps, d;

	if (w > 64 || compile_words(k, call) != 1 || (w & (w - 1)))
		return false;
	a = compile_operand(k, LLVMGetArgOperand(call, 0));
	b = compile_operand(k, LLVMGetArgOperand(call, 1));
	c = compile_operand(k, LLVMGetArgOperand(call, 2));
	n = compile_word(k, w);
	d = compile_slot(k, call);
	emit_op(k, EXPR_AND, w, t, c, compile_word(k, w - 1));
	emit_op(k, EXPR_SUB, w, t + 1, n, t);
	/* Shifts by the whole width give 0, so both halves may be joined. */
	emit_op(k, EXPR_SHL, w, t + 2, a, left ? t : t + 1);
	emit_op(k, EXPR_LSHR, w, t + 3, b, left ? t + 1 : t);
	emit_op(k, EXPR_OR, w, d, t + 2, t + 3);
	return true;
}

/* Made of smaller steps on single bits or bytes. */
static bool compile_bits(struct compiler *k, LLVMValueRef call, const char *name)
{
	unsigned w = compile_scalar_width(k, LLVMTypeOf(call)), unit;
	uint32_t a, d, t = k->temps;

	if (w > 64 || compile_words(k, call) != 1)
		return false;
	a = compile_operand(k, LLVMGetArgOperand(call, 0));
	d = compile_slot(k, call);
	if (starts(name, "llvm.bswap.") || starts(name, "llvm.bitreverse.")) {
		unit = starts(name, "llvm.bswap.") ? 8 : 1;
		emit_op(k, EXPR_AND, w, t, compile_word(k, 0), compile_word(k, 0));
		for (unsigned at = 0; at < w; at += unit) {
			emit_op(k, EXPR_LSHR, w, t + 1, a, compile_word(k, at));
			emit_op(k, EXPR_AND, w, t + 1, t + 1,
				compile_word(k, (UINT64_C(1) << unit) - 1));
			emit_op(k, EXPR_SHL, w, t + 1, t + 1, compile_word(k, w - unit - at));
			emit_op(k, EXPR_OR, w, t, t, t + 1);
		}
		emit_op(k, EXPR_OR, w, d, t, t);
		return true;
	}
	if (starts(name, "llvm.ctpop.")) {
		emit_op(k, EXPR_AND, w, t, compile_word(k, 0), compile_word(k, 0));
		for (unsigned at = 0; at < w; at++) {
			emit_op(k, EXPR_LSHR, w, t + 1, a, compile_word(k, at));
			emit_op(k, EXPR_AND, w, t + 1, t + 1, compile_word(k, 1));
			emit_op(k, EXPR_ADD, w, t, t, t + 1);
		}
		emit_op(k, EXPR_OR, w, d, t, t);
		return true;
	}
	/* ctlz, cttz: the first bit that is set, looked for from the far end. */
	emit_op(k, EXPR_OR, w, t, compile_word(k, w), compile_word(k, 0));
	for (unsigned n = 0; n < w; n++) {
		unsigned at = starts(name, "llvm.cttz.") ? w - 1 - n : n;
		unsigned count = starts(name, "llvm.cttz.") ? at : w - 1 - at;

		emit_op(k, EXPR_LSHR, w, t + 1, a, compile_word(k, at));
		emit_op(k, EXPR_AND, w, t + 1, t + 1, compile_word(k, 1));
		emit_op(k, EXPR_NE, w, t + 2, t + 1, compile_word(k, 0));
		emit_select(k, t, t + 2, compile_word(k, count), t, w);
	}
	emit_op(k, EXPR_OR, w, d, t, t);
	return true;
}

static bool compile_object_size(struct compiler *k, LLVMValueRef call)
{
	bool least = LLVMConstIntGetZExtValue(LLVMGetArgOperand(call, 1)) != 0;

	set_number(k, call,
		   least ? 0 : ~UINT64_C(0) >> (64 - compile_scalar_width(k, LLVMTypeOf(call))));
	return true;
}

static void emit_with(struct compiler *k, enum code_op op, LLVMValueRef call)
{
	uint32_t a =
		LLVMGetNumArgOperands(call) ? compile_operand(k, LLVMGetArgOperand(call, 0)) : 0;
	struct code_insn *i = compile_emit(k, op);

	i->a = a;
	i->d = compile_words(k, call) ? compile_slot(k, call) : 0;
}

static const char *const nothing[] = {
	"llvm.dbg.",
	"llvm.lifetime.",
	"llvm.assume",
	"llvm.invariant.",
	"llvm.va_end",
	"llvm.prefetch",
	"llvm.experimental.noalias",
	"llvm.donothing",
	"llvm.var.annotation",
	"llvm.sideeffect",
	"llvm.instrprof.",
	"llvm.fake.use",
	"llvm.x86.sse2.pause",
	"llvm.set.rounding",
};

static const char *const same[] = {
	"llvm.expect.",	   "llvm.launder.", "llvm.strip.",	     "llvm.ptr.annotation",
	"llvm.annotation", "llvm.ssa.copy", "llvm.arithmetic.fence",
};

bool compile_intrinsic(struct compiler *k, LLVMValueRef call)
{
	const char *name = ir_function_intrinsic(call);

	for (size_t i = 0; i < sizeof(nothing) / sizeof(nothing[0]); i++)
		if (starts(name, nothing[i]))
			return true;
	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++)
		if (starts(name, same[i]))
			return copy_argument(k, call), true;
	if (starts(name, "llvm.fmuladd.") || starts(name, "llvm.fma."))
		return compile_muladd(k, call), true;
	if (starts(name, "llvm.va_start"))
		return emit_with(k, CODE_VA_START, call), true;
	if (starts(name, "llvm.stacksave"))
		return emit_with(k, CODE_SAVE, call), true;
	if (starts(name, "llvm.stackrestore"))
		return emit_with(k, CODE_RESTORE, call), true;
	if (starts(name, "llvm.is.constant"))
		return set_number(k, call, 0), true;
	if (starts(name, "llvm.frameaddress") || starts(name, "llvm.returnaddress"))
		return set_number(k, call, 0), true;
	if (starts(name, "llvm.objectsize."))
		return compile_object_size(k, call);
	if (starts(name, "llvm.abs."))
		return compile_abs(k, call);
	if (starts(name, "llvm.fshl.") || starts(name, "llvm.fshr."))
		return compile_funnel(k, call, name[8] == 'l');
	if (starts(name, "llvm.sadd.with") || starts(name, "llvm.uadd.with") ||
	    starts(name, "llvm.ssub.with") || starts(name, "llvm.usub.with") ||
	    starts(name, "llvm.smul.with") || starts(name, "llvm.umul.with"))
		return compile_overflow(k, call, name);
	if (starts(name, "llvm.bswap.") || starts(name, "llvm.ctpop.") ||
	    starts(name, "llvm.ctlz.") || starts(name, "llvm.cttz.") ||
	    starts(name, "llvm.bitreverse."))
		return compile_bits(k, call, name);
	/* All others compute a number. */
	if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind)
		return false;
	return compile_minmax(k, call, name) || compile_math(k, call, name);
}
