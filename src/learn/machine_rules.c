/* What is possible in a configuration, and what reads would find in it: see machine.h. */
#include "learn/machine_priv.h"

static void overlay(unsigned char *to, uint32_t offset, uint32_t size,
		    const struct machine_store *s)
{
	for (uint32_t i = 0; i < s->size; i++)
		if (s->offset + i >= offset && s->offset + i < offset + size)
			to[s->offset + i - offset] = (unsigned char)(s->value >> i * 8);
}

uint64_t machine_load(const struct machine *m, machine_config *c, uint32_t t, uint32_t offset,
		      uint32_t size)
{
	uint64_t value = 0;

	memcpy(&value, c + m->memory_at + offset, size);
	if (m->model != MODEL_SC) {
		const struct machine_buffer *b = machine_buffer(m, c, t);

		for (uint32_t i = 0; i < b->count; i++)
			overlay((unsigned char *)&value, offset, size, &b->stores[i]);
	}
	return value;
}

/* What a step that reads finds. */
uint64_t machine_outcome(const struct machine *m, machine_config *c, uint32_t t,
			 const struct learn_step *s)
{
	const struct machine_sync *o = NULL;

	if (s->object != LEARN_NONE && m->l->objects.items[s->object].kind != LEARN_MEMORY)
		o = machine_sync(m, c, s->object);
	switch (s->op) {
	case LEARN_READ:
	case LEARN_RMW:
		return machine_load(m, c, t, s->offset, s->size);
	case LEARN_READ_BYTES:
		return intern_hash_bytes(c + m->memory_at + s->offset, s->value);
	case LEARN_TRYLOCK:
		return o->a == 0 ? LEARN_FREE_LOCK : o->a == t + 1 ? LEARN_OWN : LEARN_OTHERS;
	case LEARN_TRYRDLOCK:
		return o->a == 0 ? LEARN_FREE_LOCK : o->a == t + 1 ? LEARN_OWN : LEARN_OTHERS;
	case LEARN_TRYWRLOCK:
		return o->a == 0 && o->b == 0 ? LEARN_FREE_LOCK
		       : o->a == t + 1	      ? LEARN_OWN
					      : LEARN_OTHERS;
	case LEARN_ARRIVE:
		return o->a + 1 >= o->b;
	case LEARN_TRYTAKE:
		return o->a == 0;
	case LEARN_COUNT:
		return o->a;
	case LEARN_ONCE:
		return o->a == 2;
	case LEARN_FUTEX_WAIT:
		return machine_load(m, c, t, s->offset, 4) != (uint32_t)s->value;
	default:
		return 0; /* a timed operation that got what it wanted */
	}
}

bool machine_flushable(const struct machine *m, machine_config *c, uint32_t t, uint32_t store)
{
	const struct machine_buffer *b = machine_buffer(m, c, t);
	const struct machine_store *s = &b->stores[store];

	if (store >= b->count || (m->model == MODEL_TSO && store > 0))
		return false;
	if (s->epoch != b->stores[0].epoch)
		return false;
	for (uint32_t i = 0; i < store; i++) {
		const struct machine_store *older = &b->stores[i];

		if (older->offset < s->offset + s->size && s->offset < older->offset + older->size)
			return false;
	}
	return true;
}

static bool waits_for_buffer(const struct learn_step *s)
{
	switch (s->op) {
	case LEARN_READ:
	case LEARN_RELEASE:
	case LEARN_PARK:
	case LEARN_ALLOC:
	case LEARN_FAIL:
	case LEARN_ASSUME:
	case LEARN_LIMIT:
		return false;
	case LEARN_WRITE:
		return s->flags & LEARN_THROUGH;
	default:
		return true;
	}
}

/* One of the last reads, in number as the step says, would return something else now. */
static bool something_changed(const struct machine *m, machine_config *c, uint32_t t,
			      const struct learn_step *s)
{
	uint32_t node = machine_thread(m, c, t)->node;

	for (uint64_t i = 0; i < s->value; i++) {
		const struct learn_node *n = &m->l->nodes.items[node];
		const struct learn_step *read;

		if (!n->parent)
			return false;
		read = &vec_last(&m->l->nodes.items[n->parent].steps);
		if (machine_load(m, c, t, read->offset, read->size) != n->value)
			return true;
		node = n->parent;
	}
	return false;
}

