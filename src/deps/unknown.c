#include "deps/unknown.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "deps/alias.h"
#include "deps/given.h"
#include "deps/handed.h"

static void add_tag(struct deps_unknown *m, struct deps_tags *t, LLVMValueRef tag)
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

static bool meets(const struct deps_tags *t, LLVMValueRef tag)
{
	if (t->any || (!tag && t->count))
		return true;
	for (size_t i = 0; i < t->count; i++)
		if (deps_alias_may(t->items[i], tag))
			return true;
	return false;
}

static struct deps_cell *cell_at(struct deps_unknown *m, uint32_t class)
{
	class = deps_points_find(&m->b->points, class);
	while (m->cells.count <= class)
		vec_push(&m->cells, NULL);
	if (!m->cells.items[class])
		m->cells.items[class] = xcalloc(1, sizeof(struct deps_cell));
	return m->cells.items[class];
}

static struct deps_cell *cell_of(struct deps_unknown *m, LLVMValueRef pointer)
{
	return cell_at(m, deps_points_place(&m->b->points, pointer));
}

bool deps_unknown_is(const struct deps_unknown *m, LLVMValueRef v)
{
	return ptrmap_has(&m->values, v);
}

static void set_unknown(struct deps_unknown *m, LLVMValueRef v)
{
	m->changed |= ptrmap_add(&m->values, v);
}

/* ---- who reaches and writes what ---- */

static void reach(struct deps_unknown *m, uint32_t class)
{
	for (;;) {
		class = deps_points_find(&m->b->points, class);
		if (cell_at(m, class)->reachable)
			return;
		cell_at(m, class)->reachable = true;
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

static void find_reachable(struct deps_unknown *m)
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
	struct deps_cell *c = cell_of(m, pointer);
	struct deps_tags *tags;

	if (!deps_late_is(&m->late, f, i))
		return;
	if (m->late.library)
		tags = &c->by_threads;
	else if (m->late.threads[f])
		tags = deps_own_is(&m->own, pointer) ? &c->by_owner : &c->by_threads;
	else
		tags = deps_handed(i, pointer) ? &c->handed : &c->by_first;
	add_tag(m, tags, deps_alias_tag(i));
}

/* A pointer to somewhere. */
static bool is_pointer(LLVMValueRef v)
{
	return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind && !LLVMIsNull(v) &&
	       !LLVMIsUndef(v) && !LLVMIsAFunction(v);
}

typedef void (*place_fn)(struct deps_unknown *m, uint32_t class, void *arg);

/* The classes of places that a call of a function outside may write through its arguments. */
static void each_written(struct deps_unknown *m, LLVMValueRef call, place_fn visit, void *arg)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);

	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		LLVMValueRef pointer = LLVMGetOperand(call, i);
		enum deps_written how = deps_given_written(callee, i);
		uint32_t place;

		if (!is_pointer(pointer) || how == DEPS_WRITTEN_NOT)
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
	struct deps_cell *c = cell_at(m, class);

	if (deps_late_is(&m->late, w->f, w->call))
		add_tag(m, m->late.threads[w->f] || m->late.library ? &c->by_threads : &c->by_first,
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
		each_written(m, call, note_place, &note);
	vec_free(&targets);
}

/* Somebody else than its owner looks at it. */
static void note_look(struct deps_unknown *m, uint32_t f, LLVMValueRef i, LLVMValueRef pointer)
{
	struct deps_cell *c = cell_of(m, pointer);
	bool threads = m->late.threads[f] || m->late.library;

	if (deps_late_is(&m->late, f, i) && !(threads && deps_own_is(&m->own, pointer)))
		add_tag(m, threads ? &c->seen_threads : &c->seen_first, deps_alias_tag(i));
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

		if (!is_pointer(pointer))
			continue;
		note_look(m, f, call, pointer);
		behind = m->b->points.pointee.items[deps_points_place(&m->b->points, pointer)];
		if (behind != UINT32_MAX && deps_late_is(&m->late, f, call))
			add_tag(m, &cell_at(m, behind)->seen_threads, NULL);
	}
}

static void note_accesses(struct deps_unknown *m, uint32_t f, LLVMValueRef i)
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

