/* What is possible in a configuration, and what reads would find in it: see machine.h. */
#include "explore/learn/machine_priv.h"

#include <assert.h>

uint64_t machine_load(const struct machine *m, machine_config *c, uint32_t t, uint32_t offset,
		      uint32_t size)
{
	uint64_t value = 0;

	assert(size <= sizeof(value) && offset + size <= m->memory);
	memcpy(&value, c + m->memory_at + offset, size);
	if (wire_model_buffers(m->model)) {
		const struct machine_buffer *b = machine_buffer(m, c, t);

		for (uint32_t i = 0; i < b->count; i++)
			rule_store_forward(&b->stores[i].store, offset, &value, size);
	}
	return value;
}

uint32_t machine_string(const struct machine *m, machine_config *c, const struct learn_step *s)
{
	const unsigned char *at = c + m->memory_at + s->offset;
	const unsigned char *end = memchr(at, 0, s->value);

	assert(s->offset + s->value <= m->memory);
	return end ? (uint32_t)(end - at) + 1 : (uint32_t)s->value;
}

/* What an attempt to lock sees. */
static uint64_t seen(enum rule_answer answer)
{
	return answer == RULE_GO ? LEARN_FREE_LOCK : answer == RULE_OWN ? LEARN_OWN : LEARN_OTHERS;
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
	case LEARN_READ_STRING:
		return intern_hash_bytes(c + m->memory_at + s->offset, machine_string(m, c, s));
	case LEARN_TRYLOCK:
	case LEARN_TRYRDLOCK:
	case LEARN_TRYWRLOCK:
		return seen(machine_ask(m, c, t, s));
	case LEARN_ARRIVE:
		return rule_barrier_completes(&o->barrier);
	case LEARN_TRYTAKE:
		return machine_ask(m, c, t, s) == RULE_WAIT;
	case LEARN_COUNT:
		return o->sem.tokens;
	case LEARN_ONCE:
		return o->once.state == RULE_ONCE_DONE;
	case LEARN_FUTEX_WAIT:
		return !rule_futex_sleeps((uint32_t)machine_load(m, c, t, s->offset, 4),
					  (uint32_t)s->value);
	case LEARN_FD:
		return learn_fds_move(&m->l->fds, o->fds, (uint32_t)s->value).outcome;
	default:
		return 0; /* a timed operation that got what it wanted */
	}
}

bool machine_flushable(const struct machine *m, machine_config *c, uint32_t t, uint32_t store)
{
	const struct machine_buffer *b = machine_buffer(m, c, t);

	assert(wire_model_buffers(m->model) && b->count <= MACHINE_STORES);
	return store < b->count && rule_store_may_go(&b->stores[0].store, sizeof(b->stores[0]),
						     store, (enum wire_model)m->model);
}

static bool waits_for_buffer(const struct learn_step *s)
{
	switch (s->op) {
	case LEARN_READ:
	case LEARN_RELEASE:
	case LEARN_PARK:
	case LEARN_ALLOC:
	case LEARN_RETURN:
	case LEARN_ENTER:
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
		assert(learn_reads(read));
		if (machine_outcome(m, c, t, read) != n->value)
			return true;
		node = n->parent;
	}
	return false;
}

bool machine_turns_back(const struct machine *m, machine_config *c, uint32_t t)
{
	const struct learn_step *s = m->l->folded ? machine_step(m, c, t) : NULL;

	return s && s->op == LEARN_PARK && s->vain && something_changed(m, c, t, s);
}

static bool others_can_move(const struct machine *m, machine_config *c, uint32_t t);

static bool ready(const struct machine *m, machine_config *c, uint32_t t,
		  const struct learn_step *s)
{
	const struct machine_thread *x = machine_thread(m, c, t);

	switch (s->op) {
	case LEARN_LOCK: /* value: how deep a recursive one is then */
		return machine_ask(m, c, t, s) == RULE_GO ||
		       (s->value > 1 && machine_ask(m, c, t, s) == RULE_OWN);
	case LEARN_WRLOCK:
	case LEARN_RDLOCK:
	case LEARN_TAKE:
	case LEARN_ONCE:
		return machine_ask(m, c, t, s) == RULE_GO;
	case LEARN_WAKE:
		return x->sleep == 0 && machine_ask(m, c, t, s) != RULE_WAIT;
	case LEARN_DESTROY:
		return !machine_destroy_waits(m, c, s);
	case LEARN_LEAVE:
	case LEARN_FUTEX_WOKEN:
		return x->sleep == 0;
	case LEARN_JOIN:
		return machine_thread(m, c, s->other)->state == MACHINE_ENDED;
	case LEARN_PARK:
		return !s->vain && something_changed(m, c, t, s);
	case LEARN_FD:
		return !learn_fds_move(&m->l->fds, machine_sync(m, c, s->object)->fds,
				       (uint32_t)s->value)
				.blocks;
	case LEARN_EXIT:
		return !others_can_move(m, c, t);
	case LEARN_WRITE:
		return !wire_model_buffers(m->model) || (s->flags & LEARN_THROUGH) ||
		       machine_buffer(m, c, t)->count < MACHINE_STORES;
	default:
		return true;
	}
}

