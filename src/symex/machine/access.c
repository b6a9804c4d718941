/* Reads and writes with their parts; where memory is shared, what is read is unknown. */
#include "symex/machine/access.h"

#include <assert.h>
#include <string.h>

static struct symex_part *add_part(struct machine *m, struct symex_event *e, uint64_t addr,
				   uint32_t bytes)
{
	struct symex_part p = {.addr = addr, .size = bytes, .read = SYMEX_NONE};

	if (!e->count)
		e->first = (uint32_t)m->trace->parts.count;
	assert(e->first + e->count == m->trace->parts.count);
	vec_push(&m->trace->parts, p);
	e->count++;
	return &vec_last(&m->trace->parts);
}

static void read_shared(struct machine *m, struct machine_thread *t, struct symex_part *p,
			struct symex_event *e, uint64_t *value, expr_id *expr)
{
	struct symex_question q = {.ask = SYMEX_ASK_READ,
				   .site = e->site,
				   .addr = p->addr,
				   .size = p->size,
				   .kind = (enum event_kind)e->kind};
	struct symex_read r = {.thread = t->tid,
			       .event = e->tix,
			       .part = (uint32_t)m->trace->parts.count - 1,
			       .addr = p->addr,
			       .size = p->size};

	e->shared = true;
	p->reads = true;
	p->read = (uint32_t)m->trace->reads.count;
	vec_push(&m->trace->reads, r);
	*expr = EXPR_NONE;
	if (machine_ask(m, t, &q, value) == SYMEX_ANSWER_IS) {
		p->seen = *value;
		return;
	}
	*value = 0;
	*expr = expr_read(m->pool, p->read, p->size * 8);
	m->symbolic = true;
}

/* A thread sees its own stores before they are in memory. */
static void forward(const struct machine_store *s, uint64_t addr, uint32_t bytes, uint64_t *value)
{
	for (uint32_t i = 0; i < s->bytes; i++) {
		uint64_t at = s->addr + i - addr;

		if (at >= bytes)
			continue;
		*value &= ~(UINT64_C(0xff) << 8 * at);
		*value |= (s->value >> 8 * i & 0xff) << 8 * at;
	}
}

void machine_drain(struct machine *m, struct machine_thread *t)
{
	if (m->buffered)
		machine_event(m, t, EVENT_DRAIN, SYMEX_NONE, 0, 0, 0);
}

bool machine_commit(struct machine *m, uint32_t tid, uint32_t tix)
{
	struct machine_thread *t = m->threads.items[tid];

	for (size_t i = 0; i < t->stores.count; i++) {
		struct machine_store s = t->stores.items[i];

		if (s.tix != tix)
			continue;
		(void)mem_store(t->space, s.addr, s.bytes, s.value, EXPR_NONE);
		memmove(&t->stores.items[i], &t->stores.items[i + 1],
			(t->stores.count - i - 1) * sizeof(s));
		t->stores.count--;
		return true;
	}
	return false;
}

void access_read(struct machine *m, struct machine_thread *t, struct symex_event *e, uint64_t addr,
		 uint32_t bytes, uint64_t *value, expr_id *expr)
{
	struct symex_part *p = add_part(m, e, addr, bytes);

	if (machine_shared(m, t, addr, bytes, false)) {
		read_shared(m, t, p, e, value, expr);
	} else {
		bool there = mem_load(t->space, addr, bytes, value, expr);

		for (size_t i = 0; i < t->stores.count; i++)
			forward(&t->stores.items[i], addr, bytes, value);

		assert(there);
		(void)there;
		p->reads = true;
		p->seen = *value;
	}
	e->value = *value;
	e->value_expr = *expr;
}

void access_write(struct machine *m, struct machine_thread *t, struct symex_event *e, uint64_t addr,
		  uint32_t bytes, uint64_t value, expr_id expr)
{
	/* The part of a read-modify-write is one. */
	struct symex_part *p =
		e->count && m->trace->parts.items[e->first + e->count - 1].addr == addr
			? &vec_last(&m->trace->parts)
			: add_part(m, e, addr, bytes);

	if (bytes < 8)
		value &= ~UINT64_C(0) >> (64 - 8 * bytes);
	p->writes = true;
	p->value = value;
	p->expr = expr;
	e->shared |= machine_shared(m, t, addr, bytes, true);
	if (e->kind == EVENT_ISSUE && m->one_space)
		vec_push(&t->stores, ((struct machine_store){addr, value, bytes, e->tix}));
	else
		(void)mem_store(t->space, addr, bytes, value, expr);
	e->value = value;
	e->value_expr = expr;
}

#define LARGE 4096

/* Pieces that lie in one word each. */
static uint32_t piece(uint64_t addr, uint64_t left)
{
	uint32_t room = 8 - (uint32_t)(addr % 8);

	return left < room ? (uint32_t)left : room;
}

void access_read_range(struct machine *m, struct machine_thread *t, struct symex_event *e,
		       uint64_t addr, uint64_t bytes)
{
	uint64_t value;
	expr_id expr;

	/* Nobody looks at every byte of what is large. */
	if (m->one_space && bytes > LARGE) {
		e->value = bytes;
		return;
	}
	for (uint64_t at = 0; at < bytes;) {
		uint32_t n = piece(addr + at, bytes - at);

		access_read(m, t, e, addr + at, n, &value, &expr);
		/* What was read is what the thread knows of the place. */
		if (vec_last(&m->trace->parts).read != SYMEX_NONE)
			(void)mem_store(t->space, addr + at, n, value, expr);
		at += n;
	}
	e->value = bytes;
	e->value_expr = EXPR_NONE;
}

void access_write_range(struct machine *m, struct machine_thread *t, struct symex_event *e,
			uint64_t addr, uint64_t bytes)
{
	uint64_t value;
	expr_id expr;

	if (m->one_space && bytes > LARGE) {
		e->value = bytes;
		return;
	}
	for (uint64_t at = 0; at < bytes;) {
		uint32_t n = piece(addr + at, bytes - at);
		struct symex_part *p = add_part(m, e, addr + at, n);

		(void)mem_load(t->space, addr + at, n, &value, &expr);
		p->writes = true;
		p->value = value;
		p->expr = expr;
		e->shared |= machine_shared(m, t, addr + at, n, true);
		at += n;
	}
	e->value = bytes;
}
