/* Calls: frames, what is passed to them, and models of functions that are not executed. */
#include "symex/machine/machine.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STACK (UINT64_C(64) << 20) /* of a thread */

static void make_room(struct machine_thread *t, size_t words)
{
	size_t room = t->room;

	if (words <= room)
		return;
	while (room < words)
		room *= 2;
	t->regs = xrealloc(t->regs, room, sizeof(*t->regs));
	t->exprs = xrealloc(t->exprs, room, sizeof(*t->exprs));
	memset(t->exprs + t->room, 0, (room - t->room) * sizeof(*t->exprs));
	t->room = room;
}

uint64_t machine_alloca(struct machine *m, struct machine_thread *t, uint64_t bytes, unsigned log)
{
	uint64_t align = UINT64_C(1) << (log < 3 ? 3 : log), base;

	base = (t->sp + align - 1) & ~(align - 1);
	if (bytes > MAX_STACK || base - machine_region(ADDR_STACK, t->tid) > MAX_STACK) {
		machine_end(m, t, SYMEX_END_LIMIT, t->last_site, "more stack than is executed");
		bytes = 0;
	}
	/* A word between neighbours, so that no address belongs to two. */
	t->sp = base + bytes + 8;
	mem_map(t->space, base, bytes + 8);
	vec_push(&t->locals, ((struct machine_local){base, bytes, m->serial++}));
	return base;
}

static uint32_t top_of(const struct machine_thread *t)
{
	const struct machine_frame *f;

	if (!t->frames.count)
		return 0;
	f = &vec_last(&t->frames);
	return f->base + f->code->slots;
}

static struct machine_frame *push_frame(struct machine *m, struct machine_thread *t,
					struct program_function *f)
{
	struct code *code = f->code ? f->code : program_compile(m->p, f);
	struct machine_frame frame = {.code = code,
				      .base = top_of(t),
				      .sp = t->sp,
				      .locals = (uint32_t)t->locals.count,
				      .model = (uint32_t)t->models.count};

	make_room(t, frame.base + code->slots);
	if (m->symbolic)
		memset(t->exprs + frame.base, 0, code->slots * sizeof(*t->exprs));
	memcpy(t->regs + frame.base + code->consts_at, code->consts.items,
	       code->consts.count * sizeof(uint64_t));
	vec_push(&t->frames, frame);
	if (t->frames.count > 100000)
		machine_fail(m, t, FAILURE_SIGNAL, t->last_site, t->sp, "the stack is used up");
	return &vec_last(&t->frames);
}

static void copy_word(struct machine_thread *t, uint32_t to, uint32_t from)
{
	t->regs[to] = t->regs[from];
	t->exprs[to] = t->exprs[from];
}

/* Where the machine would leave the arguments that have no name. */
static void pass_more(struct machine *m, struct machine_thread *t, struct machine_frame *f,
		      const struct code_call *c, uint32_t base)
{
	uint32_t ints = f->code->ints, reals = f->code->reals;
	uint64_t more;

	f->va_regs = machine_alloca(m, t, 176, 4);
	f->va_more = more = machine_alloca(m, t, 16 * (c->count + 1u) + 4096, 4);
	for (unsigned i = c->fixed; i < c->count; i++) {
		const struct code_arg *a = &c->args[i];
		uint64_t at, step = a->bytes ? (a->bytes + 7) & ~7u : 8u * a->words;

		if (a->bytes) {
			if (a->align > 8)
				more = (more + a->align - 1) & ~(uint64_t)(a->align - 1);
			(void)mem_move(t->space, more, t->regs[base + a->slot], a->bytes);
			more += step;
			continue;
		}
		if (a->class == CODE_REAL && reals < 8) {
			at = f->va_regs + 48 + 16 * reals++;
		} else if (a->class == CODE_INTEGER && ints + a->words <= 6) {
			at = f->va_regs + 8 * ints;
			ints += a->words;
		} else {
			if (a->words > 1)
				more = (more + 15) & ~UINT64_C(15);
			at = more;
			more += a->words > 1 ? 16 : step;
		}
		for (uint32_t w = 0; w < a->words; w++)
			(void)mem_store(t->space, at + 8 * w, 8, t->regs[base + a->slot + w],
					t->exprs[base + a->slot + w]
						? expr_resize(m->pool, t->exprs[base + a->slot + w],
							      64, false)
						: EXPR_NONE);
	}
}

void machine_call(struct machine *m, struct machine_thread *t, struct program_function *function,
		  const struct code_call *c, uint32_t base)
{
	struct machine_frame *f = push_frame(m, t, function);
	uint32_t word = 0;

	f->call = c;
	for (unsigned i = 0; i < c->count && i < c->fixed; i++) {
		const struct code_arg *a = &c->args[i];
		uint32_t to = f->base + word;

		for (uint32_t w = 0; w < a->words && word < f->code->param_words; w++, word++)
			copy_word(t, f->base + word, base + a->slot + w);
		if (a->bytes && to < f->base + f->code->param_words) {
			unsigned log = 0;

			while (1u << log < a->align)
				log++;
			t->regs[to] = machine_alloca(m, t, a->bytes, log);
			(void)mem_move(t->space, t->regs[to], t->regs[base + a->slot], a->bytes);
		}
	}
	if (c->variadic)
		pass_more(m, t, f, c, base);
}