/* own: the access is to what the thread was given when it began. */
static bool contested_at(struct deps_unknown *m, uint32_t f, LLVMValueRef i,
			 const struct deps_cell *c, bool own)
{
	LLVMValueRef tag = deps_alias_tag(i);

	if (!c->reachable || !deps_late_is(&m->late, f, i))
		return false;
	if (meets(&c->by_threads, tag))
		return true;
	if (!m->late.threads[f])
		return meets(&c->by_owner, tag);
	if (meets(&c->by_first, tag))
		return true;
	/* What an owner knows of its object, it knows only if nobody else looks there. */
	if (meets(&c->handed, tag) && (!own || meets(&c->seen_threads, tag)))
		return true;
	return meets(&c->by_owner, tag) &&
	       (!own || meets(&c->seen_threads, tag) || meets(&c->seen_first, tag));
}

static bool contested(struct deps_unknown *m, uint32_t f, LLVMValueRef i, LLVMValueRef pointer)
{
	return contested_at(m, f, i, cell_of(m, pointer), deps_own_is(&m->own, pointer));
}

/* ---- what is unknown ---- */

/* Memory that a pointer points to, read by somebody who does not say with which type. */
static bool memory_unknown(struct deps_unknown *m, uint32_t f, LLVMValueRef i, LLVMValueRef pointer)
{
	uint32_t place = deps_points_place(&m->b->points, pointer);
	bool own = deps_own_is(&m->own, pointer);

	/* A string's characters lie behind it. */
	for (unsigned depth = 0; depth < 2 && place != UINT32_MAX; depth++) {
		const struct deps_cell *c = cell_at(m, place);

		if (c->unknown.any || c->unknown.count || contested_at(m, f, i, c, own))
			return true;
		place = m->b->points.pointee.items[deps_points_find(&m->b->points, place)];
		own = false;
	}
	return false;
}

static bool any_operand(const struct deps_unknown *m, LLVMValueRef i)
{
	for (int k = 0; k < LLVMGetNumOperands(i); k++)
		if (deps_unknown_is(m, LLVMGetOperand(i, (unsigned)k)))
			return true;
	return false;
}

/* Something that a call outside may look at: what its arguments point to, and what is behind that.
 */
static bool any_argument(struct deps_unknown *m, uint32_t f, LLVMValueRef call)
{
	for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
		LLVMValueRef arg = LLVMGetOperand(call, i);

		if (deps_unknown_is(m, arg) || (is_pointer(arg) && memory_unknown(m, f, call, arg)))
			return true;
	}
	return false;
}

static void spoil_place(struct deps_unknown *m, uint32_t class, void *arg)
{
	add_tag(m, &cell_at(m, class)->unknown, NULL);
}

/* What functions of ours return to one outside that calls them back. */
static bool callbacks_tell(const struct deps_unknown *m, const struct deps_list *targets)
{
	for (size_t i = 0; i < targets->count; i++)
		if (ptrmap_has(&m->returns, m->b->functions.items[targets->items[i]].value))
			return true;
	return false;
}

static void spoil_parameters(struct deps_unknown *m, const struct deps_list *targets)
{
	for (size_t i = 0; i < targets->count; i++) {
		LLVMValueRef f = m->b->functions.items[targets->items[i]].value;

		for (unsigned k = 0; k < LLVMCountParams(f); k++)
			set_unknown(m, LLVMGetParam(f, k));
	}
}

static void spread_into(struct deps_unknown *m, LLVMValueRef call, uint32_t target, bool exact)
{
	LLVMValueRef f = m->b->functions.items[target].value;
	unsigned n = LLVMGetNumArgOperands(call), params = LLVMCountParams(f);
	int only = deps_calls_thread_argument(call);

	for (unsigned i = 0; i < n; i++)
		for (unsigned k = 0; k < params; k++) {
			bool same = exact ? i == k : only < 0 || i == (unsigned)only;

			if (same && deps_unknown_is(m, LLVMGetOperand(call, i)))
				set_unknown(m, LLVMGetParam(f, k));
		}
	if (exact && ptrmap_has(&m->returns, f))
		set_unknown(m, call);
}

static bool is_bad(enum deps_how how, bool values, bool contents)
{
	return how == DEPS_GIVEN_TOLD || (how == DEPS_GIVEN_VALUE && values) ||
	       (how == DEPS_GIVEN_COMPUTED && contents);
}

