#include "analyze/flow.h"

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

static bool is_above(const struct whole *w, uint32_t above, uint32_t thread)
{
	while (thread != WHOLE_NONE && thread != above)
		thread = w->threads.items[thread].parent;
	return thread == above;
}

static void add_thread(struct flow *f, struct state *s, uint32_t t)
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

static void queue_body(struct flow *f, uint32_t body)
{
	if (f->queued[body])
		return;
	f->queued[body] = true;
	vec_push(&f->queue, body);
}

static void enter(struct flow *f, uint32_t body, const struct state *s)
{
	struct state to = state_new(f);

	state_copy(f, &to, s);
	if (f->w->bodies.items[body].shared)
		state_forget_body(f, &to, body);
	if (state_join(f, &f->entry[body], &to))
		queue_body(f, body);
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
		    !is_above(w, t, w->bodies.items[body].thread))
			continue;
		state_join(f, &f->made[t], &before);
		add_thread(f, s, t);
		if (state_join(f, &f->entry[w->threads.items[t].root], &start))
			queue_body(f, w->threads.items[t].root);
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

static void thread_ends(struct flow *f, uint32_t thread, const struct state *s)
{
	struct whole *w = f->w;
	uint32_t root = w->threads.items[thread].root;
	const struct body *b = &w->bodies.items[root];

	for (size_t i = 0; i < b->links.count; i++)
		if (!b->links.items[i].call)
			enter(f, b->links.items[i].body, s);
	if (!state_join(f, &f->end[thread], s))
		return;
	/* Who joins it looks at what it left running. */
	for (uint32_t i = 0; i < w->bodies.count; i++)
		if (w->bodies.items[i].thread != thread && f->entry[i].reached &&
		    is_above(w, w->bodies.items[i].thread, thread))
			queue_body(f, i);
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
		enter(f, b->links.items[i].body, s);
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
			thread_ends(f, 0, s);
		break;
	case OUTSIDE_THREAD_EXIT:
		thread_ends(f, f->w->bodies.items[body].thread, s);
		s->reached = false;
		break;
	default:
		/* Handlers and destructors that start here, and what it calls back. */
		create(f, body, call, s);
		call_links(f, body, call, true, s);
	}
}

static void call(struct flow *f, uint32_t body, LLVMValueRef i, struct state *s)
{
	LLVMValueRef callee = LLVMGetCalledValue(i);
	size_t bytes;

	while (LLVMIsAGlobalAlias(callee))
		callee = LLVMAliasGetAliasee(callee);
	if (LLVMIsAFunction(callee) && whole_code(f->w, callee) == WHOLE_NONE)
		outside(f, body, i, LLVMGetValueName2(callee, &bytes), s);
	else if (!LLVMIsAInlineAsm(callee))
		call_links(f, body, i, !LLVMIsAFunction(callee), s);
}

/* ---- one body ---- */

static void step(struct flow *f, uint32_t body, LLVMValueRef i, struct state *s)
{
	if (f->collecting)
		collect_accesses(f, body, i, s);
	if (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i) || LLVMIsACallBrInst(i))
		call(f, body, i, s);
	if (LLVMIsAReturnInst(i)) {
		const struct whole *w = f->w;
		uint32_t thread = w->bodies.items[body].thread;

		if (state_join(f, &f->leave[body], s))
			for (size_t k = 0; k < w->bodies.items[body].callers.count; k++)
				queue_body(f, w->bodies.items[body].callers.items[k].body);
		if (w->threads.items[thread].root == body)
			thread_ends(f, thread, s);
	}
}

/* Values that are computed here may be others than the last time. */
static void forget(struct flow *f, uint32_t body, LLVMValueRef i, struct state *s)
{
	if (s->count)
		state_forget(f, s, body, i);
}

/* What a branch says of the call whose result it looks at. */
static void branched(struct flow *f, uint32_t body, LLVMValueRef end, unsigned way, struct state *s)
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

static void go_on(struct flow *f, uint32_t body, uint32_t block, const struct state *s,
		  struct state *in, bool *again)
{
	const struct code *c = &f->w->codes.items[f->w->bodies.items[body].code];
	LLVMValueRef end = LLVMGetBasicBlockTerminator(c->cfg.blocks.items[block]);
	struct state to = state_new(f);

	for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
		uint32_t next;

