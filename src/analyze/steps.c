#include "analyze/steps.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "analyze/collect.h"
#include "analyze/loops.h"
#include "analyze/outside.h"
#include "analyze/state.h"

/* ---- threads ---- */

static void set_bit(uint64_t *bits, uint32_t i)
{
	bits[i / 64] |= UINT64_C(1) << (i % 64);
}

static void clear_bit(uint64_t *bits, uint32_t i)
{
	bits[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

bool steps_is_above(const struct whole *w, uint32_t above, uint32_t thread)
{
	while (thread != WHOLE_NONE && thread != above)
		thread = w->threads.items[thread].parent;
	return thread == above;
}

void steps_add_thread(struct flow *f, struct state *s, uint32_t t)
{
	for (uint32_t i = 0; i < f->w->threads.count; i++) {
		if (!flow_bit(f->below[t], i))
			continue;
		if (flow_bit(s->running, i))
			set_bit(s->twice, i);
		set_bit(s->running, i);
	}
}

/* All threads made at t's place have ended; what they left running runs on. */
void flow_ended(const struct flow *f, struct state *s, uint32_t t)
{
	for (uint32_t i = 0; i < f->w->threads.count; i++) {
		if (!flow_bit(f->below[t], i) || (i != t && flow_bit(f->end[t].running, i)))
			continue;
		clear_bit(s->running, i);
		clear_bit(s->twice, i);
	}
}

void steps_queue(struct flow *f, uint32_t body)
{
	if (f->queued[body])
		return;
	f->queued[body] = true;
	vec_push(&f->queue, body);
}

void steps_enter(struct flow *f, uint32_t body, const struct state *s)
{
	struct state to = state_new(f);

	state_copy(f, &to, s);
	if (f->w->bodies.items[body].shared)
		state_forget_body(f, &to, body);
	if (state_join(f, &f->entry[body], &to))
		steps_queue(f, body);
	state_free(&to);
}

static void create(struct flow *f, uint32_t body, LLVMValueRef call, struct state *s)
{
	struct whole *w = f->w;
	struct state start = state_new(f), before = state_new(f);

	start.reached = true;
	state_copy(f, &before, s);
	for (uint32_t t = 1; t < w->threads.count; t++) {
		/* A place reached in another context of the same thread makes the same. */
		if (w->threads.items[t].create != call)
			continue;
		if (w->threads.items[t].body != body &&
		    !steps_is_above(w, t, w->bodies.items[body].thread))
			continue;
		state_join(f, &f->made[t], &before);
		steps_add_thread(f, s, t);
		if (state_join(f, &f->entry[w->threads.items[t].root], &start))
			steps_queue(f, w->threads.items[t].root);
	}
	state_free(&start);
	state_free(&before);
}

/* The threads a handle can stand for. */
static void handles_in(struct flow *f, uint32_t node, struct flow_handles *out)
{
	struct points *p = &f->w->points;
	size_t n;
	const uint32_t *set = points_set(p, node, &n);

	out->count = 0;
	for (size_t i = 0; i < n; i++) {
		const struct object *o = &p->locs.objects.items[p->locs.all.items[set[i]].object];

		if (o->kind != OBJECT_THREAD || out->count == FLOW_HANDLES) {
			out->count = 0;
			return;
		}
		out->threads[out->count++] = o->made;
	}
}

/* What is joined: the handle, or what std::thread has it in. */
void flow_joined(struct flow *f, uint32_t body, LLVMValueRef call, struct flow_handles *out)
{
	struct points *p = &f->w->points;
	uint32_t node = whole_node(f->w, body, LLVMGetArgOperand(call, 0)), to;
	size_t bytes, n;
	const char *name = LLVMGetValueName2(LLVMGetCalledValue(call), &bytes);

	if (*name != '_') {
		handles_in(f, node, out);
		return;
	}
	to = points_node(p);
	points_set(p, node, &n);
	for (size_t i = 0; i < n; i++)
		points_copy(p, points_out(p, points_set(p, node, &n)[i]), to);
	points_solve(p, NULL, NULL);
	handles_in(f, to, out);
}

static void join(struct flow *f, uint32_t body, LLVMValueRef call, struct state *s)
{
	struct flow_handles h;

	flow_joined(f, body, call, &h);
	if (h.count == 1 && !flow_bit(s->twice, h.threads[0]) &&
	    f->w->threads.items[h.threads[0]].parent == f->w->bodies.items[body].thread)
		flow_ended(f, s, h.threads[0]);
}

void steps_thread_ends(struct flow *f, uint32_t thread, const struct state *s)
{
	struct whole *w = f->w;
	uint32_t root = w->threads.items[thread].root;
	const struct body *b = &w->bodies.items[root];

	for (size_t i = 0; i < b->links.count; i++)
		if (!b->links.items[i].call)
			steps_enter(f, b->links.items[i].body, s);
	if (!state_join(f, &f->end[thread], s))
		return;
	/* Who joins it looks at what it left running. */
	for (uint32_t i = 0; i < w->bodies.count; i++)
		if (w->bodies.items[i].thread != thread && f->entry[i].reached &&
		    steps_is_above(w, w->bodies.items[i].thread, thread))
			steps_queue(f, i);
}

/* ---- locks ---- */

bool flow_unique(const struct flow *f, uint32_t loc)
{
	const struct whole *w = f->w;
	const struct loc *l = &w->points.locs.all.items[loc];
	const struct object *o = &w->points.locs.objects.items[l->object];

	if (l->stride || o->many || o->kind == OBJECT_UNKNOWN || o->kind == OBJECT_LIBRARY)
		return false;
	for (uint32_t t = o->thread; t != LOC_NO_THREAD && t != WHOLE_NONE;
	     t = w->threads.items[t].parent)
		if (w->threads.items[t].many)
			return false;
	return true;
}

static struct token token_of(struct flow *f, uint32_t body, LLVMValueRef pointer)
{
	struct token t = {.loc = LOC_NONE, .mode = TOKEN_WRITE, .count = 1};
	size_t n;
	const uint32_t *set;

	t.form = form_of(f->w, body, pointer);
	t.node = whole_node(f->w, body, pointer);
	points_solve(&f->w->points, NULL, NULL);
	set = points_set(&f->w->points, t.node, &n);
	if (n == 1 && flow_unique(f, set[0]))
		t.loc = set[0];
	return t;
}

static uint32_t acquisition_of(const struct flow *f, uint32_t body, LLVMValueRef call)
{
	for (uint32_t i = 0; i < f->acquisitions.count; i++)
		if (f->acquisitions.items[i].call == call && f->acquisitions.items[i].body == body)
			return i;
	return WHOLE_NONE;
}

static void lock(struct flow *f, uint32_t body, LLVMValueRef call, enum outside_use use,
		 struct state *s)
{
	struct token t = token_of(f, body, LLVMGetArgOperand(call, 0));
	bool tries = use == OUTSIDE_TRY || use == OUTSIDE_TRY_SHARED;
	uint32_t a = acquisition_of(f, body, call);

	t.mode = use == OUTSIDE_LOCK_SHARED || use == OUTSIDE_TRY_SHARED ? TOKEN_READ : TOKEN_WRITE;
	f->acquisitions.items[a].token = state_token(f, &t);
	f->acquisitions.items[a].tries = tries;
	if (f->collecting && !tries)
		collect_taken(f, a, s);
	set_bit(s->may, a);
	if (tries) {
		t.pending = call;
		if (s->count < FLOW_TOKENS)
			s->tokens[s->count++] = state_token(f, &t);
	} else {
		state_acquire(f, s, state_token(f, &t));
	}
}

static void unlock(struct flow *f, uint32_t body, LLVMValueRef call, struct state *s)
{
	struct token t = token_of(f, body, LLVMGetArgOperand(call, 0));

	state_release(f, s, &t);
	for (uint32_t i = 0; i < f->acquisitions.count; i++) {
		const struct token *x = &f->tokens.items[f->acquisitions.items[i].token];

		if (f->acquisitions.items[i].token != WHOLE_NONE &&
		    (form_equal(&x->form, &t.form) || (x->loc != LOC_NONE && x->loc == t.loc)))
			clear_bit(s->may, i);
	}
}

/* From now on, or while it runs: it has run once, or is doing so. */
static void once(struct flow *f, uint32_t body, LLVMValueRef pointer, enum token_mode mode,
		 struct state *s)
{
	struct token t = token_of(f, body, pointer);

	t.once = true;
	t.mode = (uint8_t)mode;
	for (uint32_t i = s->count; i-- > 0;) {
		const struct token *old = &f->tokens.items[s->tokens[i]];

		if (old->once && old->loc == t.loc && form_equal(&old->form, &t.form)) {
			memmove(&s->tokens[i], &s->tokens[i + 1],
				(s->count - i - 1) * sizeof(s->tokens[0]));
			s->count--;
		}
	}
	state_acquire(f, s, state_token(f, &t));
}

/* ---- calls ---- */

static void call_links(struct flow *f, uint32_t body, LLVMValueRef call, bool also_past,
		       struct state *s)
{
	const struct body *b = &f->w->bodies.items[body];
	struct state out = state_new(f);
	bool any = false;

	for (size_t i = 0; i < b->links.count; i++) {
		if (b->links.items[i].call != call)
			continue;
		any = true;
		steps_enter(f, b->links.items[i].body, s);
		state_join(f, &out, &f->leave[b->links.items[i].body]);
	}
	if (also_past && any)
		state_join(f, &out, s);
	if (any)
		state_copy(f, s, &out);
	state_free(&out);
}

static void outside(struct flow *f, uint32_t body, LLVMValueRef call, const char *name,
		    struct state *s)
{
	enum outside_use use = outside_use(name);
	struct state inner;

	switch (use) {
	case OUTSIDE_LOCK:
	case OUTSIDE_LOCK_SHARED:
	case OUTSIDE_TRY:
	case OUTSIDE_TRY_SHARED:
		lock(f, body, call, use, s);
		break;
	case OUTSIDE_UNLOCK:
		unlock(f, body, call, s);
		break;
	case OUTSIDE_CREATE:
		create(f, body, call, s);
		break;
	case OUTSIDE_JOIN:
		join(f, body, call, s);
		break;
	case OUTSIDE_ONCE:
		inner = state_new(f);
		state_copy(f, &inner, s);
		once(f, body, LLVMGetArgOperand(call, 0), TOKEN_WRITE, &inner);
		call_links(f, body, call, false, &inner);
		state_join(f, s, &inner);
		once(f, body, LLVMGetArgOperand(call, 0), TOKEN_READ, s);
		state_free(&inner);
		break;
	case OUTSIDE_GUARD_DONE:
		once(f, body, LLVMGetArgOperand(call, 0), TOKEN_READ, s);
		break;
	case OUTSIDE_EXIT:
		if (f->w->bodies.items[body].thread == 0)
			steps_thread_ends(f, 0, s);
		break;
	case OUTSIDE_THREAD_EXIT:
		steps_thread_ends(f, f->w->bodies.items[body].thread, s);
		s->reached = false;
		break;
	default:
		/* Handlers and destructors that start here, and what it calls back. */
		create(f, body, call, s);
		call_links(f, body, call, true, s);
	}
}

/* Library functions that a pointer may mean: what they take away, and threads they may make. */
static void through_pointer(struct flow *f, uint32_t body, LLVMValueRef call, struct state *s)
{
	struct points *p = &f->w->points;
	size_t n, bytes;
	const uint32_t *set = points_set(p, whole_node(f->w, body, LLVMGetCalledValue(call)), &n);

	for (size_t i = 0; i < n; i++) {
		const struct object *o = &p->locs.objects.items[p->locs.all.items[set[i]].object];

		if (o->kind == OBJECT_FUNCTION && whole_code(f->w, o->value) == WHOLE_NONE &&
		    outside_use(LLVMGetValueName2(o->value, &bytes)) == OUTSIDE_UNLOCK)
			s->count = 0;
	}
	create(f, body, call, s);
}

void steps_call(struct flow *f, uint32_t body, LLVMValueRef i, struct state *s)
{
	LLVMValueRef callee = LLVMGetCalledValue(i);
	size_t bytes;

	while (LLVMIsAGlobalAlias(callee))
		callee = LLVMAliasGetAliasee(callee);
	if (LLVMIsAInlineAsm(callee))
		return;
	if (LLVMIsAFunction(callee) && whole_code(f->w, callee) == WHOLE_NONE) {
		outside(f, body, i, LLVMGetValueName2(callee, &bytes), s);
		return;
	}
	if (!LLVMIsAFunction(callee))
		through_pointer(f, body, i, s);
	call_links(f, body, i, !LLVMIsAFunction(callee), s);
}

/* What a branch says of the call whose result it looks at. */
void steps_branched(struct flow *f, uint32_t body, LLVMValueRef end, unsigned way, struct state *s)
{
	struct loops_test t;
	size_t bytes;
	const char *name;

	if (!loops_test(end, way, &t))
		return;
	if (LLVMIsACallInst(t.value) || LLVMIsAInvokeInst(t.value)) {
		state_decide(f, s, t.value, t.zero);
		if (!LLVMIsAFunction(LLVMGetCalledValue(t.value)))
			return;
		name = LLVMGetValueName2(LLVMGetCalledValue(t.value), &bytes);
		if (outside_use(name) == OUTSIDE_GUARD)
			once(f, body, LLVMGetArgOperand(t.value, 0),
			     t.zero ? TOKEN_READ : TOKEN_WRITE, s);
	} else if (LLVMIsALoadInst(t.value) && !t.zero) {
		LLVMValueRef pointer = LLVMGetOperand(t.value, 0);

		name = LLVMGetValueName2(pointer, &bytes);
		if (bytes > 4 && !memcmp(name, "_ZGV", 4) && LLVMGetOrdering(t.value) != 0)
			once(f, body, pointer, TOKEN_READ, s);
	}
}
