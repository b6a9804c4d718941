/* What the operations of expressions mean: the one place, for folding, evaluation and execution. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "symex/expr.h"

#define PREDICATE_UNORDERED 8 /* bit of LLVM's predicates: true when one side is no number */

static expr_value cut(expr_value value, unsigned width)
{
	return width >= 128 ? value : value & (((expr_value)1 << width) - 1);
}

static __int128 signed_of(expr_value value, unsigned width)
{
	unsigned shift = 128 - width;

	return (__int128)(value << shift) >> shift;
}

/* Division by zero ends the program before its result is used; solvers have these results. */
static expr_value divide(enum expr_op op, unsigned width, expr_value a, expr_value b)
{
	__int128 x = signed_of(a, width), y = signed_of(b, width);

	if (b == 0 && op == EXPR_SDIV)
		return x < 0 ? 1 : ~(expr_value)0;
	if (b == 0)
		return op == EXPR_UDIV ? ~(expr_value)0 : a;
	if (op == EXPR_UDIV)
		return a / b;
	if (op == EXPR_UREM)
		return a % b;
	/* The one quotient that does not fit wraps around. */
	if (y == -1)
		return op == EXPR_SDIV ? -(expr_value)x : 0;
	return (expr_value)(op == EXPR_SDIV ? x / y : x % y);
}

static expr_value shift(enum expr_op op, unsigned width, expr_value a, expr_value b)
{
	if (b >= width)
		return op == EXPR_ASHR && signed_of(a, width) < 0 ? ~(expr_value)0 : 0;
	if (op == EXPR_SHL)
		return a << (unsigned)b;
	if (op == EXPR_LSHR)
		return a >> (unsigned)b;
	return (expr_value)(signed_of(a, width) >> (unsigned)b);
}

/* ---- numbers with a fraction ---- */

static long double real_of(expr_value bits, unsigned width)
{
	uint64_t low = (uint64_t)bits;
	long double wide = 0;
	double d;
	float f;

	switch (width) {
	case 32:
		memcpy(&f, &low, sizeof(f));
		return f;
	case 64:
		memcpy(&d, &low, sizeof(d));
		return d;
	default:
		memcpy(&wide, &bits, 10);
		return wide;
	}
}

static expr_value bits_of(long double value, unsigned width)
{
	expr_value bits = 0;
	double d = (double)value;
	float f = (float)value;

	switch (width) {
	case 32:
		memcpy(&bits, &f, sizeof(f));
		break;
	case 64:
		memcpy(&bits, &d, sizeof(d));
		break;
	default:
		memcpy(&bits, &value, 10);
	}
	return bits;
}

/* In the width itself: going through a wider type would round twice. */
static expr_value real_arithmetic(enum expr_op op, unsigned width, expr_value a, expr_value b)
{
	long double x = real_of(a, width), y = real_of(b, width);

#define IN(type)                                                                                   \
	(op == EXPR_FADD   ? (type)x + (type)y                                                     \
	 : op == EXPR_FSUB ? (type)x - (type)y                                                     \
	 : op == EXPR_FMUL ? (type)x * (type)y                                                     \
			   : (type)x / (type)y)
	if (op == EXPR_FREM)
		return bits_of(width == 32   ? fmodf((float)x, (float)y)
			       : width == 64 ? fmod((double)x, (double)y)
					     : fmodl(x, y),
			       width);
	if (width == 32)
		return bits_of(IN(float), width);
	return width == 64 ? bits_of(IN(double), width) : bits_of(IN(long double), width);
#undef IN
}

/* Bits of the predicate: 1 equal, 2 greater, 4 less, 8 unordered. */
static bool real_compare(uint16_t predicate, long double x, long double y)
{
	if (isunordered(x, y))
		return predicate & PREDICATE_UNORDERED;
	return (x == y && (predicate & 1)) || (x > y && (predicate & 2)) ||
	       (x < y && (predicate & 4));
}

static expr_value real_to_integer(bool sign, unsigned width, long double x)
{
	if (sign)
		return width <= 64 ? (expr_value)(__int128)(int64_t)x : (expr_value)(__int128)x;
	if (width <= 64)
		return (uint64_t)x;
	return (expr_value)x;
}

static expr_value integer_to_real(bool sign, unsigned width, expr_value a, unsigned from)
{
	__int128 s = signed_of(a, from);

	if (width == 32)
		return bits_of(sign ? (float)s : (float)a, width);
	if (width == 64)
		return bits_of(sign ? (double)s : (double)a, width);
	return bits_of(sign ? (long double)s : (long double)a, width);
}

/* ---- functions of mathematics ---- */

struct function {
	const char *name;
	double (*one)(double);
	double (*two)(double, double);
	float (*one_short)(float);
	float (*two_short)(float, float);
};

#define ONE(name)                                                                                  \
	{                                                                                          \
#name, name, NULL, name##f, NULL                                                   \
	}