		if (!cfg_index(&c->cfg, LLVMGetSuccessor(end, i), &next))
			continue;
		state_copy(f, &to, s);
		branched(f, body, end, i, &to);
		loops_passed(f->loops, f, body, block, next, &to);
		if (state_join(f, &in[next], &to))
			again[next] = true;
	}
	state_free(&to);
}

static void walk_block(struct flow *f, uint32_t body, uint32_t block, struct state *s,
		       struct state *in, bool *again)
{
	const struct code *c = &f->w->codes.items[f->w->bodies.items[body].code];

	for (LLVMValueRef i = LLVMGetFirstInstruction(c->cfg.blocks.items[block]); i && s->reached;
	     i = LLVMGetNextInstruction(i)) {
		forget(f, body, i, s);
		step(f, body, i, s);
	}
	if (s->reached && in)
		go_on(f, body, block, s, in, again);
}

static void enter_first(struct flow *f, uint32_t body, struct state *s)
{
	state_copy(f, s, &f->entry[body]);
	for (size_t i = 0; i < f->w->bodies.items[body].links.count; i++)
		if (f->w->bodies.items[body].links.items[i].call == WHOLE_BEFORE) {
			struct link l = f->w->bodies.items[body].links.items[i];

			enter(f, l.body, s);
			state_copy(f, s, &f->leave[l.body]);
		}
}

static void solve_body(struct flow *f, uint32_t body)
{
	size_t n = f->w->codes.items[f->w->bodies.items[body].code].cfg.blocks.count;
	struct state *in = xcalloc(n + 1, sizeof(*in)), now = state_new(f);
	bool *again = xcalloc(n + 1, sizeof(*again)), collecting = f->collecting, more = true;

	for (size_t i = 0; i < n; i++)
		in[i] = state_new(f);
	enter_first(f, body, &in[0]);
	again[0] = in[0].reached;
	f->collecting = false;
	while (more) {
		more = false;
		for (uint32_t i = 0; i < n; i++) {
			if (!again[i])
				continue;
			more = true;
			again[i] = false;
			state_copy(f, &now, &in[i]);
			walk_block(f, body, i, &now, in, again);
		}
	}
	f->collecting = collecting;
	for (uint32_t i = 0; i < n && collecting; i++) {
		state_copy(f, &now, &in[i]);
		if (now.reached)
			walk_block(f, body, i, &now, NULL, NULL);
	}
	for (size_t i = 0; i < n; i++)
		state_free(&in[i]);
	state_free(&now);
	free(in);
	free(again);
}

/* ---- all ---- */

static void find_acquisitions(struct flow *f)
{
	struct whole *w = f->w;

	for (uint32_t b = 0; b < w->bodies.count; b++) {
		const struct code *c = &w->codes.items[w->bodies.items[b].code];

		for (size_t k = 0; k < c->cfg.blocks.count; k++)
			for (LLVMValueRef i = LLVMGetFirstInstruction(c->cfg.blocks.items[k]); i;
			     i = LLVMGetNextInstruction(i)) {
				struct acquisition a = {b, i, WHOLE_NONE, false};
				LLVMValueRef callee = LLVMIsACallInst(i) || LLVMIsAInvokeInst(i)
							      ? LLVMGetCalledValue(i)
							      : NULL;
				size_t bytes;
				enum outside_use use;

				if (!callee || !LLVMIsAFunction(callee))
					continue;
				use = outside_use(LLVMGetValueName2(callee, &bytes));
				if (use >= OUTSIDE_LOCK && use <= OUTSIDE_TRY_SHARED)
					vec_push(&f->acquisitions, a);
			}
	}
}

static struct state *new_states(struct flow *f, size_t n)
{
	struct state *all = xcalloc(n + 1, sizeof(*all));

	for (size_t i = 0; i < n; i++)
		all[i] = state_new(f);
	return all;
}

void flow_init(struct flow *f, struct whole *w)
{
	size_t threads = w->threads.count;

	*f = (struct flow){.w = w, .thread_words = threads / 64 + 1};
	find_acquisitions(f);
	f->may_words = f->acquisitions.count / 64 + 1;
	f->entry = new_states(f, w->bodies.count);
	f->leave = new_states(f, w->bodies.count);
	f->end = new_states(f, threads);
	f->made = new_states(f, threads);
	f->queued = xcalloc(w->bodies.count + 1, sizeof(bool));
	f->below = xcalloc(threads + 1, sizeof(*f->below));
	for (uint32_t t = 0; t < threads; t++) {
		f->below[t] = xcalloc(f->thread_words, sizeof(uint64_t));
		for (uint32_t k = 0; k < threads; k++)
			if (is_above(w, t, k))
				set_bit(f->below[t], k);
	}
	f->loops = loops_new(f);
}

