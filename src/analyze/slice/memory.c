/* Slices through memory: of the program, of the library, of locks and threads. */
#include <string.h>

#include <llvm-c/Core.h>

#include "analyze/slice/priv.h"

/* ---- who wrote ---- */

static bool reads(const struct access *a)
{
	LLVMOpcode op = LLVMGetInstructionOpcode(a->at);

	return !a->write || op == LLVMAtomicRMW || op == LLVMAtomicCmpXchg;
}

static bool comes_before(LLVMValueRef a, LLVMValueRef b)
{
	for (LLVMValueRef i = a; i; i = LLVMGetNextInstruction(i))
		if (i == b)
			return true;
	return false;
}

/* Of one execution of a body: may the write be before the read? */
static bool flows(struct slice *l, uint32_t body, LLVMValueRef write, LLVMValueRef read)
{
	const struct body *b = &l->w->bodies.items[body];
	const struct code *c = &l->w->codes.items[b->code];
	uint32_t from, to;

	if (b->many || b->shared || b->called_back || l->w->threads.items[b->thread].many ||
	    flow_beside_itself(l->f, b->thread) ||
	    !cfg_index(&c->cfg, LLVMGetInstructionParent(write), &from) ||
	    !cfg_index(&c->cfg, LLVMGetInstructionParent(read), &to))
		return true;
	if (from == to && comes_before(write, read))
		return true;
	return control_reaches(&l->controls[b->code], from, to);
}

static bool may_see(struct slice *l, uint32_t write, uint32_t read)
{
	const struct access *w = &l->f->accesses.items[write], *r = &l->f->accesses.items[read];

	if (l->s && !schedule_may_precede(l->s, write, read))
		return false;
	return w->body != r->body || flows(l, w->body, w->at, r->at);
}

static bool meets(struct slice *l, const struct access *a, uint32_t loc, const struct access *b)
{
	struct points *p = &l->w->points;
	size_t n;
	const uint32_t *set = points_set(p, b->node, &n);

	for (size_t i = 0; i < n; i++)
		if (p->locs.all.items[set[i]].object == p->locs.all.items[loc].object &&
		    locs_meet(&p->locs, loc, a->bytes, set[i], b->bytes))
			return true;
	return false;
}

/* What a function with any number of arguments was given. */
static void variable_arguments(struct slice *l, uint32_t body)
{
	const struct body *b = &l->w->bodies.items[body];

	for (size_t i = 0; i < b->callers.count; i++)
		if (b->callers.items[i].call && b->callers.items[i].call != WHOLE_BEFORE)
			slice_operands(l, b->callers.items[i].body, b->callers.items[i].call);
}

static void read_access(struct slice *l, uint32_t number)
{
	const struct access *a = &l->f->accesses.items[number];
	struct points *p = &l->w->points;
	size_t n;
	const uint32_t *set = points_set(p, a->node, &n);

	for (size_t i = 0; i < n; i++) {
		uint32_t object = p->locs.all.items[set[i]].object;
		const struct slice_accesses *list = &l->writers[object];

		if (p->locs.objects.items[object].kind == OBJECT_VARARGS)
			variable_arguments(l, p->locs.objects.items[object].body);
		for (size_t k = 0; k < list->count; k++) {
			const struct access *w = &l->f->accesses.items[list->items[k]];

			if (meets(l, a, set[i], w) && may_see(l, list->items[k], number))
				slice_mark(l, w->body, w->at, SLICE_RUNS | SLICE_VALUE);
		}
	}
}

void slice_memory_read(struct slice *l, uint32_t body, LLVMValueRef at)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(whole_function(l->w, body));
	uintptr_t first;

	if (LLVMIsFunctionVarArg(type))
		variable_arguments(l, body);
	if (!ptrmap_get(&l->accesses[body], at, &first))
		return;
	for (uint32_t i = (uint32_t)first - 1; i < l->f->accesses.count; i++) {
		const struct access *a = &l->f->accesses.items[i];

		if (a->body != body)
			break;
		if (a->at == at && reads(a))
			read_access(l, i);
	}
}

