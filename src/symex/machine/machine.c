/* Threads, frames and models of the machine. */
#include "symex/machine/machine.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "symex/machine/sharing.h"
#include "wire/ctl.h"
#include "wire/hidden.h"

#define STACK_BEGIN 4096
#define MAX_STACK (UINT64_C(64) << 20) /* of a thread */

static uint64_t region(uint64_t base, uint32_t tid)
{
	if (base == ADDR_STACK && tid == 0)
		return ADDR_STACK_MAIN;
	return base + ((uint64_t)tid << ADDR_THREAD_SHIFT);
}

struct machine *machine_new(struct symex_program *p, const struct symex_options *o,
			    struct symex_trace *trace)
{
	struct machine *m = xcalloc(1, sizeof(*m));

	m->p = p;
	m->o = o;
	m->trace = trace;
	m->pool = trace->pool;
	m->buffered = o->buffered;
	m->wanted = xcalloc(p->units.count, sizeof(*m->wanted));
	mem_copy(&m->shared_space, &p->image);
	m->shared_space.pool = m->pool;
	m->shared_space.tracks = false;
	return m;
}

static void thread_free(struct machine *m, struct machine_thread *t)
{
	for (size_t i = 0; i < t->models.count; i++)
		free(t->models.items[i].data);
	free(t->regs);
	free(t->exprs);
	vec_free(&t->frames);
	vec_free(&t->models);
	vec_free(&t->locals);
	vec_free(&t->caught);
	vec_free(&t->keys);
	vec_free(&t->at_end);
	vec_free(&t->stores);
	if (t->space == &t->own)
		mem_fini(&t->own);
	free(t);
}

void machine_free(struct machine *m)
{
	if (!m)
		return;
	for (size_t i = 0; i < m->threads.count; i++)
		thread_free(m, m->threads.items[i]);
	for (size_t i = 0; i < m->p->units.count; i++)
		free(m->wanted[i].state);
	free(m->wanted);
	vec_free(&m->threads);
	vec_free(&m->blocks);
	vec_free(&m->objects);
	vec_free(&m->handlers);
	vec_free(&m->keys);
	vec_free(&m->jumps);
	if (m->has_first)
		mem_fini(&m->first);
	mem_fini(&m->shared_space);
	free(m);
}

bool machine_wants_slow(struct machine *m, uint32_t unit, uint32_t point)
{
	struct machine_wanted *w = &m->wanted[unit];
	uint32_t count = w->count ? w->count : 64;
	bool wanted = m->o->source.wants(m->o->source.arg, unit, point);

	while (count <= point)
		count *= 2;
	if (count != w->count) {
		w->state = xrealloc(w->state, count, 1);
		memset(w->state + w->count, 0, count - w->count);
		w->count = count;
	}
	w->state[point] = wanted ? 2 : 1;
	return wanted;
}

/* ---- threads ---- */

struct symex_thread *machine_out(struct machine *m, const struct machine_thread *t)
{
	return &m->trace->threads.items[t->tid];
}

static void begin_memory(struct machine *m, struct machine_thread *t, struct machine_thread *parent)
{
	uint64_t tls = region(ADDR_TLS, t->tid);

	if (m->one_space || !parent) {
		t->space = &m->shared_space;
	} else {
		mem_copy(&t->own, parent->space);
		t->space = &t->own;
	}
	t->sp = region(ADDR_STACK, t->tid) + STACK_BEGIN;
	t->heap = region(ADDR_HEAP, t->tid) + 16;
	mem_map(t->space, t->sp, 1 << 16);
	if (!parent)
		return;
	mem_map(t->space, tls, m->p->tls_bytes);
	for (uint64_t i = 0; i < m->p->tls_bytes; i += 8) {
		uint64_t word;
		expr_id e;

		(void)mem_load(&m->p->image, ADDR_TLS + i, 8, &word, &e);
		(void)mem_store(t->space, tls + i, 8, word, EXPR_NONE);
	}
}

struct machine_thread *machine_thread_new(struct machine *m, struct machine_thread *parent,
					  uint64_t routine, uint64_t argument)
{
	struct machine_thread *t = xcalloc(1, sizeof(*t));
	struct symex_thread out = {.end = SYMEX_END_BLOCKED};

	t->tid = (uint32_t)m->threads.count;
	t->parent = parent ? parent->tid : SYMEX_NONE;
	t->key = wire_hidden_mix(parent ? parent->key : 0, (parent ? parent->children++ : 0) + 1);
	t->at_site = t->last_site = SYMEX_NONE;
	t->room = 1 << 12;
	t->regs = xcalloc(t->room, sizeof(*t->regs));
	t->exprs = xcalloc(t->room, sizeof(*t->exprs));
	t->routine = routine;
	t->argument = argument;
	begin_memory(m, t, parent);
	out.thread = t->tid;
	out.parent = t->parent;
	out.create_tix = parent ? parent->tix : 0;
	out.routine = routine;
	out.argument = argument;
	out.site = SYMEX_NONE;
	vec_push(&m->threads, t);
	vec_push(&m->trace->threads, out);
	return t;
}