static void free_states(struct state *all, size_t n)
{
	for (size_t i = 0; i < n; i++)
		state_free(&all[i]);
	free(all);
}

void flow_fini(struct flow *f)
{
	free_states(f->entry, f->w->bodies.count);
	free_states(f->leave, f->w->bodies.count);
	free_states(f->end, f->w->threads.count);
	free_states(f->made, f->w->threads.count);
	for (uint32_t t = 0; t < f->w->threads.count; t++)
		free(f->below[t]);
	for (size_t i = 0; i < f->snapshots.count; i++)
		state_free(&f->snapshots.items[i]);
	free(f->below);
	free(f->queued);
	vec_free(&f->queue);
	vec_free(&f->tokens);
	vec_free(&f->acquisitions);
	vec_free(&f->snapshots);
	vec_free(&f->accesses);
	vec_free(&f->taken);
	loops_free(f->loops);
}

static void run(struct flow *f)
{
	struct state start = state_new(f);

	start.reached = true;
	/* Code that is not understood may be running from the start. */
	if (f->w->foreign != WHOLE_NONE) {
		add_thread(f, &start, f->w->foreign);
		state_join(f, &f->made[f->w->foreign], &start);
		enter(f, f->w->threads.items[f->w->foreign].root, &start);
	}
	enter(f, f->w->threads.items[0].root, &start);
	while (f->queue.count && !f->stopped) {
		uint32_t body = vec_pop(&f->queue);

		f->queued[body] = false;
		solve_body(f, body);
		f->stopped = limit_reached(&f->w->limit) != LIMIT_NONE;
	}
	state_free(&start);
}

static void start_again(struct flow *f)
{
	struct whole *w = f->w;

	free_states(f->entry, w->bodies.count);
	free_states(f->leave, w->bodies.count);
	free_states(f->end, w->threads.count);
	free_states(f->made, w->threads.count);
	f->entry = new_states(f, w->bodies.count);
	f->leave = new_states(f, w->bodies.count);
	f->end = new_states(f, w->threads.count);
	f->made = new_states(f, w->threads.count);
}

static void collect(struct flow *f)
{
	f->collecting = true;
	for (uint32_t b = 0; b < f->w->bodies.count && !f->stopped; b++)
		if (f->entry[b].reached)
			solve_body(f, b);
	f->collecting = false;
}

static void uncollect(struct flow *f)
{
	for (size_t i = 0; i < f->snapshots.count; i++)
		state_free(&f->snapshots.items[i]);
	vec_clear(&f->snapshots);
	vec_clear(&f->accesses);
	vec_clear(&f->taken);
}

void flow_solve(struct flow *f)
{
	run(f);
	collect(f);
	/* Loops that were taken to join everything, and do not: without them. */
	while (!f->stopped && !loops_hold(f->loops, f)) {
		uncollect(f);
		start_again(f);
		run(f);
		collect(f);
	}
	if (f->stopped)
		whole_note(f->w, "limit", "time was up before all was looked at", NULL);
}

bool flow_beside_itself(const struct flow *f, uint32_t thread)
{
	const struct whole *w = f->w;

	for (uint32_t t = thread; t != WHOLE_NONE && t != 0; t = w->threads.items[t].parent)
		if (w->threads.items[t].kind == THREAD_HANDLER || flow_bit(f->made[t].running, t))
			return true;
	return false;
}

/* The ancestor of thread whose parent is above. */
static uint32_t child_on_way(const struct whole *w, uint32_t above, uint32_t thread)
{
	while (w->threads.items[thread].parent != above)
		thread = w->threads.items[thread].parent;
	return thread;
}

bool flow_beside(const struct flow *f, const struct access *a, const struct access *b)
{
	const struct whole *w = f->w;
	uint32_t x = w->bodies.items[a->body].thread, y = w->bodies.items[b->body].thread, common;

	for (common = x; !is_above(w, common, y); common = w->threads.items[common].parent)
		continue;
	if (flow_beside_itself(f, common))
		return true;
	if (x == y)
		return false;
	if (common == x)
		return flow_bit(f->snapshots.items[a->state].running, y);
	if (common == y)
		return flow_bit(f->snapshots.items[b->state].running, x);
	return flow_bit(f->made[child_on_way(w, common, x)].running, y) ||
	       flow_bit(f->made[child_on_way(w, common, y)].running, x);
}
