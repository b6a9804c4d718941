/* What actions do to a configuration: see machine.h. */
#include "explore/learn/machine_priv.h"

#include <assert.h>
#include <stdlib.h>

/* Whether one of the objects that a range of memory lies in was given back. */
static bool touches_freed(const struct machine *m, machine_config *c, const struct learn_step *s)
{
	const uint32_t *o = intern_elements(&m->l->sets, s->objects);

	for (uint32_t i = 0; s->objects && i < intern_count(&m->l->sets, s->objects); i++)
		if (c[m->life_at + o[i]] != MACHINE_ALIVE)
			return true;
	return false;
}

static void set_life(const struct machine *m, machine_config *c, const struct learn_step *s,
		     enum machine_life life)
{
	const uint32_t *o = intern_elements(&m->l->sets, s->objects);

	for (uint32_t i = 0; i < intern_count(&m->l->sets, s->objects); i++)
		c[m->life_at + o[i]] = (unsigned char)life;
}

static void issue(const struct machine *m, machine_config *c, uint32_t t,
		  const struct learn_step *s)
{
	struct machine_buffer *b = machine_buffer(m, c, t);

	if ((s->flags & LEARN_EPOCH) && wire_model_reorders(m->model))
		b->epoch = rule_store_epoch(b->epoch, b->count);
	assert(wire_model_buffers(m->model) && b->count < MACHINE_STORES);
	b->stores[b->count++] = (struct machine_store){.store = {.at = s->offset,
								 .value = s->value,
								 .tix = s->tix,
								 .size = s->size,
								 .epoch = (uint16_t)b->epoch},
						       .classes = s->classes};
}

static void flush(const struct machine *m, machine_config *c, uint32_t t, uint32_t store)
{
	struct machine_buffer *b = machine_buffer(m, c, t);
	struct rule_store s = b->stores[store].store;

	assert(machine_flushable(m, c, t, store));
	assert(s.at + s.size <= m->memory && s.size <= sizeof(s.value));
	memcpy(c + m->memory_at + s.at, &s.value, s.size);
	memmove(&b->stores[store], &b->stores[store + 1],
		(b->count - store - 1) * sizeof(b->stores[0]));
	b->count--;
	/* Epochs count from the oldest store, so that equal buffers are equal bytes. */
	s.epoch = b->count ? b->stores[0].store.epoch : (uint16_t)b->epoch;
	for (uint32_t i = 0; i < b->count; i++)
		b->stores[i].store.epoch = (uint16_t)(b->stores[i].store.epoch - s.epoch);
	assert(b->epoch >= s.epoch);
	b->epoch -= s.epoch;
	memset(&b->stores[b->count], 0, sizeof(b->stores[0]));
}

/* The effect of a read that depends on what it found, which the tree knows. */
static void take_effect(const struct machine *m, machine_config *c, uint32_t t,
			const struct learn_step *s, const struct learn_node *n)
{
	assert(n->known);
	if (s->op == LEARN_RMW && n->writes)
		memcpy(c + m->memory_at + s->offset, &n->written, s->size);
	if (s->op == LEARN_RMW && n->writes && s->weak)
		machine_thread(m, c, t)->for_nothing = 0;
	else if (s->object != LEARN_NONE && m->l->objects.items[s->object].kind != LEARN_MEMORY)
		machine_attempt(m, c, t, s, n);
}

static void note_access(const struct machine *m, machine_config *c, const struct learn_step *s,
			struct machine_accesses *seen)
{
	struct machine_access x = {.step = s, .offset = s->offset, .bytes = s->size};

	if (!seen)
		return;
	switch (s->op) {
	case LEARN_READ:
		break;
	case LEARN_WRITE:
	case LEARN_RMW:
		x.writes = true;
		break;
	case LEARN_READ_BYTES:
	case LEARN_WRITE_BYTES:
		x.bytes = (uint32_t)s->value;
		x.writes = s->op == LEARN_WRITE_BYTES;
		break;
	case LEARN_READ_STRING:
		x.bytes = machine_string(m, c, s);
		break;
	default:
		return;
	}
	assert(x.offset + x.bytes <= m->memory);
	vec_push(seen, x);
}

