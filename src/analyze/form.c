#include "analyze/form.h"

#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#define MAX_DEPTH 24

static struct form of(struct whole *w, uint32_t body, LLVMValueRef v, int depth);

bool form_same_leaf(const struct form_leaf *a, const struct form_leaf *b)
{
	return a->body == b->body && a->value == b->value && a->cast == b->cast;
}

static struct form leaf(uint32_t body, LLVMValueRef v, int cast)
{
	struct form f = {.count = 1};

	f.terms[0] = (struct form_term){{body, v, cast}, 1};
	return f;
}

bool form_add(struct form *to, const struct form *x, int64_t scale)
{
	to->constant += x->constant * scale;
	for (uint32_t i = 0; i < x->count; i++) {
		uint32_t k = 0;

		while (k < to->count && !form_same_leaf(&to->terms[k].leaf, &x->terms[i].leaf))
			k++;
		if (k == to->count) {
			if (k == FORM_TERMS)
				return false;
			to->terms[to->count++] =
				(struct form_term){x->terms[i].leaf, x->terms[i].scale * scale};
		} else {
			to->terms[k].scale += x->terms[i].scale * scale;
			if (!to->terms[k].scale)
				to->terms[k] = to->terms[--to->count];
		}
	}
	return true;
}

bool form_distance(const struct form *a, const struct form *b, int64_t *distance)
{
	struct form d = *a;

	if (!form_add(&d, b, -1) || d.count)
		return false;
	*distance = d.constant;
	return true;
}

bool form_equal(const struct form *a, const struct form *b)
{
	int64_t d;

	return form_distance(a, b, &d) && d == 0;
}

bool form_uses(const struct form *f, uint32_t body, LLVMValueRef v)
{
	for (uint32_t i = 0; i < f->count; i++)
		if (f->terms[i].leaf.body == body && f->terms[i].leaf.value == v)
			return true;
	return false;
}

static bool add_index(struct whole *w, uint32_t body, LLVMValueRef index, uint64_t each,
		      struct form *to, int depth)
{
	struct form x = of(w, body, index, depth);

	return form_add(to, &x, (int64_t)each);
}

static bool address(struct whole *w, uint32_t body, LLVMValueRef gep, struct form *to, int depth)
{
	LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);

	if (!LLVMTypeIsSized(type))
		return false;
	*to = of(w, body, LLVMGetOperand(gep, 0), depth);
	for (int i = 1; i < LLVMGetNumOperands(gep); i++) {
		LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);

		if (i == 1) {
			if (!add_index(w, body, index, LLVMABISizeOfType(w->layout, type), to,
				       depth))
				return false;
		} else if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
			unsigned k = (unsigned)LLVMConstIntGetZExtValue(index);

			to->constant += (int64_t)LLVMOffsetOfElement(w->layout, type, k);
			type = LLVMStructGetTypeAtIndex(type, k);
		} else if (LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
			type = LLVMGetElementType(type);
			if (!add_index(w, body, index, LLVMABISizeOfType(w->layout, type), to,
				       depth))
				return false;
		} else {
			return false;
		}
	}
	return true;
}

static bool wide(LLVMValueRef v)
{
	LLVMTypeRef type = LLVMTypeOf(v);

	return LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) == 64;
}

/* Sums that do not wrap, or that wrap as addresses do. */
static bool sum(struct whole *w, uint32_t body, LLVMValueRef v, struct form *to, int depth)
{
	LLVMValueRef a = LLVMGetOperand(v, 0), b = LLVMGetOperand(v, 1);
	LLVMOpcode op = LLVMIsAInstruction(v) ? LLVMGetInstructionOpcode(v) : LLVMGetConstOpcode(v);
	struct form x, y;

	if (!wide(v) && !(LLVMIsAInstruction(v) && LLVMGetNSW(v)))
		return false;
	x = of(w, body, a, depth);
	y = of(w, body, b, depth);
	*to = (struct form){0};
	switch (op) {
	case LLVMAdd:
		return form_add(to, &x, 1) && form_add(to, &y, 1);
	case LLVMSub:
		return form_add(to, &x, 1) && form_add(to, &y, -1);
	case LLVMMul:
		if (!y.count)
			return form_add(to, &x, y.constant);
		return !x.count && form_add(to, &y, x.constant);
	default:
		return !y.count && y.constant >= 0 && y.constant < 32 &&
		       form_add(to, &x, INT64_C(1) << y.constant);
	}
}

