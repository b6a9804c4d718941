#include "analyze/collect.h"

#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "analyze/outside.h"
#include "analyze/state.h"
#include "instr/atomic.h"

static uint32_t snapshot(struct flow *f, const struct state *s)
{
	struct state copy;

	if (f->snapshots.count && state_same(f, &vec_last(&f->snapshots), s))
		return (uint32_t)f->snapshots.count - 1;
	copy = state_new(f);
	state_copy(f, &copy, s);
	vec_push(&f->snapshots, copy);
	return (uint32_t)f->snapshots.count - 1;
}

void collect_taken(struct flow *f, uint32_t acquisition, const struct state *s)
{
	struct taken t = {acquisition, snapshot(f, s)};

	vec_push(&f->taken, t);
}

/* Can somebody else have to do with what the pointer means? */
static bool matters(struct flow *f, uint32_t node)
{
	struct points *p = &f->w->points;
	size_t n;
	const uint32_t *set = points_set(p, node, &n);

	for (size_t i = 0; i < n; i++) {
		const struct object *o = &p->locs.objects.items[p->locs.all.items[set[i]].object];

		if (o->kind == OBJECT_FUNCTION || o->kind == OBJECT_THREAD)
			continue;
		if (o->kind == OBJECT_GLOBAL && LLVMIsGlobalConstant(o->value))
			continue;
		return true;
	}
	return !n;
}

static void add(struct flow *f, struct access a, LLVMValueRef pointer, const struct state *s)
{
	a.pointer = pointer;
	a.node = whole_node(f->w, a.body, pointer);
	points_solve(&f->w->points, NULL, NULL);
	if (LLVMIsAConstantPointerNull(pointer) || !matters(f, a.node))
		return;
	if (a.deep) {
		uint32_t to = points_node(&f->w->points);

		points_edge(&f->w->points, a.node,
			    (struct points_edge){.kind = POINTS_LOAD, .other = to});
		points_solve(&f->w->points, NULL, NULL);
		a.node = to;
	}
	a.state = snapshot(f, s);
	vec_push(&f->accesses, a);
}

/* What the library keeps and hands out. */
static void add_states(struct flow *f, struct access a, const char *effects, const struct state *s)
{
	unsigned next = 0, state;

	while (outside_state(effects, &next, &state, &a.write)) {
		a.node = points_node(&f->w->points);
		points_put(&f->w->points, a.node,
			   locs_get(&f->w->points.locs, whole_state(f->w, state), 0, 1));
		a.state = snapshot(f, s);
		vec_push(&f->accesses, a);
	}
}

static uint64_t size_of(struct flow *f, LLVMTypeRef type)
{
	return LLVMTypeIsSized(type) ? LLVMStoreSizeOfType(f->w->layout, type) : 0;
}

static void intrinsic(struct flow *f, struct access a, const char *name, const struct state *s)
{
	LLVMValueRef length = LLVMGetNumArgOperands(a.at) > 2 ? LLVMGetArgOperand(a.at, 2) : NULL;

	if (strncmp(name, "llvm.mem", 8))
		return;
	a.bytes = length && LLVMIsAConstantInt(length) ? LLVMConstIntGetZExtValue(length) : 0;
	if (length && LLVMIsAConstantInt(length) && !a.bytes)
		return;
	if (strncmp(name, "llvm.memset", 11))
		add(f, a, LLVMGetArgOperand(a.at, 1), s);
	a.write = true;
	add(f, a, LLVMGetArgOperand(a.at, 0), s);
}

/* Calls of libatomic touch memory as one. */
static bool is_atomic_call(const char *name)
{
	return !strncmp(name, "__atomic_", 9) || !strncmp(name, "__sync_", 7);
}

static void outside(struct flow *f, struct access a, const char *name, const struct state *s)
{
	const char *effects = outside_effects(name);
	struct outside_access x;
	unsigned next = 0;

	if (!strncmp(name, "llvm.", 5)) {
		intrinsic(f, a, name, s);
		return;
	}
	if (!effects)
		return;
	a.atomic = is_atomic_call(name);
	a.frees = outside_use(name) == OUTSIDE_FREE;
	if (a.frees) {
		a.write = true;
		add(f, a, LLVMGetArgOperand(a.at, 0), s);
		return;
	}
	add_states(f, a, effects, s);
	while (outside_next(a.at, effects, &next, &x)) {
		a.write = x.write;
		a.deep = x.deep;
		a.bytes = x.bytes;
		add(f, a, LLVMGetArgOperand(a.at, x.argument), s);
	}
}

/* What is handed over by value is read. */
static void by_value(struct flow *f, struct access a, LLVMValueRef callee, const struct state *s)
{
	for (unsigned i = 0; i < LLVMCountParams(callee) && i < LLVMGetNumArgOperands(a.at); i++)
		if (whole_by_value(callee, i))
			add(f, a, LLVMGetArgOperand(a.at, i), s);
}

void collect_accesses(struct flow *f, uint32_t body, LLVMValueRef i, const struct state *s)
{
	struct access a = {.body = body, .at = i};
	LLVMValueRef callee;
	size_t bytes;

	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad:
		a.bytes = size_of(f, LLVMTypeOf(i));
		a.atomic = atomic_is(i);
		add(f, a, LLVMGetOperand(i, 0), s);
		break;
	case LLVMStore:
		a.bytes = size_of(f, LLVMTypeOf(LLVMGetOperand(i, 0)));
		a.atomic = atomic_is(i);
		a.write = true;
		add(f, a, LLVMGetOperand(i, 1), s);
		break;
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		a.bytes = size_of(f, LLVMTypeOf(LLVMGetOperand(i, 1)));
		a.atomic = a.write = true;
		add(f, a, LLVMGetOperand(i, 0), s);
		break;
	case LLVMCall:
	case LLVMInvoke:
		callee = LLVMGetCalledValue(i);
		while (LLVMIsAGlobalAlias(callee))
			callee = LLVMAliasGetAliasee(callee);
		if (LLVMIsAFunction(callee) && whole_code(f->w, callee) == WHOLE_NONE)
			outside(f, a, LLVMGetValueName2(callee, &bytes), s);
		else if (LLVMIsAFunction(callee))
			by_value(f, a, callee, s);
		break;
	default:
		break;
	}
}