/* ---- the library ---- */

static bool is_state(const char *word)
{
	return strchr("hHg", *word) && (word[1] == ':' || (word[1] >= '0' && word[1] <= '9') ||
					word[1] == '^' || word[1] == '~');
}

/* Two words of effects are about the same state, when their objects may be. */
static bool same_state(const char *a, const char *b)
{
	size_t n = strcspn(a, " ");

	if ((a[1] == ':') != (b[1] == ':'))
		return true; /* stdout by name and by pointer */
	return a[1] != ':' || (strcspn(b, " ") == n && !strncmp(a + 1, b + 1, n - 1));
}

static bool shares_state(const char *a, const char *b)
{
	for (const char *x = a; x && *x; x += strcspn(x, " "), x += strspn(x, " "))
		for (const char *y = b; y && *y && is_state(x) && *x != 'H';
		     y += strcspn(y, " "), y += strspn(y, " "))
			if (is_state(y) && *y != 'g' && same_state(x, y))
				return true;
	return false;
}

static bool is_lock(enum outside_use use)
{
	switch (use) {
	case OUTSIDE_LOCK:
	case OUTSIDE_LOCK_SHARED:
	case OUTSIDE_TRY:
	case OUTSIDE_TRY_SHARED:
	case OUTSIDE_UNLOCK:
	case OUTSIDE_WAIT:
	case OUTSIDE_ONCE:
	case OUTSIDE_GUARD:
	case OUTSIDE_GUARD_DONE:
	case OUTSIDE_BARRIER:
	case OUTSIDE_QUIET:
		return true;
	default:
		return false;
	}
}

/* May an argument of both point into the same object? */
static bool shares_object(struct slice *l, const struct slice_call *a, const struct slice_call *b)
{
	struct points *p = &l->w->points;

	for (unsigned i = 0; i < LLVMGetNumArgOperands(a->at); i++) {
		size_t n, m;
		const uint32_t *x =
			points_set(p, whole_node(l->w, a->body, LLVMGetArgOperand(a->at, i)), &n);

		for (unsigned k = 0; k < LLVMGetNumArgOperands(b->at); k++) {
			const uint32_t *y = points_set(
				p, whole_node(l->w, b->body, LLVMGetArgOperand(b->at, k)), &m);

			for (size_t u = 0; u < n; u++)
				for (size_t v = 0; v < m; v++)
					if (p->locs.all.items[x[u]].object ==
					    p->locs.all.items[y[v]].object)
						return true;
		}
	}
	return false;
}

static void joined(struct slice *l, const struct slice_call *call)
{
	struct whole *w = l->w;
	size_t n;
	const uint32_t *set = points_set(
		&w->points, whole_node(w, call->body, LLVMGetArgOperand(call->at, 0)), &n);
	bool any = false;

	for (uint32_t t = 1; t < w->threads.count; t++) {
		bool it = false;

		for (size_t i = 0; i < n; i++)
			it |= w->points.locs.all.items[set[i]].object == w->threads.items[t].handle;
		any |= it;
	}
	for (uint32_t t = 1; t < w->threads.count; t++) {
		bool it = !any;

		for (size_t i = 0; i < n; i++)
			it |= w->points.locs.all.items[set[i]].object == w->threads.items[t].handle;
		if (!it)
			continue;
		slice_returns(l, w->threads.items[t].root);
		for (size_t i = 0; i < l->calls.count; i++)
			if (l->calls.items[i].use == OUTSIDE_THREAD_EXIT &&
			    w->bodies.items[l->calls.items[i].body].thread == t)
				slice_mark(l, l->calls.items[i].body, l->calls.items[i].at,
					   SLICE_RUNS | SLICE_VALUE);
	}
}