static enum machine_result do_memory(const struct machine *m, machine_config *c, uint32_t t,
				     const struct learn_step *s)
{
	assert(s->op != LEARN_WRITE || s->offset + s->size <= m->memory);
	assert(s->op != LEARN_WRITE_BYTES || s->offset + s->value <= m->memory);
	assert(s->op != LEARN_WRITE_BYTES || s->data + s->value <= m->l->data.count);
	switch (s->op) {
	case LEARN_WRITE:
		if (!wire_model_buffers(m->model) || (s->flags & LEARN_THROUGH))
			memcpy(c + m->memory_at + s->offset, &s->value, s->size);
		else
			issue(m, c, t, s);
		break;
	case LEARN_WRITE_BYTES:
		memcpy(c + m->memory_at + s->offset, m->l->data.items + s->data, s->value);
		break;
	case LEARN_RELEASE:
		if (wire_model_reorders(m->model))
			machine_buffer(m, c, t)->epoch = rule_store_epoch(
				machine_buffer(m, c, t)->epoch, machine_buffer(m, c, t)->count);
		break;
	case LEARN_FREE:
		set_life(m, c, s, MACHINE_FREED);
		break;
	case LEARN_RETURN:
		set_life(m, c, s, MACHINE_FREED);
		break;
	case LEARN_ENTER:
		set_life(m, c, s, MACHINE_ALIVE);
		break;
	case LEARN_ALLOC:
		set_life(m, c, s, MACHINE_ALIVE);
		memset(c + m->memory_at + s->offset, 0, s->value);
		break;
	default:
		break;
	}
	return MACHINE_DONE;
}

/* Whether the guest lets nobody else go between the thread's last step and this one. */
static bool is_quiet(const struct machine *m, machine_config *c, uint32_t t,
		     const struct learn_step *s)
{
	const struct machine_thread *x = machine_thread(m, c, t);

	if (s->flags & LEARN_GLUED)
		return true;
	switch (s->op) {
	case LEARN_ALLOC:
	case LEARN_RETURN:
	case LEARN_ENTER:
	case LEARN_RELEASE:
		return true;
	case LEARN_FENCE:
		return (s->flags & LEARN_QUIET) &&
		       (!wire_model_buffers(m->model) || !machine_buffer(m, c, t)->count);
	case LEARN_LEAVE: /* who completes a barrier goes on at once */
		return x->pos == 0 && m->l->nodes.items[x->node].value == 1;
	default:
		return false;
	}
}

bool machine_is_misuse(const struct machine *m, machine_config *c, uint32_t t,
		       const struct learn_step *s)
{
	return s->op != LEARN_ALLOC && s->op != LEARN_RETURN && s->op != LEARN_ENTER &&
	       (touches_freed(m, c, s) || machine_misuses(m, c, t, s));
}

/* What the thread does next decides what has become of the execution. */
static enum machine_result look_ahead(const struct machine *m, machine_config *c, uint32_t t)
{
	const struct machine_thread *x = machine_thread(m, c, t);
	const struct learn_step *s;

	if (x->state != MACHINE_LIVE)
		return MACHINE_DONE;
	s = machine_step(m, c, t);
	if (!s)
		return MACHINE_UNKNOWN;
	if (s->op == LEARN_FAIL)
		return MACHINE_FAILED;
	return MACHINE_DONE;
}

/* What the step finds when it is done in this way. */
static uint64_t found_by(const struct machine *m, machine_config *c, const struct machine_action *a,
			 const struct learn_step *s)
{
	if (a->kind == MACHINE_EXPIRE)
		return 1;
	if (a->kind == MACHINE_SPURIOUS)
		return learn_spurious(s->value);
	return machine_outcome(m, c, a->thread, s);
}

static enum machine_result read_outcome(const struct machine *m, machine_config *c,
					const struct machine_action *a, const struct learn_step *s)
{
	struct machine_thread *x = machine_thread(m, c, a->thread);
	uint64_t found = found_by(m, c, a, s);
	uint32_t child = learn_look(m->l, x->node, found);

	assert(learn_reads(s) && x->pos + 1 == m->l->nodes.items[x->node].steps.count);
	if (!child || !m->l->nodes.items[child].known)
		return MACHINE_UNKNOWN;
	if (a->kind == MACHINE_EXPIRE)
		x->sleep = x->for_nothing = 0;
	else if (a->kind == MACHINE_SPURIOUS)
		x->for_nothing = 1;
	else
		take_effect(m, c, a->thread, s, &m->l->nodes.items[child]);
	assert(m->l->nodes.items[child].parent == x->node);
	x->node = child;
	x->pos = 0;
	return MACHINE_DONE;
}

