#include "deps/unknown_priv.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "deps/alias.h"
#include "deps/given.h"

bool deps_unknown_is(const struct deps_unknown *m, LLVMValueRef v)
{
	return ptrmap_has(&m->values, v);
}

static void set_unknown(struct deps_unknown *m, LLVMValueRef v)
{
	m->changed |= ptrmap_add(&m->values, v);
}

/* ---- what is unknown ---- */

/* Memory that a pointer points to, read by somebody who does not say with which type. */
static bool memory_unknown(struct deps_unknown *m, uint32_t f, LLVMValueRef i, LLVMValueRef pointer)
{
	uint32_t place = deps_points_place(&m->b->points, pointer);
	bool own = deps_own_is(&m->own, pointer);

	/* A string's characters lie behind it. */
	for (unsigned depth = 0; depth < 2 && place != UINT32_MAX; depth++) {
		const struct deps_cell *c = unknown_cell_at(m, place);

		if (c->unknown.any || c->unknown.count || unknown_contested_at(m, f, i, c, own))
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

		if (deps_unknown_is(m, arg) ||
		    (unknown_is_pointer(arg) && memory_unknown(m, f, call, arg)))
			return true;
	}
	return false;
}

static void spoil_place(struct deps_unknown *m, uint32_t class, void *arg)
{
	unknown_tag(m, &unknown_cell_at(m, class)->unknown, NULL);
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
	unknown_each_written(m, call, spoil_place, NULL);
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
			unknown_tag(m, &unknown_cell_of(m, LLVMGetOperand(call, 0))->unknown, NULL);
		break;
	case DEPS_CALL_OPAQUE:
		unknown_tag(m, &unknown_cell_at(m, m->b->points.outside)->unknown, NULL);
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

	if (!unknown_is_pointer(a) || LLVMGetICmpPredicate(compare) == LLVMIntEQ ||
	    LLVMGetICmpPredicate(compare) == LLVMIntNE)
		return false;
	base = base_of(a);
	return !base || base != base_of(b);
}

static void spread_load(struct deps_unknown *m, uint32_t f, LLVMValueRef i)
{
	LLVMValueRef pointer = LLVMGetOperand(i, 0);

	if (deps_unknown_is(m, pointer) || unknown_contested(m, f, i, pointer) ||
	    unknown_meets(&unknown_cell_of(m, pointer)->unknown, deps_alias_tag(i)))
		set_unknown(m, i);
}

static void spread_store(struct deps_unknown *m, LLVMValueRef i, LLVMValueRef pointer, bool value)
{
	/* Stored at an unknown place, it may or may not change what another place holds. */
	if (value || deps_unknown_is(m, pointer))
		unknown_tag(m, &unknown_cell_of(m, pointer)->unknown, deps_alias_tag(i));
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
		if (unknown_is_pointer(LLVMGetOperand(i, (unsigned)k)))
			(void)deps_points_place(&m->b->points, LLVMGetOperand(i, (unsigned)k));
}

void deps_unknown_init(struct deps_unknown *m, struct deps_build *b)
{
	*m = (struct deps_unknown){.b = b, .values = PTRMAP_INIT, .returns = PTRMAP_INIT};
	deps_late_init(&m->late, b);
	deps_own_init(&m->own, b);
	each_instruction(m, settle_places);
	unknown_find_reachable(m);
	each_instruction(m, unknown_note_accesses);
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