static void spread_outside(struct deps_unknown *m, uint32_t f, LLVMValueRef call,
			   const struct deps_list *targets)
{
	LLVMValueRef callee = LLVMGetCalledValue(call);
	struct deps_given given = {DEPS_GIVEN_TOLD, DEPS_GIVEN_TOLD};
	bool values = any_operand(m, call);
	bool contents = values || any_argument(m, f, call) || callbacks_tell(m, targets);

	if (LLVMIsAFunction(callee))
		given = deps_given(callee);
	if (is_bad(given.result, values, contents))
		set_unknown(m, call);
	if (!is_bad(given.writes, values, contents))
		return;
	each_written(m, call, spoil_place, NULL);
	/* A thread gets what it is given; anybody else may get anything. */
	if (deps_calls_thread_argument(call) < 0)
		spoil_parameters(m, targets);
}

static void spread_call(struct deps_unknown *m, uint32_t f, LLVMValueRef call)
{
	struct deps_list targets = VEC_INIT;
	enum deps_callee kind = deps_calls_find(m->b, call, &targets);

	for (size_t i = 0; i < targets.count; i++)
		spread_into(m, call, targets.items[i], kind == DEPS_CALL_INSIDE);
	switch (kind) {
	case DEPS_CALL_HOOK:
	case DEPS_CALL_INSIDE:
		break;
	case DEPS_CALL_COPY:
		if (any_argument(m, f, call))
			add_tag(m, &cell_of(m, LLVMGetOperand(call, 0))->unknown, NULL);
		break;
	case DEPS_CALL_OPAQUE:
		add_tag(m, &cell_at(m, m->b->points.outside)->unknown, NULL);
		spoil_parameters(m, &targets);
		spread_outside(m, f, call, &targets);
		break;
	case DEPS_CALL_NOTHING:
	case DEPS_CALL_PURE:
	case DEPS_CALL_KNOWN:
		spread_outside(m, f, call, &targets);
		break;
	}
	vec_free(&targets);
}

/* Addresses differ from run to run; their differences and equalities within an object do not. */
static bool harmless_number(LLVMValueRef number)
{
	for (LLVMUseRef use = LLVMGetFirstUse(number); use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		LLVMOpcode op = LLVMIsAInstruction(user) ? LLVMGetInstructionOpcode(user) : 0;

		if (op == LLVMSub || op == LLVMIntToPtr)
			continue;
		if (op == LLVMICmp && (LLVMGetICmpPredicate(user) == LLVMIntEQ ||
				       LLVMGetICmpPredicate(user) == LLVMIntNE))
			continue;
		if (op == LLVMAnd && LLVMIsAConstantInt(LLVMGetOperand(user, 1)) &&
		    LLVMConstIntGetZExtValue(LLVMGetOperand(user, 1)) <= 15)
			continue;
		return false;
	}
	return true;
}

/* The object a pointer was computed from, through steps inside it; NULL when there are several. */
static LLVMValueRef base_of(LLVMValueRef pointer)
{
	VEC(LLVMValueRef) work = VEC_INIT;
	struct ptrmap seen = PTRMAP_INIT;
	LLVMValueRef base = NULL;
	bool several = false;

	vec_push(&work, pointer);
	while (work.count && !several) {
		LLVMValueRef v = vec_pop(&work);

		if (!ptrmap_add(&seen, v))
			continue;
		if (LLVMIsAGetElementPtrInst(v)) {
			vec_push(&work, LLVMGetOperand(v, 0));
		} else if (LLVMIsAPHINode(v)) {
			for (unsigned i = 0; i < LLVMCountIncoming(v); i++)
				vec_push(&work, LLVMGetIncomingValue(v, i));
		} else {
			several = base && base != v;
			base = v;
		}
	}
	ptrmap_free(&seen);
	vec_free(&work);
	return several ? NULL : base;
}

static bool orders_addresses(LLVMValueRef compare)
{
	LLVMValueRef a = LLVMGetOperand(compare, 0), b = LLVMGetOperand(compare, 1), base;

	if (!is_pointer(a) || LLVMGetICmpPredicate(compare) == LLVMIntEQ ||
	    LLVMGetICmpPredicate(compare) == LLVMIntNE)
		return false;
	base = base_of(a);
	return !base || base != base_of(b);
}

