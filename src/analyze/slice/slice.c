#include "analyze/slice/slice.h"

#include <llvm-c/Core.h>

#include "analyze/slice/priv.h"

/* ---- marks ---- */

bool slice_is_reached(const struct slice *l, uint32_t body, LLVMValueRef at)
{
	return l->f->entry[body].reached &&
	       (!l->s || schedule_comes_to(l->s, body, LLVMGetInstructionParent(at)));
}

/* The marks a value or block has got now for the first time. */
static unsigned fresh_marks(struct slice *l, uint32_t body, const void *key, unsigned marks)
{
	uintptr_t old = 0;

	(void)ptrmap_get(&l->marks[body], key, &old);
	if (marks & ~old)
		ptrmap_set(&l->marks[body], key, old | marks);
	return marks & ~(unsigned)old;
}

void slice_mark(struct slice *l, uint32_t body, LLVMValueRef at, unsigned marks)
{
	struct slice_item x = {body, at, 0};

	if (!slice_is_reached(l, body, at))
		return;
	x.marks = fresh_marks(l, body, at, marks);
	if (x.marks)
		vec_push(&l->todo, x);
}

/* ---- values ---- */

static bool is_thread_root(const struct whole *w, uint32_t body)
{
	for (size_t t = 0; t < w->threads.count; t++)
		if (w->threads.items[t].root == body)
			return true;
	return false;
}

/* A parameter is what callers give, or whoever made the thread. */
static void parameter(struct slice *l, uint32_t body, LLVMValueRef v)
{
	const struct body *b = &l->w->bodies.items[body];
	LLVMValueRef f = whole_function(l->w, body);
	unsigned k = 0;

	if (!fresh_marks(l, body, v, SLICE_VALUE))
		return;
	while (k < LLVMCountParams(f) && LLVMGetParam(f, k) != v)
		k++;
	for (size_t i = 0; i < b->callers.count; i++) {
		const struct caller *c = &b->callers.items[i];

		if (!c->call || c->call == WHOLE_BEFORE || !slice_is_reached(l, c->body, c->call))
			continue;
		if (b->called_back || k >= LLVMGetNumArgOperands(c->call))
			slice_mark(l, c->body, c->call, SLICE_RUNS | SLICE_VALUE);
		else
			slice_value(l, c->body, LLVMGetArgOperand(c->call, k));
		if (whole_by_value(f, k))
			slice_memory_read(l, c->body, c->call);
	}
	for (size_t t = 1; t < l->w->threads.count; t++)
		if (l->w->threads.items[t].root == body && l->w->threads.items[t].create)
			slice_mark(l, l->w->threads.items[t].body, l->w->threads.items[t].create,
				   SLICE_RUNS | SLICE_VALUE);
}

void slice_value(struct slice *l, uint32_t body, LLVMValueRef v)
{
	if (LLVMIsAInstruction(v))
		slice_mark(l, body, v, SLICE_VALUE);
	else if (LLVMIsAArgument(v))
		parameter(l, body, v);
}

void slice_operands(struct slice *l, uint32_t body, LLVMValueRef at)
{
	for (int i = 0; i < LLVMGetNumOperands(at); i++)
		slice_value(l, body, LLVMGetOperand(at, (unsigned)i));
}

void slice_returns(struct slice *l, uint32_t body)
{
	const struct code *c = &l->w->codes.items[l->w->bodies.items[body].code];

	for (size_t k = 0; k < c->cfg.blocks.count; k++) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(c->cfg.blocks.items[k]);

		if (LLVMIsAReturnInst(last))
			slice_mark(l, body, last, SLICE_RUNS | SLICE_VALUE);
	}
}

static void phi(struct slice *l, uint32_t body, LLVMValueRef at)
{
	for (unsigned i = 0; i < LLVMCountIncoming(at); i++) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(LLVMGetIncomingBlock(at, i));

		slice_value(l, body, LLVMGetIncomingValue(at, i));
		slice_mark(l, body, last, SLICE_RUNS | SLICE_VALUE);
	}
}

/* ---- calls that do not come back ---- */

static bool ends_here(LLVMValueRef last)
{
	return LLVMIsAUnreachableInst(last) || LLVMIsAResumeInst(last);
}

static bool may_end(const struct slice *l, uint32_t body)
{
	const struct body *b = &l->w->bodies.items[body];
	const struct code *c = &l->w->codes.items[b->code];

	for (size_t k = 0; k < c->cfg.blocks.count; k++)
		if (ends_here(LLVMGetBasicBlockTerminator(c->cfg.blocks.items[k])))
			return true;
	for (size_t k = 0; k < b->links.count; k++)
		if (b->links.items[k].call && b->links.items[k].call != WHOLE_BEFORE &&
		    l->ends[b->links.items[k].body])
			return true;
	return false;
}