static void pop_frame(struct machine_thread *t)
{
	struct machine_frame f = vec_pop(&t->frames);

	t->sp = f.sp;
	t->locals.count = f.locals;
}

void machine_return(struct machine *m, struct machine_thread *t, const uint64_t *words,
		    const expr_id *exprs, uint32_t count)
{
	const struct code_call *c = vec_last(&t->frames).call;
	uint32_t to;

	if (!c) {
		struct library_call *k = &vec_last(&t->models);

		k->returned = count ? words[0] : 0;
		k->returned_expr = count ? exprs[0] : EXPR_NONE;
		pop_frame(t);
		return;
	}
	pop_frame(t);
	assert(t->frames.count);
	to = vec_last(&t->frames).base + c->result;
	for (uint32_t w = 0; w < count && w < c->result_words; w++) {
		t->regs[to + w] = words[w];
		t->exprs[to + w] = m->symbolic ? exprs[w] : EXPR_NONE;
	}
}

void machine_callback(struct machine *m, struct machine_thread *t, uint64_t callee,
		      const uint64_t *args, unsigned count)
{
	struct program_function *f = program_function_at(m->p, callee);
	struct machine_frame *frame;

	if (!f) {
		machine_fail(m, t, FAILURE_SIGNAL, t->last_site, callee, "call of address 0x%llx",
			     (unsigned long long)callee);
		return;
	}
	if (!f->value) {
		struct library_call k = {.t = t, .f = f, .site = SYMEX_NONE, .count = count};

		memcpy(k.arg, args, count * sizeof(*args));
		vec_push(&t->models, k);
		return;
	}
	frame = push_frame(m, t, f);
	for (unsigned i = 0; i < count && i < frame->code->param_words; i++) {
		t->regs[frame->base + i] = args[i];
		t->exprs[frame->base + i] = EXPR_NONE;
	}
}

/* ---- models ---- */

void machine_push_model(struct machine *m, struct machine_thread *t, struct program_function *f,
			const struct code_call *c, uint32_t base)
{
	struct library_call k = {.t = t, .c = c, .f = f, .site = c->site};

	for (unsigned i = 0; i < c->count && k.count < MACHINE_ARGS; i++) {
		const struct code_arg *a = &c->args[i];

		k.arg[k.count] = t->regs[base + a->slot];
		k.expr[k.count] = m->symbolic ? t->exprs[base + a->slot] : EXPR_NONE;
		k.count++;
	}
	vec_push(&t->models, k);
}

/* The model is through: its result goes where the call wants it. */
static void finish_model(struct machine *m, struct machine_thread *t)
{
	struct library_call k = vec_pop(&t->models);
	uint32_t to;
	expr_value value;

	free(k.data);
	if (!k.c) {
		struct library_call *below;

		if (!t->models.count)
			return;
		below = &vec_last(&t->models);
		below->returned = k.result;
		below->returned_expr = k.result_expr;
		return;
	}
	if (!k.c->result_words || !t->frames.count)
		return;
	to = vec_last(&t->frames).base + k.c->result;
	if (k.result_expr && expr_is_const(m->pool, k.result_expr, &value)) {
		k.result = (uint64_t)value;
		k.result_expr = EXPR_NONE;
	}
	t->regs[to] = k.c->result_width < 64 && k.c->result_words == 1
			      ? k.result & (~UINT64_C(0) >> (64 - k.c->result_width))
			      : k.result;
	t->exprs[to] = k.result_expr;
	if (k.result_expr && expr_width(m->pool, k.result_expr) != k.c->result_width)
		t->exprs[to] = expr_resize(m->pool, k.result_expr, k.c->result_width, false);
	if (k.c->result_words > 1) {
		t->regs[to + 1] = k.result_high;
		t->exprs[to + 1] = EXPR_NONE;
	}
}

void machine_model(struct machine *m, struct machine_thread *t)
{
	struct library_call *volatile k = &vec_last(&t->models);
	enum library_result result;
	const size_t depth = t->models.count;
	jmp_buf escape, *const outer = m->escape;

	m->escape = &escape;
	if (setjmp(escape)) {
		m->escape = outer;
		assert(t->state == THREAD_OVER);
		return;
	}
	result = k->f->library ? k->f->library(m, k) : m->outside(m, k);
	m->escape = outer;
	if (t->state == THREAD_OVER || result == LIBRARY_END || t->models.count != depth)
		return;
	/* The vector may have moved. */
	k = &vec_last(&t->models);
	if (result == LIBRARY_CALL)
		machine_callback(m, t, k->callee, k->callee_arg, k->callee_count);
	else if (result == LIBRARY_DONE)
		finish_model(m, t);
}
