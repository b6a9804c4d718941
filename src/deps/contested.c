/* Which loads are contested: who reaches, writes and looks at every class of places. */
#include "deps/unknown_priv.h"

#include <llvm-c/Core.h>

#include "deps/alias.h"
#include "deps/given.h"
#include "deps/handed.h"

void unknown_tag(struct deps_unknown *m, struct deps_tags *t, LLVMValueRef tag)
{
	if (!tag) {
		m->changed |= !t->any;
		t->any = true;
		return;
	}
	for (size_t i = 0; i < t->count; i++)
		if (t->items[i] == tag)
			return;
	vec_push(t, tag);
	m->changed = true;
}

bool unknown_meets(const struct deps_tags *t, LLVMValueRef tag)
{
	if (t->any || (!tag && t->count))
		return true;
	for (size_t i = 0; i < t->count; i++)
		if (deps_alias_may(t->items[i], tag))
			return true;
	return false;
}

struct deps_cell *unknown_cell_at(struct deps_unknown *m, uint32_t class)
{
	class = deps_points_find(&m->b->points, class);
	while (m->cells.count <= class)
		vec_push(&m->cells, NULL);
	if (!m->cells.items[class])
		m->cells.items[class] = xcalloc(1, sizeof(struct deps_cell));
	return m->cells.items[class];
}

struct deps_cell *unknown_cell_of(struct deps_unknown *m, LLVMValueRef pointer)
{
	return unknown_cell_at(m, deps_points_place(&m->b->points, pointer));
}

/* ---- who reaches and writes what ---- */

static void reach(struct deps_unknown *m, uint32_t class)
{
	for (;;) {
		class = deps_points_find(&m->b->points, class);
		if (unknown_cell_at(m, class)->reachable)
			return;
		unknown_cell_at(m, class)->reachable = true;
		if (m->b->points.pointee.items[class] == UINT32_MAX)
			return;
		class = m->b->points.pointee.items[class];
	}
}

static void reach_arguments(struct deps_unknown *m, LLVMValueRef call)
{
	int only = deps_calls_thread_argument(call);

	if (only >= 0)
		reach(m, deps_points_place(&m->b->points, LLVMGetOperand(call, (unsigned)only)));
}

void unknown_find_reachable(struct deps_unknown *m)
{
	reach(m, m->b->points.outside);
	for (size_t u = 0; u < m->b->units.count; u++)
		for (LLVMValueRef g = LLVMGetFirstGlobal(m->b->units.items[u].mod); g;
		     g = LLVMGetNextGlobal(g))
			if (!LLVMIsThreadLocal(g) && !LLVMIsGlobalConstant(g))
				reach(m, deps_points_place(&m->b->points, g));
}

static void note_write(struct deps_unknown *m, uint32_t f, LLVMValueRef i, LLVMValueRef pointer)
{
	struct deps_cell *c = unknown_cell_of(m, pointer);
	struct deps_tags *tags;

	if (!deps_late_is(&m->late, f, i))
		return;
	if (m->late.library)
		tags = &c->by_threads;
	else if (m->late.threads[f])
		tags = deps_own_is(&m->own, pointer) ? &c->by_owner : &c->by_threads;
	else
		tags = deps_handed(i, pointer) ? &c->handed : &c->by_first;
	unknown_tag(m, tags, deps_alias_tag(i));
}

bool unknown_is_pointer(LLVMValueRef v)
{
	return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind && !LLVMIsNull(v) &&
	       !LLVMIsUndef(v) && !LLVMIsAFunction(v);
}

void unknown_each_written(struct deps_unknown *m, LLVMValueRef call, unknown_place_fn visit,
			  void *arg)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);

	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		LLVMValueRef pointer = LLVMGetOperand(call, i);
		enum deps_written how = deps_given_written(callee, i);
		uint32_t place;

		if (!unknown_is_pointer(pointer) || how == DEPS_WRITTEN_NOT)
			continue;
		place = deps_points_place(&m->b->points, pointer);
		visit(m, place, arg);
		if (how == DEPS_WRITTEN_DEEP && m->b->points.pointee.items[place] != UINT32_MAX)
			visit(m, deps_points_to(&m->b->points, place), arg);
	}
}

struct write_note {
	uint32_t f;
	LLVMValueRef call;
};

