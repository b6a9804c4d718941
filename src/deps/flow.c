#include "deps/flow.h"

#include <string.h>

#include <llvm-c/Core.h>

static void edge(struct deps_build *b, uint32_t from, uint32_t to)
{
	deps_graph_edge(&b->g, from, to);
}

static uint32_t stretch_of(const struct deps_build *b, LLVMValueRef i)
{
	uintptr_t n;

	return ptrmap_get(&b->stretches, i, &n) ? (uint32_t)n - 1 : DEPS_NO_NODE;
}

static uint32_t place_of(struct deps_build *b, LLVMValueRef pointer)
{
	return deps_build_place(b, deps_points_place(&b->points, pointer));
}

static bool is_pointer(LLVMValueRef v)
{
	return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
}

/* Which value a phi takes is decided by the way control came. */
static void flow_phi(struct deps_build *b, LLVMValueRef phi)
{
	uint32_t v = deps_build_node(b, phi);

	for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(phi, i));

		edge(b, deps_build_node(b, LLVMGetIncomingValue(phi, i)), v);
		edge(b, deps_build_node(b, last), v);
		edge(b, stretch_of(b, last), v);
	}
}

static void flow_operands(struct deps_build *b, LLVMValueRef i, uint32_t to)
{
	for (int k = 0; k < LLVMGetNumOperands(i); k++)
		edge(b, deps_build_node(b, LLVMGetOperand(i, (unsigned)k)), to);
}

/* The call a mark before it is about. */
static LLVMValueRef call_after(LLVMValueRef mark)
{
	LLVMValueRef i = LLVMGetNextInstruction(mark);

	while (i && (!deps_calls_is(i) || instr_again_hook(i)))
		i = LLVMGetNextInstruction(i);
	return i;
}

/* Several hooks may be called with one site: it depends on what any of them depends on. */
static void name_site(struct deps_build *b, uint32_t site, struct deps_site new)
{
	struct deps_site *s = &b->sites[site];

	if (s->happens == DEPS_NO_NODE) {
		*s = new;
		return;
	}
	edge(b, new.happens, s->happens);
	edge(b, s->value, new.value);
}

static void flow_hook(struct deps_build *b, const struct deps_function *f, LLVMValueRef call)
{
	const char *name = instr_again_hook(call);
	struct deps_hook use = deps_calls_hook(name);
	const struct deps_unit *u = &b->units.items[f->unit];
	uint32_t site = instr_again_site(call), v = deps_build_node(b, call);
	uint32_t happens = deps_graph_node(&b->g);

	flow_operands(b, call, happens);
	edge(b, stretch_of(b, call), happens);
	edge(b, happens, v);
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && i < 32; i++) {
		if (use.reads >> i & 1)
			edge(b, place_of(b, LLVMGetOperand(call, i)), v);
		if (use.writes >> i & 1)
			edge(b, v, place_of(b, LLVMGetOperand(call, i)));
	}
	if (!strcmp(name, "at") || !strcmp(name, "call")) {
		LLVMValueRef marked = call_after(call);

		if (marked) {
			flow_operands(b, marked, happens);
			edge(b, v, deps_build_node(b, marked));
		}
	}
	if (site < u->sites)
		name_site(b, u->first + site, (struct deps_site){happens, v});
}

/* exact: parameters are the arguments in their order; otherwise any may go anywhere. */
static void flow_arguments(struct deps_build *b, LLVMValueRef call, LLVMValueRef f, bool exact)
{
	unsigned params = LLVMCountParams(f);
	int only = exact || params != 1 ? -1 : deps_calls_thread_argument(call);

	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		uint32_t arg = deps_build_node(b, LLVMGetOperand(call, i));

		if (only >= 0 && i != (unsigned)only)
			continue;
		for (unsigned k = 0; k < params; k++)
			if (!exact || i == k)
				edge(b, arg, deps_build_node(b, LLVMGetParam(f, k)));
		if (exact && i >= params)
			edge(b, arg, deps_build_place(b, b->points.outside));
	}
}

/* A call of our function, directly or by a function outside. */
static void flow_into(struct deps_build *b, LLVMValueRef call, uint32_t target,
		      enum deps_callee kind)
{
	const struct deps_function *f = &b->functions.items[target];
	uint32_t v = deps_build_node(b, call);

