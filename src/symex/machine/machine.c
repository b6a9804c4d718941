/* The machine and its threads: made, ended, what they record. */
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

uint64_t machine_region(uint64_t base, uint32_t tid)
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
	uint64_t tls = machine_region(ADDR_TLS, t->tid);

	if (m->one_space || !parent) {
		t->space = &m->shared_space;
	} else {
		mem_copy(&t->own, parent->space);
		t->space = &t->own;
	}
	t->sp = machine_region(ADDR_STACK, t->tid) + STACK_BEGIN;
	t->heap = machine_region(ADDR_HEAP, t->tid) + 16;
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
