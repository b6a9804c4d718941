#include "deps/points.h"

#include <string.h>

#include <llvm-c/Core.h>

#define NONE UINT32_MAX

static uint32_t fresh(struct deps_points *p)
{
	uint32_t c = (uint32_t)p->parent.count;

	vec_push(&p->parent, c);
	vec_push(&p->pointee, NONE);
	return c;
}

void deps_points_init(struct deps_points *p)
{
	*p = (struct deps_points){.values = PTRMAP_INIT};
	p->outside = fresh(p);
	p->pointee.items[p->outside] = p->outside;
}

void deps_points_fini(struct deps_points *p)
{
	vec_free(&p->parent);
	vec_free(&p->pointee);
	vec_free(&p->named);
	vec_free(&p->named_class);
	vec_free(&p->functions);
	vec_free(&p->function_class);
	ptrmap_free(&p->values);
}

uint32_t deps_points_find(struct deps_points *p, uint32_t c)
{
	while (p->parent.items[c] != c) {
		p->parent.items[c] = p->parent.items[p->parent.items[c]];
		c = p->parent.items[c];
	}
	return c;
}

uint32_t deps_points_to(struct deps_points *p, uint32_t c)
{
	c = deps_points_find(p, c);
	if (p->pointee.items[c] == NONE) {
		uint32_t to = fresh(p);

		p->pointee.items[c] = to;
	}
	return deps_points_find(p, p->pointee.items[c]);
}

void deps_points_unify(struct deps_points *p, uint32_t a, uint32_t b)
{
	for (;;) {
		uint32_t to_a, to_b;

		a = deps_points_find(p, a);
		b = deps_points_find(p, b);
		if (a == b)
			return;
		to_a = p->pointee.items[a];
		to_b = p->pointee.items[b];
		p->parent.items[b] = a;
		p->changes++;
		if (to_a == NONE)
			p->pointee.items[a] = to_b;
		if (to_a == NONE || to_b == NONE)
			return;
		a = to_a;
		b = to_b;
	}
}

static bool same_name(LLVMValueRef a, LLVMValueRef b)
{
	size_t n, m;
	const char *x = LLVMGetValueName2(a, &n), *y = LLVMGetValueName2(b, &m);

	return n == m && !memcmp(x, y, n);
}

/* The place a global is; the same for all units that can see it. */
static uint32_t place_of_global(struct deps_points *p, LLVMValueRef global)
{
	LLVMLinkage linkage = LLVMGetLinkage(global);
	uint32_t c;

	if (linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage)
		return fresh(p);
	for (size_t i = 0; i < p->named.count; i++)
		if (same_name(p->named.items[i], global))
			return p->named_class.items[i];
	c = fresh(p);
	vec_push(&p->named, global);
	vec_push(&p->named_class, c);
	return c;
}

static void make_address(struct deps_points *p, LLVMValueRef v, uint32_t c)
{
	uint32_t place = place_of_global(p, v);

	p->pointee.items[c] = place;
	if (LLVMIsAFunction(v)) {
		vec_push(&p->functions, v);
		vec_push(&p->function_class, place);
	} else if (LLVMIsDeclaration(v)) {
		/* stdout and the like: somebody else's. */
		deps_points_unify(p, place, p->outside);
	}
}

uint32_t deps_points_value(struct deps_points *p, LLVMValueRef v)
{
	uintptr_t known;
	uint32_t c;

	if (ptrmap_get(&p->values, v, &known))
		return (uint32_t)known - 1;
	c = fresh(p);
	ptrmap_set(&p->values, v, c + 1);
	if (LLVMIsAFunction(v) || LLVMIsAGlobalVariable(v)) {
		make_address(p, v, c);
	} else if (LLVMIsAGlobalAlias(v)) {
		deps_points_assign(p, v, LLVMAliasGetAliasee(v));
	} else if (LLVMIsAConstantInt(v) || LLVMIsAConstantPointerNull(v) || LLVMIsAUndefValue(v)) {
		return c;
	} else if (LLVMIsAConstant(v)) {
		for (int i = 0; i < LLVMGetNumOperands(v); i++)
			deps_points_assign(p, v, LLVMGetOperand(v, (unsigned)i));
	}
	return c;
}

/* Values too small for a pointer carry none. */
static bool carries(LLVMValueRef v)
{
	LLVMTypeRef type = LLVMTypeOf(v);

	if (LLVMIsAConstantInt(v) || LLVMIsAConstantPointerNull(v) || LLVMIsAUndefValue(v))
		return false;
	switch (LLVMGetTypeKind(type)) {
	case LLVMIntegerTypeKind:
		return LLVMGetIntTypeWidth(type) >= 64;
	case LLVMHalfTypeKind:
	case LLVMBFloatTypeKind:
	case LLVMFloatTypeKind:
	case LLVMDoubleTypeKind:
	case LLVMX86_FP80TypeKind:
	case LLVMFP128TypeKind:
	case LLVMVoidTypeKind:
	case LLVMLabelTypeKind:
	case LLVMMetadataTypeKind:
		return false;
	default:
		return true;
	}
}

uint32_t deps_points_place(struct deps_points *p, LLVMValueRef pointer)
{
	return deps_points_to(p, deps_points_value(p, pointer));
}

void deps_points_assign(struct deps_points *p, LLVMValueRef a, LLVMValueRef b)
{
	if (carries(a) && carries(b))
		deps_points_unify(p, deps_points_place(p, a), deps_points_place(p, b));
}

void deps_points_access(struct deps_points *p, LLVMValueRef pointer, LLVMValueRef value)
{
	if (carries(value))
		deps_points_unify(p, deps_points_to(p, deps_points_place(p, pointer)),
				  deps_points_place(p, value));
}

void deps_points_copy(struct deps_points *p, LLVMValueRef to, LLVMValueRef from)
{
	deps_points_unify(p, deps_points_to(p, deps_points_place(p, to)),
			  deps_points_to(p, deps_points_place(p, from)));
}

void deps_points_escape(struct deps_points *p, LLVMValueRef v)
{
	if (carries(v))
		deps_points_unify(p, deps_points_place(p, v), p->outside);
}

void deps_points_initializer(struct deps_points *p, LLVMValueRef global)
{
	LLVMValueRef init = LLVMGetInitializer(global);

	if (!init || LLVMIsAConstantAggregateZero(init) || LLVMIsAConstantDataSequential(init))
		return;
	deps_points_unify(p, deps_points_to(p, deps_points_place(p, global)),
			  deps_points_place(p, init));
}
