/* What instructions compute, and the flags they leave; asm.c has the rest. */
#include "instr/asm_priv.h"

#include <string.h>

static LLVMValueRef is_negative(struct asm_state *s, LLVMValueRef v)
{
	return LLVMBuildICmp(s->u->build, LLVMIntSLT, v, LLVMConstNull(LLVMTypeOf(v)), "");
}

static void set_flags(struct asm_state *s, LLVMValueRef result, LLVMValueRef carry,
		      LLVMValueRef overflow)
{
	LLVMValueRef null = LLVMConstNull(LLVMTypeOf(result));

	s->flags.zero = LLVMBuildICmp(s->u->build, LLVMIntEQ, result, null, "");
	s->flags.sign = is_negative(s, result);
	s->flags.carry = carry;
	s->flags.overflow = overflow;
}

static LLVMValueRef subtract(struct asm_state *s, LLVMValueRef a, LLVMValueRef b)
{
	LLVMBuilderRef at = s->u->build;
	LLVMValueRef r = LLVMBuildSub(at, a, b, "");
	LLVMValueRef mixed =
		LLVMBuildAnd(at, LLVMBuildXor(at, a, b, ""), LLVMBuildXor(at, a, r, ""), "");

	set_flags(s, r, LLVMBuildICmp(at, LLVMIntULT, a, b, ""), is_negative(s, mixed));
	return r;
}

static LLVMValueRef sum(struct asm_state *s, LLVMValueRef a, LLVMValueRef b)
{
	LLVMBuilderRef at = s->u->build;
	LLVMValueRef r = LLVMBuildAdd(at, a, b, "");
	LLVMValueRef mixed =
		LLVMBuildAnd(at, LLVMBuildXor(at, a, r, ""), LLVMBuildXor(at, b, r, ""), "");

	set_flags(s, r, LLVMBuildICmp(at, LLVMIntULT, r, a, ""), is_negative(s, mixed));
	return r;
}

LLVMValueRef asm_compute(struct asm_state *s, const char *op, LLVMValueRef a, LLVMValueRef b)
{
	LLVMValueRef no = LLVMConstNull(s->u->i1), carry = s->flags.carry, r;

	if (!strcmp(op, "add"))
		return sum(s, a, b);
	if (!strcmp(op, "sub") || !strcmp(op, "cmp"))
		return subtract(s, a, b);
	if (!strcmp(op, "inc") || !strcmp(op, "dec")) {
		r = op[0] == 'i' ? sum(s, a, b) : subtract(s, a, b);
		s->flags.carry = carry;
		return r;
	}
	if (!strcmp(op, "not"))
		return LLVMBuildXor(s->u->build, a, b, "");
	if (!strcmp(op, "and") || !strcmp(op, "test"))
		r = LLVMBuildAnd(s->u->build, a, b, "");
	else
		r = op[0] == 'o' ? LLVMBuildOr(s->u->build, a, b, "")
				 : LLVMBuildXor(s->u->build, a, b, "");
	set_flags(s, r, no, no);
	return r;
}

static LLVMValueRef either(struct asm_state *s, LLVMValueRef a, LLVMValueRef b)
{
	return a && b ? LLVMBuildOr(s->u->build, a, b, "") : NULL;
}

static LLVMValueRef differ(struct asm_state *s, LLVMValueRef a, LLVMValueRef b)
{
	return a && b ? LLVMBuildXor(s->u->build, a, b, "") : NULL;
}

LLVMValueRef asm_condition(struct asm_state *s, const char *cc)
{
	static const struct {
		const char *name;
		char flag;
		bool negated;
	} names[] = {
		{"z", 'z', 0},	 {"e", 'z', 0},	 {"nz", 'z', 1},  {"ne", 'z', 1},  {"s", 's', 0},
		{"ns", 's', 1},	 {"c", 'c', 0},	 {"b", 'c', 0},	  {"nae", 'c', 0}, {"nc", 'c', 1},
		{"nb", 'c', 1},	 {"ae", 'c', 1}, {"o", 'o', 0},	  {"no", 'o', 1},  {"be", 'b', 0},
		{"na", 'b', 0},	 {"a", 'b', 1},	 {"nbe", 'b', 1}, {"l", 'l', 0},   {"nge", 'l', 0},
		{"ge", 'l', 1},	 {"nl", 'l', 1}, {"le", 'g', 0},  {"ng", 'g', 0},  {"g", 'g', 1},
		{"nle", 'g', 1},
	};
	const struct asm_flags *f = &s->flags;
	LLVMValueRef value = NULL;

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		if (strcmp(names[i].name, cc))
			continue;
		switch (names[i].flag) {
		case 'z':
			value = f->zero;
			break;
		case 's':
			value = f->sign;
			break;
		case 'c':
			value = f->carry;
			break;
		case 'o':
			value = f->overflow;
			break;
		case 'b':
			value = either(s, f->carry, f->zero);
			break;
		case 'l':
			value = differ(s, f->sign, f->overflow);
			break;
		default:
			value = either(s, f->zero, differ(s, f->sign, f->overflow));
		}
		return value && names[i].negated ? LLVMBuildNot(s->u->build, value, "") : value;
	}
	return NULL;
}
