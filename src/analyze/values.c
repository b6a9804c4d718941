/* Constraints of values: what instructions and constants hold, load and store. */
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "analyze/whole.h"
#include "ir/function.h"

#define MANY_ELEMENTS 32 /* of a constant array that are kept apart */

/* ---- constants ---- */

static void put_address(struct whole *w, uint32_t node, uint32_t object)
{
	points_put(&w->points, node, locs_get(&w->points.locs, object, 0, 0));
}

/* What a value of a constant's elements is stored as, from a place in an object on. */
static void store_constant(struct whole *w, uint32_t object, LLVMValueRef c, uint64_t at,
			   uint32_t stride)
{
	LLVMTypeRef type = LLVMTypeOf(c);
	int n = LLVMGetNumOperands(c);

	if (LLVMIsAConstantStruct(c)) {
		for (int i = 0; i < n; i++)
			store_constant(w, object, LLVMGetOperand(c, (unsigned)i),
				       at + LLVMOffsetOfElement(w->layout, type, (unsigned)i),
				       stride);
	} else if (LLVMIsAConstantArray(c)) {
		uint64_t bytes = LLVMABISizeOfType(w->layout, LLVMGetElementType(type));
		uint32_t step = n > MANY_ELEMENTS && !stride ? (uint32_t)bytes : stride;

		for (int i = 0; i < n; i++)
			store_constant(w, object, LLVMGetOperand(c, (unsigned)i),
				       at + (uint64_t)i * bytes, step);
	} else if (LLVMGetTypeKind(type) == LLVMPointerTypeKind || LLVMIsAConstantExpr(c)) {
		uint32_t loc = locs_get(&w->points.locs, object, (int64_t)at, stride);

		if (!LLVMIsAConstantPointerNull(c))
			points_copy(&w->points, whole_node(w, 0, c), points_in(&w->points, loc));
	}
}

static void take_global(struct whole *w, LLVMValueRef g)
{
	LLVMValueRef init = LLVMIsAGlobalVariable(g) ? LLVMGetInitializer(g) : NULL;
	bool known = ptrmap_has(&w->objects, g);
	uint32_t object = whole_global(w, g);

	if (!known && init)
		store_constant(w, object, init, 0, 0);
}

static bool moved_by(struct whole *w, LLVMValueRef gep, int64_t *bytes, uint32_t *stride);

static void constant_operands(struct whole *w, uint32_t body, LLVMValueRef v, uint32_t node)
{
	for (int i = 0; i < LLVMGetNumOperands(v); i++) {
		LLVMValueRef x = LLVMGetOperand(v, (unsigned)i);

		if (LLVMIsAConstantInt(x) || LLVMIsAConstantFP(x) || LLVMIsNull(x))
			continue;
		points_edge(&w->points, whole_node(w, body, x),
			    (struct points_edge){.kind = POINTS_ADD, .other = node, .stride = 1});
	}
}

static void constant(struct whole *w, LLVMValueRef v, uint32_t node)
{
	int64_t bytes = 0;
	uint32_t stride = 0;

	if (LLVMIsAFunction(v) || LLVMIsAGlobalVariable(v)) {
		take_global(w, v);
		put_address(w, node, whole_global(w, v));
	} else if (LLVMIsAGlobalAlias(v)) {
		points_copy(&w->points, whole_node(w, 0, LLVMAliasGetAliasee(v)), node);
	} else if (LLVMIsAConstantExpr(v) && LLVMGetConstOpcode(v) == LLVMGetElementPtr) {
		if (!moved_by(w, v, &bytes, &stride))
			stride = 1;
		points_edge(&w->points, whole_node(w, 0, LLVMGetOperand(v, 0)),
			    (struct points_edge){.kind = POINTS_ADD,
						 .other = node,
						 .bytes = bytes,
						 .stride = stride});
	} else if (LLVMIsAConstantExpr(v) &&
		   (LLVMGetConstOpcode(v) == LLVMIntToPtr ||
		    LLVMGetConstOpcode(v) == LLVMPtrToInt || LLVMGetConstOpcode(v) == LLVMBitCast ||
		    LLVMGetConstOpcode(v) == LLVMAddrSpaceCast)) {
		points_copy(&w->points, whole_node(w, 0, LLVMGetOperand(v, 0)), node);
	} else if (LLVMIsAConstantExpr(v) || LLVMIsAConstantStruct(v) || LLVMIsAConstantArray(v) ||
		   LLVMIsAConstantVector(v)) {
		constant_operands(w, 0, v, node);
	}
}