static void spread_load(struct deps_unknown *m, uint32_t f, LLVMValueRef i)
{
	LLVMValueRef pointer = LLVMGetOperand(i, 0);

	if (deps_unknown_is(m, pointer) || contested(m, f, i, pointer) ||
	    meets(&cell_of(m, pointer)->unknown, deps_alias_tag(i)))
		set_unknown(m, i);
}

static void spread_store(struct deps_unknown *m, LLVMValueRef i, LLVMValueRef pointer, bool value)
{
	/* Stored at an unknown place, it may or may not change what another place holds. */
	if (value || deps_unknown_is(m, pointer))
		add_tag(m, &cell_of(m, pointer)->unknown, deps_alias_tag(i));
}

static void spread(struct deps_unknown *m, uint32_t f, LLVMValueRef i)
{
	switch (LLVMGetInstructionOpcode(i)) {
	case LLVMLoad:
		spread_load(m, f, i);
		break;
	case LLVMStore:
		spread_store(m, i, LLVMGetOperand(i, 1), deps_unknown_is(m, LLVMGetOperand(i, 0)));
		break;
	case LLVMAtomicRMW:
	case LLVMAtomicCmpXchg:
		spread_load(m, f, i);
		spread_store(m, i, LLVMGetOperand(i, 0),
			     any_operand(m, i) || deps_unknown_is(m, i));
		break;
	case LLVMCall:
	case LLVMInvoke:
		spread_call(m, f, i);
		break;
	case LLVMRet:
		if (any_operand(m, i))
			m->changed |= ptrmap_add(&m->returns, m->b->functions.items[f].value);
		break;
	case LLVMPtrToInt:
		if (any_operand(m, i) ||
		    (!harmless_number(i) && !deps_own_number(&m->own, LLVMGetOperand(i, 0))))
			set_unknown(m, i);
		break;
	case LLVMICmp:
		if (any_operand(m, i) || orders_addresses(i))
			set_unknown(m, i);
		break;
	/* Which exception was thrown outside is in no log. */
	case LLVMLandingPad:
	case LLVMVAArg:
	case LLVMCallBr:
		set_unknown(m, i);
		break;
	default:
		if (any_operand(m, i))
			set_unknown(m, i);
		break;
	}
}

typedef void (*visit_fn)(struct deps_unknown *m, uint32_t function, LLVMValueRef instruction);

static void each_instruction(struct deps_unknown *m, visit_fn visit)
{
	for (uint32_t f = 0; f < m->b->functions.count; f++)
		for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(m->b->functions.items[f].value);
		     k; k = LLVMGetNextBasicBlock(k))
			for (LLVMValueRef i = LLVMGetFirstInstruction(k); i;
			     i = LLVMGetNextInstruction(i))
				visit(m, f, i);
}

/* Asking for the place of a constant address may join classes; cells hang on classes as they are
 * then. */
static void settle_places(struct deps_unknown *m, uint32_t f, LLVMValueRef i)
{
	for (int k = 0; k < LLVMGetNumOperands(i); k++)
		if (is_pointer(LLVMGetOperand(i, (unsigned)k)))
			(void)deps_points_place(&m->b->points, LLVMGetOperand(i, (unsigned)k));
}

void deps_unknown_init(struct deps_unknown *m, struct deps_build *b)
{
	*m = (struct deps_unknown){.b = b, .values = PTRMAP_INIT, .returns = PTRMAP_INIT};
	deps_late_init(&m->late, b);
	deps_own_init(&m->own, b);
	each_instruction(m, settle_places);
	find_reachable(m);
	each_instruction(m, note_accesses);
	do {
		m->changed = false;
		each_instruction(m, spread);
	} while (m->changed);
}

void deps_unknown_fini(struct deps_unknown *m)
{
	for (size_t i = 0; i < m->cells.count; i++) {
		if (!m->cells.items[i])
			continue;
		vec_free(&m->cells.items[i]->by_first);
		vec_free(&m->cells.items[i]->by_threads);
		vec_free(&m->cells.items[i]->by_owner);
		vec_free(&m->cells.items[i]->seen_first);
		vec_free(&m->cells.items[i]->seen_threads);
		vec_free(&m->cells.items[i]->handed);
		vec_free(&m->cells.items[i]->unknown);
		free(m->cells.items[i]);
	}
	vec_free(&m->cells);
	deps_late_fini(&m->late);
	deps_own_fini(&m->own);
	ptrmap_free(&m->values);
	ptrmap_free(&m->returns);
}
