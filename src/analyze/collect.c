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
static void add_states(struct flow *f, struct access a, const char *name, const char *effects,
		       const struct state *s)
{
	unsigned next = 0, state;

	while (outside_state(name, effects, &next, &state, &a.write)) {
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

/* Masked and gathered accesses, and whatever else is given addresses and may use them. */
static void other_intrinsic(struct flow *f, struct access a, const char *name,
			    const struct state *s)
{
	static const char *const harmless[] = {
		"llvm.lifetime",   "llvm.dbg",	       "llvm.invariant",   "llvm.assume",
		"llvm.va_",	   "llvm.threadlocal", "llvm.stack",	   "llvm.expect",
		"llvm.objectsize", "llvm.ptrmask",     "llvm.launder",	   "llvm.strip",
		"llvm.eh.",	   "llvm.coro",	       "llvm.prefetch",	   "llvm.ptr.annotation",
		"llvm.is.",	   "llvm.returnaddr",  "llvm.frameaddress"};
	bool loads = strstr(name, "load") || strstr(name, "gather");

	for (size_t i = 0; i < sizeof(harmless) / sizeof(harmless[0]); i++)
		if (!strncmp(name, harmless[i], strlen(harmless[i])))
			return;
	for (unsigned i = 0; i < LLVMGetNumArgOperands(a.at); i++) {
		LLVMTypeRef type = LLVMTypeOf(LLVMGetArgOperand(a.at, i));

		if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
			type = LLVMGetElementType(type);
		if (LLVMGetTypeKind(type) != LLVMPointerTypeKind)
			continue;
		a.write = !loads;
		add(f, a, LLVMGetArgOperand(a.at, i), s);
	}
}

static void intrinsic(struct flow *f, struct access a, const char *name, const struct state *s)
{
	LLVMValueRef length = LLVMGetNumArgOperands(a.at) > 2 ? LLVMGetArgOperand(a.at, 2) : NULL;

	if (strncmp(name, "llvm.mem", 8)) {
		other_intrinsic(f, a, name, s);
		return;
	}
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
	add_states(f, a, name, effects, s);
	if (outside_stream(name, effects, &x.argument, &a.write) &&
	    x.argument < LLVMGetNumArgOperands(a.at))
		add(f, a, LLVMGetArgOperand(a.at, x.argument), s);
	if (!strcmp(name, "strtok")) {
		a.node = f->w->token;
		a.state = snapshot(f, s);
		a.write = true;
		vec_push(&f->accesses, a);
	}
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

/* Of library functions, also when they are called through a pointer. */
static void call(struct flow *f, struct access a, const struct state *s)
{
	struct points *p = &f->w->points;
	LLVMValueRef callee = LLVMGetCalledValue(a.at);
	size_t n, bytes;
	const uint32_t *set;

	while (LLVMIsAGlobalAlias(callee))
		callee = LLVMAliasGetAliasee(callee);
	if (LLVMIsAInlineAsm(callee))
		return;
	if (LLVMIsAFunction(callee) && whole_code(f->w, callee) != WHOLE_NONE) {
		by_value(f, a, callee, s);
	} else if (LLVMIsAFunction(callee)) {
		outside(f, a, LLVMGetValueName2(callee, &bytes), s);
	} else {
		set = points_set(p, whole_node(f->w, a.body, callee), &n);
		for (size_t i = 0; i < n; i++) {
			const struct object *o =
				&p->locs.objects.items[p->locs.all.items[set[i]].object];

			if (o->kind == OBJECT_FUNCTION && whole_code(f->w, o->value) == WHOLE_NONE)
				outside(f, a, LLVMGetValueName2(o->value, &bytes), s);
		}
	}
}

void collect_accesses(struct flow *f, uint32_t body, LLVMValueRef i, const struct state *s)
{
	struct access a = {.body = body, .at = i};

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
		call(f, a, s);
		break;
	default:
		break;
	}
}