static void find_ends(struct slice *l)
{
	bool changed = true;

	while (changed) {
		changed = false;
		for (uint32_t b = 0; b < l->w->bodies.count; b++)
			if (!l->ends[b] && may_end(l, b))
				changed = l->ends[b] = true;
	}
}

/* The call that does not come back stands before the end. */
static void mark_end(struct slice *l, uint32_t body, LLVMValueRef last)
{
	LLVMValueRef before = LLVMGetPreviousInstruction(last);

	slice_mark(l, body, last, SLICE_RUNS);
	if (before && (LLVMIsACallInst(before) || LLVMIsAInvokeInst(before)))
		slice_mark(l, body, before, SLICE_RUNS);
}

static void want_ends(struct slice *l, uint32_t body)
{
	const struct body *b = &l->w->bodies.items[body];
	const struct code *c = &l->w->codes.items[b->code];

	if (l->wants_ends[body] || !l->ends[body])
		return;
	l->wants_ends[body] = true;
	for (size_t k = 0; k < c->cfg.blocks.count; k++) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(c->cfg.blocks.items[k]);

		if (ends_here(last))
			mark_end(l, body, last);
	}
	for (size_t k = 0; k < b->links.count; k++) {
		const struct link *x = &b->links.items[k];

		if (!x->call || x->call == WHOLE_BEFORE || !l->ends[x->body])
			continue;
		slice_mark(l, body, x->call, SLICE_RUNS);
		want_ends(l, x->body);
	}
}

/* Ends that somebody turned to who might have come here. */
static void ends_beside(struct slice *l, uint32_t body, uint32_t block)
{
	const struct code *c = &l->w->codes.items[l->w->bodies.items[body].code];
	const struct control *control = &l->controls[l->w->bodies.items[body].code];

	for (uint32_t k = 0; k < c->cfg.blocks.count; k++) {
		LLVMValueRef last = LLVMGetBasicBlockTerminator(c->cfg.blocks.items[k]);
		bool beside = false;

		for (size_t i = 0; i < control->on[k].count && ends_here(last); i++)
			beside |= control_reaches(control, control->on[k].items[i], block);
		if (beside)
			mark_end(l, body, last);
	}
}

static void calls_before(struct slice *l, uint32_t body, uint32_t block)
{
	const struct body *b = &l->w->bodies.items[body];
	const struct code *c = &l->w->codes.items[b->code];
	uint32_t at;

	for (size_t k = 0; k < b->links.count; k++) {
		const struct link *x = &b->links.items[k];

		if (!x->call || x->call == WHOLE_BEFORE || !l->ends[x->body] ||
		    !cfg_index(&c->cfg, LLVMGetInstructionParent(x->call), &at) ||
		    (at != block && !control_reaches(&l->controls[b->code], at, block)))
			continue;
		slice_mark(l, body, x->call, SLICE_RUNS);
		want_ends(l, x->body);
	}
}

/* ---- whether something runs ---- */

/* Whoever hands the function on may have it called. */
static void given_on(struct slice *l, LLVMValueRef function)
{
	struct points *p = &l->w->points;

	for (size_t i = 0; i < l->calls.count; i++) {
		const struct slice_call c = l->calls.items[i];

		for (unsigned k = 0; k < LLVMGetNumArgOperands(c.at); k++) {
			size_t n;
			const uint32_t *set = points_set(
				p, whole_node(l->w, c.body, LLVMGetArgOperand(c.at, k)), &n);

			for (size_t u = 0; u < n; u++)
				if (p->locs.objects.items[p->locs.all.items[set[u]].object].value ==
				    function)
					slice_mark(l, c.body, c.at, SLICE_RUNS | SLICE_VALUE);
		}
	}
}

static void body_runs(struct slice *l, uint32_t body)
{
	const struct body *b = &l->w->bodies.items[body];
	bool called = false;

	if (l->runs[body])
		return;
	l->runs[body] = true;
	for (size_t i = 0; i < b->callers.count; i++) {
		const struct caller *c = &b->callers.items[i];

		if (!c->call || c->call == WHOLE_BEFORE)
			continue;
		called = true;
		slice_mark(l, c->body, c->call, SLICE_RUNS);
		slice_value(l, c->body, LLVMGetCalledValue(c->call));
	}
	for (size_t t = 1; t < l->w->threads.count; t++)
		if (l->w->threads.items[t].root == body && l->w->threads.items[t].create)
			slice_mark(l, l->w->threads.items[t].body, l->w->threads.items[t].create,
				   SLICE_RUNS | SLICE_VALUE);
	if (b->called_back || (!called && !is_thread_root(l->w, body)))
		given_on(l, whole_function(l->w, body));
}