	edge(b, stretch_of(b, call), f->runs);
	flow_arguments(b, call, f->value, kind == DEPS_CALL_INSIDE);
	if (kind == DEPS_CALL_INSIDE) {
		edge(b, deps_build_node(b, LLVMGetCalledValue(call)), f->runs);
		edge(b, f->result, v);
		return;
	}
	/*
	 * Whether it is called, and how often, is decided by what the function outside is given; a
	 * thread begins whatever is handed to it.
	 */
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
		if ((int)i != deps_calls_thread_argument(call))
			edge(b, deps_build_node(b, LLVMGetOperand(call, i)), f->runs);
	if (kind == DEPS_CALL_OPAQUE)
		edge(b, v, f->runs);
	edge(b, f->result, b->thread_results);
}

static void flow_outside(struct deps_build *b, LLVMValueRef call, enum deps_callee kind)
{
	uint32_t v = deps_build_node(b, call);
	size_t bytes;

	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		LLVMValueRef arg = LLVMGetOperand(call, i);

		if (!is_pointer(arg))
			continue;
		edge(b, place_of(b, arg), v);
		if (kind != DEPS_CALL_PURE)
			edge(b, v, place_of(b, arg));
	}
	if (kind == DEPS_CALL_OPAQUE) {
		edge(b, deps_build_place(b, b->points.outside), v);
		edge(b, v, deps_build_place(b, b->points.outside));
	} else if (LLVMIsAFunction(LLVMGetCalledValue(call)) &&
		   strstr(LLVMGetValueName2(LLVMGetCalledValue(call), &bytes), "join")) {
		edge(b, b->thread_results, v);
	}
}

static void flow_call(struct deps_build *b, const struct deps_function *f, LLVMValueRef call)
{
	struct deps_list targets = VEC_INIT;
	enum deps_callee kind = deps_calls_find(b, call, &targets);
	uint32_t v = deps_build_node(b, call), back = DEPS_NO_NODE;

	if (kind == DEPS_CALL_HOOK) {
		flow_hook(b, f, call);
		return;
	}
	if (kind != DEPS_CALL_INSIDE)
		flow_operands(b, call, v);
	if (LLVMIsATerminatorInst(call))
		back = v;
	else if (deps_calls_stay(b, call))
		back = deps_build_return(b, call);
	if (back != DEPS_NO_NODE) {
		edge(b, stretch_of(b, call), back);
		if (kind != DEPS_CALL_INSIDE)
			edge(b, v, back);
	}
	for (size_t i = 0; i < targets.count; i++) {
		flow_into(b, call, targets.items[i], kind);
		edge(b, b->functions.items[targets.items[i]].back, back);
	}
	if (kind == DEPS_CALL_COPY) {
		edge(b, place_of(b, LLVMGetOperand(call, 1)), v);
		edge(b, v, place_of(b, LLVMGetOperand(call, 0)));
	} else if (kind >= DEPS_CALL_PURE) {
		flow_outside(b, call, kind);
	}
	vec_free(&targets);
}

static void flow_instruction(struct deps_build *b, const struct deps_function *f, LLVMValueRef i)
{
	uint32_t v = deps_build_node(b, i);

	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMCall:
	case LLVMInvoke:
	case LLVMCallBr:
		flow_call(b, f, i);
		return;
	case LLVMPHI:
		flow_phi(b, i);
		return;
	case LLVMLoad:
		edge(b, place_of(b, LLVMGetOperand(i, 0)), v);
		break;
	case LLVMStore:
		edge(b, v, place_of(b, LLVMGetOperand(i, 1)));
		break;
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		edge(b, place_of(b, LLVMGetOperand(i, 0)), v);
		edge(b, v, place_of(b, LLVMGetOperand(i, 0)));
		break;
	case LLVMVAArg:
		edge(b, deps_build_place(b, b->points.outside), v);
		break;
	case LLVMRet:
		edge(b, v, f->result);
		edge(b, stretch_of(b, i), f->result);
		break;
	default:
		break;
	}
	flow_operands(b, i, v);
}

void deps_flow_function(struct deps_build *b, const struct deps_function *f)
{
	for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(f->value); k;
	     k = LLVMGetNextBasicBlock(k))
		for (LLVMValueRef i = LLVMGetFirstInstruction(k); i; i = LLVMGetNextInstruction(i))
			flow_instruction(b, f, i);
}