/* A variable that every thread has of its own. */
static uint32_t own_copy(struct whole *w, uint32_t body, LLVMValueRef g)
{
	LLVMValueRef init = LLVMGetInitializer(g);
	bool fresh;
	uint32_t object = whole_made(w, OBJECT_TLS, body, g, &fresh);

	if (fresh && init)
		store_constant(w, object, init, 0, 0);
	if (fresh)
		w->points.locs.objects.items[object].size =
			LLVMABISizeOfType(w->layout, LLVMGlobalGetValueType(g));
	return object;
}

uint32_t whole_node(struct whole *w, uint32_t body, LLVMValueRef v)
{
	const struct body *b = &w->bodies.items[body];
	uintptr_t n;
	uint32_t node;

	if (ptrmap_get(&w->codes.items[b->code].number, v, &n))
		return b->first + (uint32_t)n - 1;
	if (LLVMIsAGlobalVariable(v) && LLVMIsThreadLocal(v)) {
		node = points_node(&w->points);
		put_address(w, node, own_copy(w, body, v));
		return node;
	}
	if (ptrmap_get(&w->constants, v, &n))
		return (uint32_t)n - 1;
	node = points_node(&w->points);
	ptrmap_set(&w->constants, v, node + 1);
	constant(w, v, node);
	return node;
}

/* ---- instructions ---- */

static bool constant_index(LLVMValueRef v, int64_t *value)
{
	if (!LLVMIsAConstantInt(v))
		return false;
	*value = LLVMConstIntGetSExtValue(v);
	return true;
}

/* Adds an index of so many bytes each. */
static void add_index(LLVMValueRef index, uint64_t each, int64_t *bytes, uint32_t *stride)
{
	int64_t value;

	if (constant_index(index, &value)) {
		*bytes += value * (int64_t)each;
		return;
	}
	for (uint64_t a = *stride, b = each;;) {
		if (!b) {
			*stride = a > UINT32_MAX ? 1 : (uint32_t)a;
			return;
		}
		uint64_t rest = a % b;

		a = b;
		b = rest;
	}
}

/* How far an address computation moves; false: not known. */
static bool moved_by(struct whole *w, LLVMValueRef gep, int64_t *bytes, uint32_t *stride)
{
	LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
	int n = LLVMGetNumOperands(gep);

	if (!LLVMTypeIsSized(type))
		return false;
	for (int i = 1; i < n; i++) {
		LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
		int64_t value;

		if (i == 1) {
			add_index(index, LLVMABISizeOfType(w->layout, type), bytes, stride);
			continue;
		}
		switch (LLVMGetTypeKind(type)) {
		case LLVMStructTypeKind:
			if (!constant_index(index, &value))
				return false;
			*bytes += (int64_t)LLVMOffsetOfElement(w->layout, type, (unsigned)value);
			type = LLVMStructGetTypeAtIndex(type, (unsigned)value);
			break;
		case LLVMArrayTypeKind:
		case LLVMVectorTypeKind:
			type = LLVMGetElementType(type);
			add_index(index, LLVMABISizeOfType(w->layout, type), bytes, stride);
			break;
		default:
			return false;
		}
	}
	return true;
}

