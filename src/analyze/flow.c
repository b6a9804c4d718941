#include "analyze/flow.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "analyze/collect.h"
#include "analyze/loops.h"
#include "analyze/outside.h"
#include "analyze/state.h"
#include "analyze/steps.h"

/* ---- one body ---- */

static void step(struct flow *f, uint32_t body, LLVMValueRef i, struct state *s)
{
	if (f->collecting)
		collect_accesses(f, body, i, s);
	if (LLVMIsACallInst(i) || LLVMIsAInvokeInst(i) || LLVMIsACallBrInst(i))
		steps_call(f, body, i, s);
	if (LLVMIsAReturnInst(i)) {
		const struct whole *w = f->w;
		uint32_t thread = w->bodies.items[body].thread;

		if (state_join(f, &f->leave[body], s))
			for (size_t k = 0; k < w->bodies.items[body].callers.count; k++)
				steps_queue(f, w->bodies.items[body].callers.items[k].body);
		if (w->threads.items[thread].root == body)
			steps_thread_ends(f, thread, s);
	}
}

/* Values that are computed here may be others than the last time. */
static void forget(struct flow *f, uint32_t body, LLVMValueRef i, struct state *s)
{
	if (s->count)
		state_forget(f, s, body, i);
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
		steps_branched(f, body, end, i, &to);
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

			steps_enter(f, l.body, s);
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
			if (steps_is_above(w, t, k))
				f->below[t][k / 64] |= UINT64_C(1) << (k % 64);
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
		steps_add_thread(f, &start, f->w->foreign);
		state_join(f, &f->made[f->w->foreign], &start);
		steps_enter(f, f->w->threads.items[f->w->foreign].root, &start);
	}
	steps_enter(f, f->w->threads.items[0].root, &start);
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

	for (common = x; !steps_is_above(w, common, y); common = w->threads.items[common].parent)
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