/* Goes on with what belongs to the step before. */
static enum machine_result run_on(const struct machine *m, machine_config *c, uint32_t t,
				  struct machine_accesses *seen)
{
	const struct machine_action run = {.kind = MACHINE_RUN, .thread = (uint16_t)t};
	const struct learn_step *s;
	enum machine_result r;

	while ((s = machine_step(m, c, t)) && is_quiet(m, c, t, s)) {
		if ((s->flags & LEARN_GLUED) && machine_is_misuse(m, c, t, s))
			return MACHINE_MISUSE;
		note_access(m, c, s, seen);
		if (learn_reads(s)) {
			r = read_outcome(m, c, &run, s);
			if (r != MACHINE_DONE)
				return r;
			continue;
		}
		machine_thread(m, c, t)->pos++;
		do_memory(m, c, t, s);
	}
	return MACHINE_DONE;
}

/* The process ends; its status may count as a failure. */
static enum machine_result leave_process(const struct machine *m, machine_config *c, uint32_t t)
{
	struct machine_thread *x = machine_thread(m, c, t);
	const struct learn_step *s;

	x->pos++;
	s = machine_step(m, c, t);
	if (s && s->op == LEARN_FAIL)
		return MACHINE_FAILED;
	x->state = MACHINE_ENDED;
	return MACHINE_EXITED;
}

static enum machine_result act(const struct machine *m, machine_config *c,
			       const struct machine_action *a, struct machine_accesses *seen)
{
	struct machine_thread *x = machine_thread(m, c, a->thread);
	const struct learn_step *s;
	enum machine_result r;

	if (a->kind == MACHINE_FLUSH) {
		flush(m, c, a->thread, a->arg);
		return MACHINE_DONE;
	}
	s = machine_step(m, c, a->thread);
	assert(s && x->state == MACHINE_LIVE);
	if (s->op == LEARN_EXIT)
		return leave_process(m, c, a->thread);
	if (machine_is_misuse(m, c, a->thread, s))
		return MACHINE_MISUSE;
	if (a->kind == MACHINE_SPURIOUS && s->op == LEARN_WAKE) {
		assert(x->sleep != 0);
		x->sleep = 0;
		x->for_nothing = 1;
		return MACHINE_DONE;
	}
	note_access(m, c, s, seen);
	if (learn_reads(s)) {
		r = read_outcome(m, c, a, s);
		if (r != MACHINE_DONE)
			return r;
		if (a->kind == MACHINE_RUN)
			machine_synchronise(m, c, a->thread, s, a->arg);
	} else {
		x->pos++;
		do_memory(m, c, a->thread, s);
		machine_synchronise(m, c, a->thread, s, a->arg);
	}
	r = run_on(m, c, a->thread, seen);
	if (r != MACHINE_DONE)
		return r;
	if (s->op == LEARN_FORK && look_ahead(m, c, s->other) == MACHINE_UNKNOWN)
		return MACHINE_UNKNOWN;
	return look_ahead(m, c, a->thread);
}

enum machine_result machine_do(const struct machine *m, machine_config *c,
			       const struct machine_action *a)
{
	return act(m, c, a, NULL);
}

void machine_touches(const struct machine *m, machine_config *c, uint32_t t,
		     struct machine_accesses *out)
{
	const struct learn_step *s = machine_step(m, c, t);
	struct machine_action a = {.kind = MACHINE_RUN, .thread = (uint16_t)t};
	machine_config *copy;

	if (!s)
		return;
	if (!(s->flags & LEARN_LEADS)) {
		note_access(m, c, s, out);
		return;
	}
	if (!machine_can(m, c, &a))
		return;
	copy = xmalloc(m->bytes);
	memcpy(copy, c, m->bytes);
	act(m, copy, &a, out);
	free(copy);
}