static bool can_run(const struct machine *m, machine_config *c, uint32_t t)
{
	const struct learn_step *s = machine_step(m, c, t);

	/* An assumption that does not hold keeps its thread from going on; the others may. */
	if (!s || s->op == LEARN_LIMIT || s->op == LEARN_ASSUME ||
	    (m->loop_bound && s->visits >= m->loop_bound && learn_reads(s)))
		return false;
	if (wire_model_buffers(m->model) && machine_buffer(m, c, t)->count && waits_for_buffer(s))
		return false;
	/* A read in a loop that waits, as long as it is allowed and would find nothing new. */
	if (s->polls && !machine_is_misuse(m, c, t, s) &&
	    learn_waits(m->l, s, machine_thread(m, c, t)->node, machine_outcome(m, c, t, s)))
		return false;
	return ready(m, c, t, s);
}

static bool can_expire(const struct machine *m, machine_config *c, uint32_t t)
{
	const struct learn_step *s = machine_step(m, c, t);

	if (!s || !(s->flags & LEARN_TIMED))
		return false;
	if (wire_model_buffers(m->model) && machine_buffer(m, c, t)->count)
		return false;
	/* A sleeper expires only asleep; one that was woken waits for its mutex. */
	if (s->op == LEARN_WAKE || s->op == LEARN_FUTEX_WOKEN)
		return machine_thread(m, c, t)->sleep != 0;
	return !ready(m, c, t, s);
}

static bool can_end_for_nothing(const struct machine *m, machine_config *c, uint32_t t)
{
	const struct machine_thread *x = machine_thread(m, c, t);
	const struct learn_step *s = machine_step(m, c, t);

	if (!m->spurious || !s)
		return false;
	if (s->op == LEARN_WAKE && x->sleep == 0)
		return false;
	if (s->op != LEARN_WAKE && (s->op != LEARN_RMW || !s->weak || !can_run(m, c, t) ||
				    machine_load(m, c, t, s->offset, s->size) != s->value))
		return false;
	return !x->for_nothing || machine_news(m, c, t);
}

bool machine_stuck(const struct machine *m, machine_config *c)
{
	for (uint32_t t = 0; t < m->l->threads.count; t++) {
		const struct learn_step *s = machine_step(m, c, t);

		if ((s && s->op == LEARN_EXIT) || can_run(m, c, t) || can_expire(m, c, t) ||
		    machine_turns_back(m, c, t) ||
		    (wire_model_buffers(m->model) && machine_buffer(m, c, t)->count))
			return false;
	}
	return true;
}

static bool others_can_move(const struct machine *m, machine_config *c, uint32_t t)
{
	for (uint32_t u = 0; u < m->l->threads.count; u++) {
		const struct learn_step *s = u == t ? NULL : machine_step(m, c, u);

		if (s && s->op != LEARN_EXIT &&
		    (can_run(m, c, u) || can_expire(m, c, u) || can_end_for_nothing(m, c, u) ||
		     machine_turns_back(m, c, u)))
			return true;
		if (u != t && wire_model_buffers(m->model) && machine_buffer(m, c, u)->count)
			return true;
	}
	return false;
}

bool machine_can(const struct machine *m, machine_config *c, const struct machine_action *a)
{
	assert(a->thread < m->l->threads.count);
	if (a->kind == MACHINE_FLUSH)
		return machine_flushable(m, c, a->thread, a->arg);
	if (a->kind == MACHINE_SPURIOUS)
		return can_end_for_nothing(m, c, a->thread);
	return a->kind == MACHINE_RUN ? can_run(m, c, a->thread) : can_expire(m, c, a->thread);
}

uint32_t machine_ways(const struct machine *m, machine_config *c, uint32_t t)
{
	return machine_wake_ways(m, c, machine_step(m, c, t));
}