static bool others_can_move(const struct machine *m, machine_config *c, uint32_t t);

static bool ready(const struct machine *m, machine_config *c, uint32_t t,
		  const struct learn_step *s)
{
	const struct machine_thread *x = machine_thread(m, c, t);
	const struct machine_sync *o;

	switch (s->op) {
	case LEARN_LOCK:
		return machine_sync(m, c, s->object)->a == 0 || s->value > 1;
	case LEARN_WRLOCK:
		o = machine_sync(m, c, s->object);
		return o->a == 0 && o->b == 0;
	case LEARN_RDLOCK:
		return machine_sync(m, c, s->object)->a == 0;
	case LEARN_WAKE:
		return x->sleep == 0 && machine_sync(m, c, s->other)->a == 0;
	case LEARN_LEAVE:
	case LEARN_FUTEX_WOKEN:
		return x->sleep == 0;
	case LEARN_TAKE:
		return machine_sync(m, c, s->object)->a > 0;
	case LEARN_ONCE:
		return machine_sync(m, c, s->object)->a != 1;
	case LEARN_JOIN:
		return machine_thread(m, c, s->other)->state == MACHINE_ENDED;
	case LEARN_PARK:
		return something_changed(m, c, t, s);
	case LEARN_EXIT:
		return !others_can_move(m, c, t);
	case LEARN_WRITE:
		return m->model == MODEL_SC || (s->flags & LEARN_THROUGH) ||
		       machine_buffer(m, c, t)->count < MACHINE_STORES;
	default:
		return true;
	}
}

static bool can_run(const struct machine *m, machine_config *c, uint32_t t)
{
	const struct learn_step *s = machine_step(m, c, t);

	if (!s || s->op == LEARN_LIMIT ||
	    (m->loop_bound && s->visits >= m->loop_bound && learn_reads(s)))
		return false;
	if (m->model != MODEL_SC && machine_buffer(m, c, t)->count && waits_for_buffer(s))
		return false;
	return ready(m, c, t, s);
}

static bool can_expire(const struct machine *m, machine_config *c, uint32_t t)
{
	const struct learn_step *s = machine_step(m, c, t);

	if (!s || !(s->flags & LEARN_TIMED))
		return false;
	if (m->model != MODEL_SC && machine_buffer(m, c, t)->count)
		return false;
	/* A sleeper expires only asleep; one that was woken waits for its mutex. */
	if (s->op == LEARN_WAKE || s->op == LEARN_FUTEX_WOKEN)
		return machine_thread(m, c, t)->sleep != 0;
	return !ready(m, c, t, s);
}

static bool others_can_move(const struct machine *m, machine_config *c, uint32_t t)
{
	for (uint32_t u = 0; u < m->l->threads.count; u++) {
		const struct learn_step *s = u == t ? NULL : machine_step(m, c, u);

		if (s && s->op != LEARN_EXIT && (can_run(m, c, u) || can_expire(m, c, u)))
			return true;
		if (u != t && m->model != MODEL_SC && machine_buffer(m, c, u)->count)
			return true;
	}
	return false;
}

bool machine_can(const struct machine *m, machine_config *c, const struct machine_action *a)
{
	if (a->kind == MACHINE_FLUSH)
		return machine_flushable(m, c, a->thread, a->arg);
	return a->kind == MACHINE_RUN ? can_run(m, c, a->thread) : can_expire(m, c, a->thread);
}

static uint32_t sleepers(const struct machine *m, machine_config *c, uint32_t object)
{
	uint32_t n = 0;

	for (uint32_t t = 0; t < m->l->threads.count; t++)
		n += machine_thread(m, c, t)->sleep == object + 1;
	return n;
}

uint32_t machine_ways(const struct machine *m, machine_config *c, uint32_t t)
{
	const struct learn_step *s = machine_step(m, c, t);
	uint32_t n;

	if (s->op != LEARN_SIGNAL && !(s->op == LEARN_FUTEX_WAKE && s->value == 1))
		return 1;
	n = sleepers(m, c, s->object);
	return n ? n : 1;
}