/* A parameter of a body that has one caller. */
static bool given(struct whole *w, uint32_t body, LLVMValueRef v, struct form *to, int depth)
{
	const struct body *b = &w->bodies.items[body];
	LLVMValueRef f = whole_function(w, body), call;
	uint32_t caller;

	if (b->shared || b->called_back || b->callers.count != 1)
		return false;
	call = b->callers.items[0].call;
	caller = b->callers.items[0].body;
	if (!call || call == WHOLE_BEFORE)
		return false;
	for (unsigned i = 0; i < LLVMCountParams(f) && i < LLVMGetNumArgOperands(call); i++)
		if (LLVMGetParam(f, i) == v) {
			if (whole_by_value(f, i))
				return false;
			*to = of(w, caller, LLVMGetArgOperand(call, i), depth);
			return true;
		}
	return false;
}

static LLVMOpcode opcode(LLVMValueRef v)
{
	if (LLVMIsAInstruction(v))
		return LLVMGetInstructionOpcode(v);
	return LLVMIsAConstantExpr(v) ? LLVMGetConstOpcode(v) : (LLVMOpcode)0;
}

static struct form convert(struct whole *w, uint32_t body, LLVMValueRef v, int depth)
{
	LLVMValueRef x = LLVMGetOperand(v, 0);
	LLVMOpcode op = opcode(v);
	struct form f = of(w, body, x, depth);

	/* Sums of signed numbers were followed only when they do not wrap. */
	if (op == LLVMSExt || op == LLVMPtrToInt || op == LLVMIntToPtr || op == LLVMBitCast ||
	    op == LLVMFreeze)
		return wide(v) || op == LLVMSExt ? f : leaf(body, v, 0);
	if (f.count == 1 && f.constant == 0 && f.terms[0].scale == 1 && !f.terms[0].leaf.cast) {
		f.terms[0].leaf.cast = (int)op;
		return f;
	}
	return f.count ? leaf(body, v, 0) : f;
}

static struct form of(struct whole *w, uint32_t body, LLVMValueRef v, int depth)
{
	struct form f = {0};

	if (LLVMIsAConstantInt(v) && LLVMGetIntTypeWidth(LLVMTypeOf(v)) <= 64) {
		f.constant = LLVMConstIntGetSExtValue(v);
		return f;
	}
	if (LLVMIsAGlobalValue(v))
		return leaf(LLVMIsAGlobalVariable(v) && LLVMIsThreadLocal(v) ? body : WHOLE_NONE, v,
			    0);
	if (LLVMIsAConstantPointerNull(v))
		return f;
	if (++depth > MAX_DEPTH)
		return leaf(body, v, 0);
	switch (opcode(v)) {
	case LLVMGetElementPtr:
		return address(w, body, v, &f, depth) ? f : leaf(body, v, 0);
	case LLVMAdd:
	case LLVMSub:
	case LLVMMul:
	case LLVMShl:
		return sum(w, body, v, &f, depth) ? f : leaf(body, v, 0);
	case LLVMSExt:
	case LLVMZExt:
	case LLVMTrunc:
	case LLVMPtrToInt:
	case LLVMIntToPtr:
	case LLVMBitCast:
	case LLVMFreeze:
		return convert(w, body, v, depth);
	default:
		break;
	}
	if (LLVMIsAArgument(v) && given(w, body, v, &f, depth))
		return f;
	return leaf(body, v, 0);
}

struct form form_of(struct whole *w, uint32_t body, LLVMValueRef v)
{
	return of(w, body, v, 0);
}
