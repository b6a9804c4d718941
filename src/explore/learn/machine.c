#include "explore/learn/machine_priv.h"

#include <assert.h>
#include <stdlib.h>

/* Room for what turns up while a search is on its way; beyond it the search begins anew. */
static uint32_t with_room(size_t n)
{
	return (uint32_t)(n + n / 4 + 4);
}

void machine_init(struct machine *m, struct learn *l, unsigned model)
{
	m->l = l;
	m->model = model;
	m->threads = with_room(l->threads.count);
	m->objects = with_room(l->objects.count);
	m->syncs = with_room(l->syncs);
	m->memory = (uint32_t)(l->memory.count + 7) & ~7u;
	m->sync_at = m->threads * sizeof(struct machine_thread);
	m->life_at = m->sync_at + m->syncs * sizeof(struct machine_sync);
	m->memory_at = (m->life_at + m->objects + 7) & ~(size_t)7;
	m->buffer_at = m->memory_at + m->memory;
	m->tail_at = m->buffer_at;
	if (wire_model_buffers(model))
		m->tail_at += m->threads * sizeof(struct machine_buffer);
	m->bytes = m->tail_at + sizeof(struct machine_tail) + m->threads * sizeof(uint16_t);
	m->bytes = (m->bytes + 15) & ~(size_t)15;
	assert(machine_fits(m) && m->memory_at % 8 == 0 && m->buffer_at % 8 == 0);
	assert(m->threads <= UINT16_MAX); /* actions say threads in so many bits */
}

bool machine_fits(const struct machine *m)
{
	return m->l->threads.count <= m->threads && m->l->objects.count <= m->objects &&
	       m->l->syncs <= m->syncs && m->l->memory.count <= m->memory;
}

void machine_birth(const struct machine *m, machine_config *c, uint32_t t)
{
	struct machine_thread *x = machine_thread(m, c, t);
	struct machine_tail *tail = machine_tail(m, c);

	assert(x->state == MACHINE_UNBORN && tail->created < m->threads);
	*x = (struct machine_thread){.node = m->l->threads.items[t].root, .state = MACHINE_LIVE};
	tail->tid[t] = (uint16_t)tail->created++;
}

void machine_begin(const struct machine *m, machine_config *c)
{
	memset(c, 0, m->bytes);
	if (m->l->memory.count)
		memcpy(c + m->memory_at, m->l->memory.items, m->l->memory.count);
	for (uint32_t i = 0; i < m->l->objects.count; i++) {
		const struct learn_object *o = &m->l->objects.items[i];

		if (o->kind == LEARN_SEMAPHORE)
			machine_sync(m, c, i)->sem.tokens = o->first;
		else if (o->kind == LEARN_BARRIER)
			machine_sync(m, c, i)->barrier.limit = o->first;
		else if (o->kind == LEARN_ONCE_FLAG)
			machine_sync(m, c, i)->once.state = o->first;
		if (o->unborn)
			c[m->life_at + i] = MACHINE_DESTROYED;
	}
	machine_birth(m, c, 0);
}

/* How far the thread comes in a step of several parts, and what it finds where it is stuck. */
static uint64_t glued_question(const struct machine *m, machine_config *c,
			       const struct machine_action *a)
{
	machine_config *copy = xmalloc(m->bytes);
	const struct machine_thread *x = machine_thread(m, copy, a->thread);
	const struct learn_step *s;
	uint64_t h;

	memcpy(copy, c, m->bytes);
	machine_do(m, copy, a);
	s = machine_step(m, copy, a->thread);
	h = intern_hash(x->node, x->pos);
	if (s && (s->flags & LEARN_GLUED) && learn_reads(s))
		h = intern_hash(h, machine_outcome(m, copy, a->thread, s));
	free(copy);
	return h;
}

uint64_t machine_question(const struct machine *m, machine_config *c,
			  const struct machine_action *a)
{
	const struct machine_thread *x = machine_thread(m, c, a->thread);
	const struct learn_step *s = machine_step(m, c, a->thread);
	uint64_t h = intern_hash(x->node, x->pos);

	assert(s);
	if (learn_reads(s))
		h = intern_hash(h, a->kind == MACHINE_EXPIRE ? 1 : machine_outcome(m, c, a->thread, s));
	if (s->flags & LEARN_LEADS)
		h = intern_hash(h, glued_question(m, c, a));
	return intern_hash(h, a->kind);
}

unsigned machine_path(const struct machine *m, machine_config *c, const struct machine_action *a,
		      struct wire_choice out[2])
{
	uint16_t tid = machine_tail(m, c)->tid[a->thread];
	const struct learn_step *s;
	unsigned n = 0;

	if (a->kind == MACHINE_FLUSH) {
		uint32_t tix = machine_buffer(m, c, a->thread)->stores[a->arg].store.tix;

		assert(a->arg < machine_buffer(m, c, a->thread)->count);
		out[0] = (struct wire_choice){CHOICE_COMMIT, 0, tid, tix};
		return 1;
	}
	s = machine_step(m, c, a->thread);
	assert(s && tid < machine_tail(m, c)->created);
	if (a->kind == MACHINE_SPURIOUS) {
		out[n++] = (struct wire_choice){CHOICE_SPURIOUS, 0, tid, 0};
		/* A sleeper only wakes up; what is weak fails. */
		if (s->op == LEARN_RMW)
			out[n++] = (struct wire_choice){CHOICE_UNTIL, 0, tid, s->tix};
		return n;
	}
	if (machine_ways(m, c, a->thread) > 1)
		out[n++] = (struct wire_choice){CHOICE_PICK, 0, tid, a->arg};
	out[n++] = (struct wire_choice){CHOICE_UNTIL, 0, tid, s->tix};
	return n;
}

/* ---- hashes ---- */

static void mix(uint64_t h[2], const void *bytes, size_t n)
{
	const unsigned char *p = bytes;

	for (size_t i = 0; i < n; i += 8) {
		uint64_t word = 0;

		memcpy(&word, p + i, n - i < 8 ? n - i : 8);
		h[0] = (h[0] ^ word) * UINT64_C(0x9e3779b97f4a7c15);
		h[0] ^= h[0] >> 32;
		h[1] = (h[1] + word) * UINT64_C(0xd6e8feb86659fd93);
		h[1] ^= h[1] >> 29;
	}
}

void machine_hash(const struct machine *m, machine_config *c, uint64_t out[2])
{
	out[0] = 1;
	out[1] = 2;
	mix(out, c, m->buffer_at);
	if (!wire_model_buffers(m->model))
		return;
	for (uint32_t t = 0; t < m->l->threads.count; t++) {
		const struct machine_buffer *b = machine_buffer(m, c, t);

		mix(out, b, offsetof(struct machine_buffer, stores));
		mix(out, b->stores, b->count * sizeof(b->stores[0]));
	}
}

uint64_t machine_state_hash(const struct machine *m, machine_config *c)
{
	uint64_t h[2] = {3, 4};

	for (uint32_t t = 0; t < m->l->threads.count; t++)
		mix(h, &machine_thread(m, c, t)->node, sizeof(uint32_t));
	return h[0];
}