static bool carries(LLVMTypeRef type)
{
	switch (LLVMGetTypeKind(type)) {
	case LLVMIntegerTypeKind:
		return LLVMGetIntTypeWidth(type) > 1;
	case LLVMHalfTypeKind:
	case LLVMBFloatTypeKind:
	case LLVMFloatTypeKind:
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

static void copy(struct whole *w, uint32_t body, LLVMValueRef from, uint32_t to)
{
	if (LLVMIsAConstantInt(from) || LLVMIsAConstantFP(from) || !carries(LLVMTypeOf(from)) ||
	    LLVMIsNull(from) || LLVMIsUndef(from))
		return;
	points_copy(&w->points, whole_node(w, body, from), to);
}

static void load(struct whole *w, uint32_t body, LLVMValueRef pointer, uint32_t to)
{
	points_edge(&w->points, whole_node(w, body, pointer),
		    (struct points_edge){.kind = POINTS_LOAD, .other = to});
}

static void store(struct whole *w, uint32_t body, LLVMValueRef pointer, LLVMValueRef value)
{
	if (LLVMIsAConstantInt(value) || !carries(LLVMTypeOf(value)) || LLVMIsNull(value) ||
	    LLVMIsUndef(value))
		return;
	points_edge(
		&w->points, whole_node(w, body, pointer),
		(struct points_edge){.kind = POINTS_STORE, .other = whole_node(w, body, value)});
}

static void take_alloca(struct whole *w, uint32_t body, LLVMValueRef i, uint32_t node)
{
	bool fresh;
	uint32_t object = whole_made(w, OBJECT_STACK, body, i, &fresh);
	LLVMValueRef count = LLVMGetOperand(i, 0);

	if (fresh && LLVMIsAConstantInt(count))
		w->points.locs.objects.items[object].size =
			LLVMABISizeOfType(w->layout, LLVMGetAllocatedType(i)) *
			LLVMConstIntGetZExtValue(count);
	put_address(w, node, object);
}

/* Numbers that are computed from addresses are somewhere in the same objects. */
static void blur(struct whole *w, uint32_t body, LLVMValueRef i, uint32_t node)
{
	for (int k = 0; k < LLVMGetNumOperands(i); k++) {
		LLVMValueRef x = LLVMGetOperand(i, (unsigned)k);

		if (LLVMValueIsBasicBlock(x) || LLVMIsAConstantInt(x) || !carries(LLVMTypeOf(x)) ||
		    LLVMIsNull(x) || LLVMIsUndef(x))
			continue;
		points_edge(&w->points, whole_node(w, body, x),
			    (struct points_edge){.kind = POINTS_ADD, .other = node, .stride = 1});
	}
}

static void sum(struct whole *w, uint32_t body, LLVMValueRef i, uint32_t node)
{
	int64_t value;

	if (LLVMGetInstructionOpcode(i) == LLVMAdd && constant_index(LLVMGetOperand(i, 1), &value))
		points_edge(
			&w->points, whole_node(w, body, LLVMGetOperand(i, 0)),
			(struct points_edge){.kind = POINTS_ADD, .other = node, .bytes = value});
	else
		blur(w, body, i, node);
}

static void address(struct whole *w, uint32_t body, LLVMValueRef i, uint32_t node)
{
	struct points_edge e = {.kind = POINTS_ADD, .other = node};

	if (!moved_by(w, i, &e.bytes, &e.stride))
		e.stride = 1;
	if (e.bytes || e.stride)
		points_edge(&w->points, whole_node(w, body, LLVMGetOperand(i, 0)), e);
	else
		copy(w, body, LLVMGetOperand(i, 0), node);
}

static void leave(struct whole *w, uint32_t body, LLVMValueRef i)
{
	if (LLVMGetNumOperands(i))
		copy(w, body, LLVMGetOperand(i, 0), w->bodies.items[body].result);
}

void whole_value(struct whole *w, uint32_t body, LLVMValueRef i)
{
	uint32_t node = whole_node(w, body, i);

	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMAlloca:
		take_alloca(w, body, i, node);
		break;
	case LLVMLoad:
		if (carries(LLVMTypeOf(i)))
			load(w, body, LLVMGetOperand(i, 0), node);
		break;
	case LLVMStore:
		store(w, body, LLVMGetOperand(i, 1), LLVMGetOperand(i, 0));
		break;
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		load(w, body, LLVMGetOperand(i, 0), node);
		for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(i); k++)
			store(w, body, LLVMGetOperand(i, 0), LLVMGetOperand(i, k));
		break;
	case LLVMGetElementPtr:
		address(w, body, i, node);
		break;
	case LLVMCall:
	case LLVMInvoke:
	case LLVMCallBr:
		whole_call(w, body, i);
		break;
	case LLVMRet:
		leave(w, body, i);
		break;
	case LLVMLandingPad:
		points_copy(&w->points, w->thrown, node);
		break;
	case LLVMResume:
		break;
	case LLVMVAArg:
		/* Somewhere in what the list points to. */
		load(w, body, LLVMGetOperand(i, 0), node);
		points_edge(&w->points, node,
			    (struct points_edge){.kind = POINTS_LOAD, .other = node});
		break;
	case LLVMPHI:
		for (unsigned k = 0; k < LLVMCountIncoming(i); k++)
			copy(w, body, LLVMGetIncomingValue(i, k), node);
		break;
	case LLVMSelect:
		copy(w, body, LLVMGetOperand(i, 1), node);
		copy(w, body, LLVMGetOperand(i, 2), node);
		break;
	case LLVMAdd:
	case LLVMSub:
	case LLVMMul:
	case LLVMShl:
	case LLVMLShr:
	case LLVMAShr:
	case LLVMAnd:
	case LLVMOr:
	case LLVMXor:
		sum(w, body, i, node);
		break;
	case LLVMICmp:
	case LLVMFCmp:
	case LLVMBr:
	case LLVMSwitch:
	case LLVMFence:
	case LLVMUnreachable:
		break;
	default:
		if (carries(LLVMTypeOf(i)))
			for (int k = 0; k < LLVMGetNumOperands(i); k++)
				if (!LLVMValueIsBasicBlock(LLVMGetOperand(i, (unsigned)k)))
					copy(w, body, LLVMGetOperand(i, (unsigned)k), node);
	}
}