static void runs(struct slice *l, uint32_t body, LLVMValueRef at)
{
	const struct code *c = &l->w->codes.items[l->w->bodies.items[body].code];
	LLVMBasicBlockRef place = LLVMGetInstructionParent(at);
	const struct control_list *on;
	uint32_t block;

	body_runs(l, body);
	if (!cfg_index(&c->cfg, place, &block) || !fresh_marks(l, body, place, SLICE_RUNS))
		return;
	on = &l->controls[l->w->bodies.items[body].code].on[block];
	for (size_t k = 0; k < on->count; k++)
		slice_mark(l, body, LLVMGetBasicBlockTerminator(c->cfg.blocks.items[on->items[k]]),
			   SLICE_RUNS | SLICE_VALUE);
	calls_before(l, body, block);
	ends_beside(l, body, block);
}

/* What a call gives: from the function it enters, or all it was given. */
static void call(struct slice *l, uint32_t body, LLVMValueRef at)
{
	const struct body *b = &l->w->bodies.items[body];
	LLVMValueRef callee = LLVMGetCalledValue(at);
	bool inside = LLVMIsAFunction(callee) && whole_code(l->w, callee) != WHOLE_NONE;

	for (size_t k = 0; k < b->links.count; k++) {
		if (b->links.items[k].call != at)
			continue;
		slice_returns(l, b->links.items[k].body);
		want_ends(l, b->links.items[k].body);
	}
	slice_value(l, body, callee);
	if (inside)
		return;
	slice_operands(l, body, at);
	slice_memory_library(l, body, at);
}

static void value(struct slice *l, uint32_t body, LLVMValueRef at)
{
	switch (LLVMGetInstructionOpcode(at)) {
	case LLVMPHI:
		phi(l, body, at);
		break;
	case LLVMCall:
	case LLVMInvoke:
		call(l, body, at);
		break;
	case LLVMLandingPad:
		for (LLVMBasicBlockRef k = LLVMGetFirstBasicBlock(whole_function(l->w, body)); k;
		     k = LLVMGetNextBasicBlock(k)) {
			LLVMValueRef last = LLVMGetBasicBlockTerminator(k);

			if (LLVMIsAInvokeInst(last) &&
			    LLVMGetUnwindDest(last) == LLVMGetInstructionParent(at))
				slice_mark(l, body, last, SLICE_RUNS | SLICE_VALUE);
		}
		break;
	default:
		slice_operands(l, body, at);
		break;
	}
	slice_memory_read(l, body, at);
}

/* ---- all of it ---- */

static void slice_init(struct slice *l, struct flow *f, const struct schedule *s)
{
	size_t bodies = f->w->bodies.count + 1;

	*l = (struct slice){.f = f, .w = f->w, .s = s};
	l->controls = xcalloc(f->w->codes.count + 1, sizeof(*l->controls));
	for (size_t i = 0; i < f->w->codes.count; i++)
		control_init(&l->controls[i], &f->w->codes.items[i].cfg);
	l->marks = xcalloc(bodies, sizeof(*l->marks));
	l->runs = xcalloc(bodies, sizeof(bool));
	l->ends = xcalloc(bodies, sizeof(bool));
	l->wants_ends = xcalloc(bodies, sizeof(bool));
	slice_memory_init(l);
	find_ends(l);
}

static void slice_fini(struct slice *l)
{
	slice_memory_fini(l);
	for (size_t i = 0; i < l->w->codes.count; i++)
		control_fini(&l->controls[i]);
	for (size_t i = 0; i < l->w->bodies.count; i++)
		ptrmap_free(&l->marks[i]);
	free(l->controls);
	free(l->marks);
	free(l->runs);
	free(l->ends);
	free(l->wants_ends);
	vec_free(&l->todo);
}

int slice_find(struct flow *f, const struct schedule *s, const char *target, struct analysis *to,
	       struct err *e)
{
	struct slice l;
	bool there;

	slice_init(&l, f, s);
	there = slice_tell_begin(&l, target);
	while (l.todo.count) {
		struct slice_item x = vec_pop(&l.todo);

		if (x.marks & SLICE_RUNS)
			runs(&l, x.body, x.at);
		if (x.marks & SLICE_VALUE)
			value(&l, x.body, x.at);
	}
	if (there)
		slice_tell(&l, to);
	slice_fini(&l);
	return there ? 0 : err_set(e, ERR_USAGE, "no code that may run is at %s", target);
}