#define TWO(name)                                                                                  \
	{                                                                                          \
#name, NULL, name, NULL, name##f                                                   \
	}
static const struct function functions[] = {
	ONE(sin),	ONE(cos),	ONE(tan),    ONE(asin),	 ONE(acos),	ONE(atan),
	ONE(sinh),	ONE(cosh),	ONE(tanh),   ONE(exp),	 ONE(exp2),	ONE(expm1),
	ONE(log),	ONE(log2),	ONE(log10),  ONE(log1p), ONE(sqrt),	ONE(cbrt),
	ONE(floor),	ONE(ceil),	ONE(trunc),  ONE(round), ONE(rint),	ONE(fabs),
	ONE(nearbyint), ONE(lgamma),	ONE(tgamma), ONE(erf),	 ONE(erfc),	ONE(logb),
	ONE(roundeven), ONE(asinh),	ONE(acosh),  ONE(atanh), TWO(pow),	TWO(atan2),
	TWO(fmod),	TWO(hypot),	TWO(fmin),   TWO(fmax),	 TWO(copysign), TWO(fdim),
	TWO(remainder), TWO(nextafter),
};

int expr_function(const char *name, unsigned arguments)
{
	for (size_t i = 0; i < sizeof(functions) / sizeof(functions[0]); i++)
		if (!strcmp(functions[i].name, name) &&
		    (arguments == 1 ? functions[i].one != NULL : functions[i].two != NULL))
			return (int)i;
	return -1;
}

static expr_value call_function(uint16_t number, unsigned width, const expr_value arg[3])
{
	const struct function *f = &functions[number];
	long double x = real_of(arg[0], width), y = f->two ? real_of(arg[1], width) : 0;

	assert(number < sizeof(functions) / sizeof(functions[0]));
	if (width == 32)
		return bits_of(f->one ? f->one_short((float)x) : f->two_short((float)x, (float)y),
			       width);
	return bits_of(f->one ? f->one((double)x) : f->two((double)x, (double)y), width);
}

static expr_value compute_real(enum expr_op op, unsigned width, uint16_t aux,
			       const expr_value arg[3], const unsigned widths[3])
{
	switch (op) {
	case EXPR_FNEG:
		return arg[0] ^ (expr_value)1 << (width - 1);
	case EXPR_FCMP:
		return real_compare(aux, real_of(arg[0], widths[0]), real_of(arg[1], widths[1]));
	case EXPR_FCONV:
		return bits_of(real_of(arg[0], widths[0]), width);
	case EXPR_FTOS:
	case EXPR_FTOU:
		return real_to_integer(op == EXPR_FTOS, width, real_of(arg[0], widths[0]));
	case EXPR_STOF:
	case EXPR_UTOF:
		return integer_to_real(op == EXPR_STOF, width, arg[0], widths[0]);
	case EXPR_FUN1:
	case EXPR_FUN2:
		return call_function(aux, width, arg);
	default:
		return real_arithmetic(op, width, arg[0], arg[1]);
	}
}

expr_value expr_compute(enum expr_op op, unsigned width, uint16_t aux, const expr_value arg[3],
			const unsigned widths[3])
{
	expr_value a = arg[0], b = arg[1];

	switch (op) {
	case EXPR_ADD:
		return cut(a + b, width);
	case EXPR_SUB:
		return cut(a - b, width);
	case EXPR_MUL:
		return cut(a * b, width);
	case EXPR_UDIV:
	case EXPR_SDIV:
	case EXPR_UREM:
	case EXPR_SREM:
		return cut(divide(op, width, a, b), width);
	case EXPR_SHL:
	case EXPR_LSHR:
	case EXPR_ASHR:
		return cut(shift(op, width, a, b), width);
	case EXPR_AND:
		return a & b;
	case EXPR_OR:
		return a | b;
	case EXPR_XOR:
		return a ^ b;
	case EXPR_EQ:
		return a == b;
	case EXPR_NE:
		return a != b;
	case EXPR_ULT:
		return a < b;
	case EXPR_ULE:
		return a <= b;
	case EXPR_SLT:
		return signed_of(a, widths[0]) < signed_of(b, widths[1]);
	case EXPR_SLE:
		return signed_of(a, widths[0]) <= signed_of(b, widths[1]);
	case EXPR_ZEXT:
		return a;
	case EXPR_SEXT:
		return cut((expr_value)signed_of(a, widths[0]), width);
	case EXPR_EXTRACT:
		return cut(a >> aux, width);
	case EXPR_CONCAT:
		return cut(a << widths[1] | b, width);
	case EXPR_SELECT:
		return a ? b : arg[2];
	default:
		assert(op >= EXPR_FADD && op < EXPR_OPS);
		return cut(compute_real(op, width, aux, arg, widths), width);
	}
}