void slice_memory_library(struct slice *l, uint32_t body, LLVMValueRef call)
{
	for (size_t i = 0; i < l->calls.count; i++) {
		const struct slice_call a = l->calls.items[i];

		if (a.body != body || a.at != call)
			continue;
		if (a.use == OUTSIDE_JOIN || a.use == OUTSIDE_TRY_JOIN)
			joined(l, &a);
		for (size_t k = 0; k < l->calls.count; k++) {
			const struct slice_call *b = &l->calls.items[k];

			if (shares_state(a.effects, b->effects) ||
			    (is_lock(a.use) && a.use != OUTSIDE_LOCK && is_lock(b->use) &&
			     shares_object(l, &a, b)))
				slice_mark(l, b->body, b->at, SLICE_RUNS | SLICE_VALUE);
		}
	}
}

/* ---- lists ---- */

static void add_call(struct slice *l, uint32_t body, LLVMValueRef at, LLVMValueRef f)
{
	struct slice_call c = {.body = body, .at = at};
	size_t bytes;

	c.name = LLVMGetValueName2(f, &bytes);
	if (!strncmp(c.name, "llvm.", 5))
		return;
	c.use = outside_use(c.name);
	c.effects = outside_effects(c.name);
	vec_push(&l->calls, c);
}

/* Calls of functions without code, also through pointers. */
static void find_calls(struct slice *l, uint32_t body, LLVMValueRef i)
{
	struct points *p = &l->w->points;
	LLVMValueRef callee = LLVMGetCalledValue(i);
	const uint32_t *set;
	size_t n;

	if (LLVMIsAInlineAsm(callee))
		return;
	if (LLVMIsAFunction(callee)) {
		if (whole_code(l->w, callee) == WHOLE_NONE)
			add_call(l, body, i, callee);
		return;
	}
	set = points_set(p, whole_node(l->w, body, callee), &n);
	for (size_t k = 0; k < n; k++) {
		const struct object *o = &p->locs.objects.items[p->locs.all.items[set[k]].object];

		if (o->kind == OBJECT_FUNCTION && whole_code(l->w, o->value) == WHOLE_NONE)
			add_call(l, body, i, o->value);
	}
}

static void list_calls(struct slice *l)
{
	for (uint32_t b = 0; b < l->w->bodies.count; b++) {
		const struct code *c = &l->w->codes.items[l->w->bodies.items[b].code];

		for (size_t k = 0; k < c->cfg.blocks.count && l->f->entry[b].reached; k++)
			for (LLVMValueRef i = LLVMGetFirstInstruction(c->cfg.blocks.items[k]); i;
			     i = LLVMGetNextInstruction(i))
				if (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i))
					find_calls(l, b, i);
	}
}

void slice_memory_init(struct slice *l)
{
	struct points *p = &l->w->points;
	size_t n;

	list_calls(l);
	l->writers = xcalloc(p->locs.objects.count + 1, sizeof(*l->writers));
	l->accesses = xcalloc(l->w->bodies.count + 1, sizeof(*l->accesses));
	for (uint32_t i = 0; i < l->f->accesses.count; i++) {
		const struct access *a = &l->f->accesses.items[i];
		const uint32_t *set = points_set(p, a->node, &n);

		if (!ptrmap_has(&l->accesses[a->body], a->at))
			ptrmap_set(&l->accesses[a->body], a->at, i + 1);
		for (size_t k = 0; k < n && a->write; k++) {
			struct slice_accesses *list = &l->writers[p->locs.all.items[set[k]].object];

			if (!list->count || vec_last(list) != i)
				vec_push(list, i);
		}
	}
}

void slice_memory_fini(struct slice *l)
{
	for (size_t i = 0; i < l->w->points.locs.objects.count; i++)
		vec_free(&l->writers[i]);
	for (size_t i = 0; i < l->w->bodies.count; i++)
		ptrmap_free(&l->accesses[i]);
	free(l->writers);
	free(l->accesses);
	vec_free(&l->calls);
}