static void note_place(struct deps_unknown *m, uint32_t class, void *arg)
{
	const struct write_note *w = arg;
	struct deps_cell *c = unknown_cell_at(m, class);

	if (deps_late_is(&m->late, w->f, w->call))
		unknown_tag(
			m, m->late.threads[w->f] || m->late.library ? &c->by_threads : &c->by_first,
			NULL);
}

static void note_call_writes(struct deps_unknown *m, uint32_t f, LLVMValueRef call)
{
	struct deps_list targets = VEC_INIT;
	enum deps_callee kind = deps_calls_find(m->b, call, &targets);
	struct write_note note = {f, call};

	if (kind == DEPS_CALL_COPY)
		note_write(m, f, call, LLVMGetOperand(call, 0));
	else if (kind >= DEPS_CALL_NOTHING)
		unknown_each_written(m, call, note_place, &note);
	vec_free(&targets);
}

/* Somebody else than its owner looks at it. */
static void note_look(struct deps_unknown *m, uint32_t f, LLVMValueRef i, LLVMValueRef pointer)
{
	struct deps_cell *c = unknown_cell_of(m, pointer);
	bool threads = m->late.threads[f] || m->late.library;

	if (deps_late_is(&m->late, f, i) && !(threads && deps_own_is(&m->own, pointer)))
		unknown_tag(m, threads ? &c->seen_threads : &c->seen_first, deps_alias_tag(i));
}

/* What a call outside may look at: what it is handed, and what is behind that. */
static void note_call_looks(struct deps_unknown *m, uint32_t f, LLVMValueRef call)
{
	struct deps_list targets = VEC_INIT;
	enum deps_callee kind = deps_calls_find(m->b, call, &targets);
	LLVMValueRef callee = LLVMGetCalledValue(call);

	vec_free(&targets);
	if (kind == DEPS_CALL_INSIDE || deps_calls_thread_argument(call) >= 0 ||
	    (LLVMIsAFunction(callee) && deps_given(callee).writes == DEPS_GIVEN_NOTHING &&
	     deps_given(callee).result != DEPS_GIVEN_COMPUTED))
		return;
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		LLVMValueRef pointer = LLVMGetOperand(call, i);
		uint32_t behind;

		if (!unknown_is_pointer(pointer))
			continue;
		note_look(m, f, call, pointer);
		behind = m->b->points.pointee.items[deps_points_place(&m->b->points, pointer)];
		if (behind != UINT32_MAX && deps_late_is(&m->late, f, call))
			unknown_tag(m, &unknown_cell_at(m, behind)->seen_threads, NULL);
	}
}

void unknown_note_accesses(struct deps_unknown *m, uint32_t f, LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad:
		note_look(m, f, i, LLVMGetOperand(i, 0));
		break;
	case LLVMStore:
		note_write(m, f, i, LLVMGetOperand(i, 1));
		break;
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		note_look(m, f, i, LLVMGetOperand(i, 0));
		note_write(m, f, i, LLVMGetOperand(i, 0));
		break;
	case LLVMCall:
	case LLVMInvoke:
		reach_arguments(m, i);
		note_call_writes(m, f, i);
		note_call_looks(m, f, i);
		break;
	default:
		break;
	}
}

bool unknown_contested_at(struct deps_unknown *m, uint32_t f, LLVMValueRef i,
			  const struct deps_cell *c, bool own)
{
	LLVMValueRef tag = deps_alias_tag(i);

	if (!c->reachable || !deps_late_is(&m->late, f, i))
		return false;
	if (unknown_meets(&c->by_threads, tag))
		return true;
	if (!m->late.threads[f])
		return unknown_meets(&c->by_owner, tag);
	if (unknown_meets(&c->by_first, tag))
		return true;
	/* What an owner knows of its object, it knows only if nobody else looks there. */
	if (unknown_meets(&c->handed, tag) && (!own || unknown_meets(&c->seen_threads, tag)))
		return true;
	return unknown_meets(&c->by_owner, tag) &&
	       (!own || unknown_meets(&c->seen_threads, tag) || unknown_meets(&c->seen_first, tag));
}

bool unknown_contested(struct deps_unknown *m, uint32_t f, LLVMValueRef i, LLVMValueRef pointer)
{
	return unknown_contested_at(m, f, i, unknown_cell_of(m, pointer),
				    deps_own_is(&m->own, pointer));
}
