#include "deps/late.h"

#include <string.h>

#include <llvm-c/Core.h>

typedef void (*visit_fn)(struct deps_late *l, uint32_t function, LLVMValueRef instruction);

static void each_instruction(struct deps_late *l, uint32_t f, visit_fn visit)
{
	LLVMValueRef value = l->b->functions.items[f].value;

	for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(value); k; k = LLVMGetNextBasicBlock(k))
		for (LLVMValueRef i = LLVMGetFirstInstruction(k); i; i = LLVMGetNextInstruction(i))
			visit(l, f, i);
}

/* A call that may make a thread, by itself or in what it calls. */
static bool may_spawn(struct deps_late *l, LLVMValueRef call)
{
	struct deps_list targets = VEC_INIT;
	enum deps_callee kind = deps_calls_find(l->b, call, &targets);
	bool spawns = kind == DEPS_CALL_OPAQUE || deps_calls_thread_argument(call) >= 0;

	for (size_t i = 0; i < targets.count && !spawns; i++)
		spawns = l->spawns[targets.items[i]];
	vec_free(&targets);
	return spawns;
}

static void find_spawns(struct deps_late *l)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (uint32_t f = 0; f < l->b->functions.count; f++) {
			LLVMValueRef value = l->b->functions.items[f].value;

			for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(value);
			     k && !l->spawns[f]; k = LLVMGetNextBasicBlock(k))
				for (LLVMValueRef i = LLVMGetFirstInstruction(k); i;
				     i = LLVMGetNextInstruction(i))
					if (deps_calls_is(i) && may_spawn(l, i)) {
						changed = l->spawns[f] = true;
						break;
					}
		}
	}
}

struct blocks {
	VEC_FIELDS(LLVMBasicBlockRef);
};

/* Everything in a block is late: those behind it are too. */
static void spread(struct deps_late *l, LLVMBasicBlockRef from, struct ptrmap *seen)
{
	struct blocks work = {NULL, 0, 0};

	vec_push(&work, from);
	while (work.count) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(vec_pop(&work));

		for (unsigned i = 0; last && i < LLVMGetNumSuccessors(last); i++) {
			LLVMBasicBlockRef next = LLVMGetSuccessor(last, i);

			if (!ptrmap_add(seen, next))
				continue;
			for (LLVMValueRef v = LLVMGetFirstInstruction(next); v;
			     v = LLVMGetNextInstruction(v))
				ptrmap_set(&l->after, v, 1);
			vec_push(&work, next);
		}
	}
	vec_free(&work);
}

/* What can be reached from a call that may make a thread. */
static void find_after(struct deps_late *l, uint32_t f)
{
	LLVMValueRef value = l->b->functions.items[f].value;
	struct ptrmap seen = PTRMAP_INIT;

	if (!l->spawns[f])
		return;
	for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(value); k; k = LLVMGetNextBasicBlock(k)) {
		bool late = false;

		for (LLVMValueRef i = LLVMGetFirstInstruction(k); i; i = LLVMGetNextInstruction(i)) {
			if (late)
				ptrmap_set(&l->after, i, 1);
			/* The call itself counts: what it calls may run beside the thread. */
			if (!deps_calls_is(i) || !may_spawn(l, i))
				continue;
			ptrmap_set(&l->after, i, 1);
			late = true;
		}
		if (late)
			spread(l, k, &seen);
	}
	ptrmap_free(&seen);
}

bool deps_late_is(const struct deps_late *l, uint32_t function, LLVMValueRef instruction)
{
	return l->library || l->entered[function] || ptrmap_has(&l->after, instruction);
}

static bool changed;

static void set(bool *flag)
{
	changed |= !*flag;
	*flag = true;
}

/* What a call enters: late when it is late; by other threads when it makes them or they make it. */
static void enter(struct deps_late *l, uint32_t f, LLVMValueRef i)
{
	struct deps_list targets = VEC_INIT;
	enum deps_callee kind;
	bool spawner;

	if (!deps_calls_is(i))
		return;
	kind = deps_calls_find(l->b, i, &targets);
	spawner = deps_calls_thread_argument(i) >= 0 || kind == DEPS_CALL_OPAQUE;
	for (size_t k = 0; k < targets.count; k++) {
		uint32_t to = targets.items[k];

		if (deps_late_is(l, f, i) || spawner)
			set(&l->entered[to]);
		if (l->threads[f] || spawner)
			set(&l->threads[to]);
	}
	vec_free(&targets);
}

static bool is_named(LLVMValueRef f, const char *name)
{
	size_t bytes;

	return !strcmp(LLVMGetValueName2(f, &bytes), name);
}

/* Constructors have their address taken too, by the list of them; they run before main. */
static bool only_constructor(LLVMValueRef f)
{
	for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);

		if (!LLVMIsAConstantStruct(user))
			return false;
	}
	return LLVMGetLinkage(f) == LLVMInternalLinkage && LLVMCountParams(f) == 0;
}

void deps_late_init(struct deps_late *l, struct deps_build *b)
{
	*l = (struct deps_late){.b = b, .after = PTRMAP_INIT, .library = true};
	l->entered = xcalloc(b->functions.count + 1, sizeof(bool));
	l->threads = xcalloc(b->functions.count + 1, sizeof(bool));
	l->spawns = xcalloc(b->functions.count + 1, sizeof(bool));
	for (uint32_t f = 0; f < b->functions.count; f++)
		if (is_named(b->functions.items[f].value, "main"))
			l->library = false;
	find_spawns(l);
	for (uint32_t f = 0; f < b->functions.count; f++)
		find_after(l, f);
	for (size_t i = 0; i < b->points.functions.count; i++) {
		uintptr_t f;
		LLVMValueRef value = b->points.functions.items[i];

		if (ptrmap_get(&b->function_of, value, &f) && !only_constructor(value))
			l->entered[f - 1] = l->threads[f - 1] = true;
	}
	do {
		changed = false;
		for (uint32_t f = 0; f < b->functions.count; f++)
			each_instruction(l, f, enter);
	} while (changed);
}

void deps_late_fini(struct deps_late *l)
{
	free(l->entered);
	free(l->threads);
	free(l->spawns);
	ptrmap_free(&l->after);
}