/* ---- ends ---- */

static void end(struct machine *m, struct machine_thread *t, enum symex_end how, uint32_t site,
		const char *format, va_list args)
{
	struct symex_thread *out = machine_out(m, t);

	if (t->state == THREAD_OVER)
		return;
	t->state = THREAD_OVER;
	out->end = how;
	out->site = site;
	vsnprintf(out->reason, sizeof(out->reason), format, args);
}

void machine_end(struct machine *m, struct machine_thread *t, enum symex_end how, uint32_t site,
		 const char *format, ...)
{
	va_list args;

	va_start(args, format);
	end(m, t, how, site, format, args);
	va_end(args);
}

void machine_fail(struct machine *m, struct machine_thread *t, uint8_t kind, uint32_t site,
		  uint64_t addr, const char *format, ...)
{
	struct symex_thread *out = machine_out(m, t);
	va_list args;

	if (t->state == THREAD_OVER)
		return;
	va_start(args, format);
	end(m, t, SYMEX_END_FAILED, site, format, args);
	va_end(args);
	out->failure = kind;
	out->addr = addr;
	/* What led here last is what had to hold for it to fail. */
	if (out->conditions.count)
		vec_last(&out->conditions).why = SYMEX_WHY_FAILURE;
}

void machine_escape(struct machine *m)
{
	assert(m->escape);
	longjmp(*m->escape, 1);
}

/* ---- what is recorded ---- */

static bool is_marker(enum event_kind kind)
{
	switch (kind) {
	case EVENT_BRANCH:
	case EVENT_ENTER:
	case EVENT_LEAVE:
	case EVENT_INTO:
	case EVENT_CALL:
	case EVENT_OUTSIDE:
		return true;
	default:
		return false;
	}
}

/* Whether the guest's scheduler is asked before it. */
static bool is_announced(enum event_kind kind, uint32_t aux)
{
	bool access = kind == EVENT_READ || kind == EVENT_WRITE;

	return (!is_marker(kind) || kind == EVENT_OUTSIDE) && !(access && aux & EVENT_GLUED);
}

struct symex_event *machine_event(struct machine *m, struct machine_thread *t, enum event_kind kind,
				  uint32_t site, uint64_t addr, uint64_t value, uint32_t aux)
{
	struct symex_thread *out = machine_out(m, t);
	struct symex_event e = {.addr = addr,
				.value = value,
				.site = site,
				.tix = t->tix++,
				.aux = aux,
				.thread = t->tid,
				.kind = (uint8_t)kind,
				.marker = is_marker(kind),
				.first = (uint32_t)m->trace->parts.count,
				.conditions = (uint32_t)out->conditions.count};

	if (site != SYMEX_NONE)
		t->last_site = site;
	if (is_announced(kind, aux))
		t->announced = site;
	if (e.marker && !m->o->markers) {
		m->unkept = e;
		return &m->unkept;
	}
	vec_push(&out->events, e);
	return &vec_last(&out->events);
}

void machine_condition(struct machine *m, struct machine_thread *t, expr_id e, enum symex_why why,
		       uint32_t site, uint32_t unit, uint32_t point)
{
	struct symex_thread *out = machine_out(m, t);
	struct symex_condition c = {.expr = e,
				    .thread = t->tid,
				    .event = (uint32_t)out->events.count,
				    .site = site,
				    .unit = unit,
				    .point = point,
				    .why = (uint8_t)why,
				    .between = t->between};
	expr_value value;

	if (expr_is_const(m->pool, e, &value) && value)
		return;
	vec_push(&out->conditions, c);
}

enum symex_answer machine_ask(struct machine *m, struct machine_thread *t, struct symex_question *q,
			      uint64_t *out)
{
	q->thread = t->tid;
	q->tix = t->tix;
	return m->o->source.ask ? m->o->source.ask(m->o->source.arg, q, out) : SYMEX_ANSWER_NONE;
}

expr_id machine_unknown(struct machine *m, struct machine_thread *t, unsigned width)
{
	struct symex_read r = {.thread = t->tid,
			       .event = (uint32_t)machine_out(m, t)->events.count,
			       .part = SYMEX_NONE};

	vec_push(&m->trace->reads, r);
	m->symbolic = true;
	return expr_read(m->pool, (uint32_t)m->trace->reads.count - 1, width);
}

void machine_note(struct machine *m, struct machine_thread *t, const char *name, uint32_t site)
{
	struct symex_note n = {.thread = t->tid, .site = site};

	for (size_t i = 0; i < m->trace->notes.count; i++)
		if (!strncmp(m->trace->notes.items[i].name, name, sizeof(n.name) - 1))
			return;
	snprintf(n.name, sizeof(n.name), "%s", name);
	vec_push(&m->trace->notes, n);
}

/* ---- frames ---- */

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
	if (bytes > MAX_STACK || base - region(ADDR_STACK, t->tid) > MAX_STACK) {
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
