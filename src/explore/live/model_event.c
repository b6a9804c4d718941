#include "explore/live/model_event.h"

#include <assert.h>

void model_places_fini(struct model_places *p)
{
	vec_free(&p->objects);
}

/* ---- places ---- */

static struct model_object *object_of(struct model_places *p, uint32_t object)
{
	assert(object != LEARN_NONE);
	while (p->objects.count <= object) {
		struct model_object o = {.root = (uint32_t)p->objects.count,
					 .next = (uint32_t)p->objects.count};

		vec_push(&p->objects, o);
	}
	return &p->objects.items[object];
}

static void unite(struct model_places *p, uint32_t a, uint32_t b)
{
	uint32_t root = object_of(p, a)->root, other = object_of(p, b)->root, at = other, swap;

	if (root == other)
		return;
	p->changed = true;
	do {
		p->objects.items[at].root = root;
		at = p->objects.items[at].next;
	} while (at != other);
	swap = p->objects.items[root].next;
	p->objects.items[root].next = p->objects.items[other].next;
	p->objects.items[other].next = swap;
}

static bool is_single(struct model_places *p, uint32_t object)
{
	return object_of(p, object)->next == object;
}

static void leave_out(struct model_places *p, const struct machine *m, const char *what)
{
	if (wire_model_buffers(m->model))
		p->left_out = what;
}

/* ---- values ---- */

static uint64_t memory_value(const struct machine *m, machine_config *c, uint32_t t,
			     const struct learn_object *o)
{
	uint64_t value = 0;

	memcpy(&value, c + m->memory_at + o->offset, o->size);
	if (!wire_model_buffers(m->model) || t == LEARN_NONE)
		return value;
	for (uint32_t i = 0; i < machine_buffer(m, c, t)->count; i++)
		rule_store_forward(&machine_buffer(m, c, t)->stores[i].store, o->offset, &value,
				   o->size);
	return value;
}

static uint64_t sleepers(const struct machine *m, machine_config *c, uint32_t object)
{
	uint64_t h = 0;

	for (uint32_t t = 0; t < m->l->threads.count; t++)
		if (machine_thread(m, c, t)->sleep == object + 1)
			h = intern_hash(h, t + 1);
	return h;
}

static uint64_t sync_value(const struct machine *m, machine_config *c, uint32_t object)
{
	const struct machine_sync *o = machine_sync(m, c, object);

	switch (m->l->objects.items[object].kind) {
	case LEARN_MUTEX:
		return !rule_mutex_idle(&o->mutex);
	case LEARN_RWLOCK:
		return (uint64_t)(o->rwlock.writer != RULE_NOBODY) << 32 | o->rwlock.readers;
	case LEARN_CONDITION:
	case LEARN_FUTEX:
		return sleepers(m, c, object);
	case LEARN_BARRIER:
		return intern_hash(intern_hash(o->barrier.arrived, o->barrier.limit),
				   sleepers(m, c, object));
	case LEARN_ONCE_FLAG:
		return o->once.state;
	case LEARN_DESCRIPTORS:
		return o->fds;
	default:
		return o->sem.tokens;
	}
}

static uint64_t hash_object(const struct machine *m, machine_config *c, uint32_t object, uint64_t h)
{
	const struct learn_object *o = &m->l->objects.items[object];

	if (o->kind != LEARN_MEMORY)
		return intern_hash(h, sync_value(m, c, object));
	for (uint32_t i = 0; i < o->size; i++)
		h = intern_hash(h, c[m->memory_at + o->offset + i]);
	return !wire_model_buffers(m->model) ? intern_hash(h, c[m->life_at + object]) : h;
}

uint64_t model_place_value(struct model_places *p, const struct machine *m, machine_config *c,
			   uint32_t t, uint32_t place)
{
	const struct learn_object *o = &m->l->objects.items[place];
	uint32_t at = place;
	uint64_t h = 0;

	if (is_single(p, place)) {
		if (o->kind != LEARN_MEMORY)
			return sync_value(m, c, place);
		if (o->size <= 8 && !object_of(p, place)->stateful)
			return memory_value(m, c, t, o);
	}
	do {
		h = hash_object(m, c, at, h);
		at = p->objects.items[at].next;
	} while (at != place);
	return h;
}

/* ---- events ---- */

struct making {
	struct model_places *p;
	const struct machine *m;
	machine_config *c;
	uint32_t t;
	const struct learn_step *s;
	struct solve_event *e;
};

/* An atomic access to a place; what it writes is known afterwards. */
static enum model_shape access(const struct making *k, enum solve_op op, uint32_t object)
{
	uint32_t place = object_of(k->p, object)->root;

	k->e->op = (uint8_t)op;
	k->e->writes = op == SOLVE_RMW;
	k->e->object = place;
	k->e->value = model_place_value(k->p, k->m, k->c, k->t, place);
	return MODEL_PLAIN;
}

static enum model_shape write_memory(const struct making *k)
{
	const struct learn_step *s = k->s;
	const struct learn_object *o = &k->m->l->objects.items[s->object];

	if (!is_single(k->p, s->object) || object_of(k->p, s->object)->stateful || o->size > 8 ||
	    s->offset != o->offset || s->size != o->size) {
		leave_out(k->p, k->m, "how stores to parts of larger objects are delayed");
		return access(k, SOLVE_RMW, s->object);
	}
	k->e->op = SOLVE_WRITE;
	k->e->writes = true;
	k->e->object = s->object;
	k->e->written = s->size < 8 ? s->value & ((UINT64_C(1) << s->size * 8) - 1) : s->value;
	if (!wire_model_buffers(k->m->model))
		return MODEL_STORE;
	return s->flags & LEARN_THROUGH ? MODEL_FENCED : MODEL_STORE;
}

/* Several objects at once become one place. */
static enum model_shape access_many(const struct making *k)
{
	const uint32_t *o = intern_elements(&k->m->l->sets, k->s->objects);
	uint32_t n = intern_count(&k->m->l->sets, k->s->objects);
	bool looks_only = k->s->op == LEARN_READ_BYTES || k->s->op == LEARN_READ_STRING;
	bool reads = looks_only && !wire_model_buffers(k->m->model);
	bool frees = k->s->op == LEARN_FREE || k->s->op == LEARN_ALLOC ||
		     k->s->op == LEARN_RETURN || k->s->op == LEARN_ENTER;

	if (!n)
		return MODEL_SILENT;
	for (uint32_t i = 1; i < n; i++)
		unite(k->p, o[0], o[i]);
	/* Whether it was given back is part of the value, which is a hash then. */
	if (frees && !wire_model_buffers(k->m->model) && !object_of(k->p, o[0])->stateful) {
		object_of(k->p, o[0])->stateful = true;
		k->p->changed = true;
	}
	if (frees)
		leave_out(k->p, k->m, "accesses to memory that was given back");
	if ((k->s->op == LEARN_ALLOC || k->s->op == LEARN_ENTER) && wire_model_buffers(k->m->model))
		return MODEL_SILENT;
	access(k, reads ? SOLVE_READ : SOLVE_RMW, o[0]);
	if (looks_only)
		k->e->writes = false;
	return MODEL_PLAIN;
}

static enum model_shape futex_wait(const struct making *k)
{
	for (uint32_t o = 0; o < k->m->l->objects.count; o++) {
		const struct learn_object *x = &k->m->l->objects.items[o];

		if (x->kind == LEARN_MEMORY && k->s->offset >= x->offset &&
		    k->s->offset < x->offset + x->size)
			unite(k->p, o, k->s->object);
	}
	return access(k, SOLVE_RMW, k->s->object);
}

/* Lock and unlock, as long as nobody tries. */
static enum model_shape mutex(const struct making *k, enum solve_op op, uint32_t object)
{
	if (object_of(k->p, object)->stateful)
		return access(k, SOLVE_RMW, object);
	k->e->op = (uint8_t)op;
	k->e->object = object;
	return MODEL_PLAIN;
}

static enum model_shape attempt(const struct making *k, uint32_t object)
{
	struct model_object *o = object_of(k->p, object);

	k->p->changed |= !o->stateful;
	o->stateful = true;
	return access(k, SOLVE_RMW, object);
}

/* The half of a wait that concerns its mutex; the machine may have done it already. */
static void mutex_half(const struct making *k, enum solve_op op, struct solve_event *e)
{
	bool stateful = object_of(k->p, k->s->other)->stateful;

	*e = *k->e;
	e->op = (uint8_t)(stateful ? SOLVE_RMW : op);
	e->object = k->s->other;
	e->writes = stateful;
	e->value = stateful && op == SOLVE_UNLOCK;
	e->written = stateful && op == SOLVE_LOCK;
}

static enum model_shape life(const struct making *k, enum solve_op op)
{
	k->e->op = (uint8_t)op;
	k->e->object = k->s->other == LEARN_NONE ? 0 : k->s->other;
	return MODEL_PLAIN;
}

static enum model_shape begin_anew(const struct making *k)
{
	if (k->m->l->objects.items[k->s->object].kind == LEARN_MUTEX &&
	    !object_of(k->p, k->s->object)->stateful)
		return MODEL_SILENT;
	return access(k, SOLVE_RMW, k->s->object);
}

static enum model_shape looks(const struct making *k)
{
	access(k, SOLVE_RMW, k->s->object);
	k->e->writes = false;
	return MODEL_PLAIN;
}

static enum model_shape lock(const struct making *k)
{
	if (k->s->flags & LEARN_TIMED)
		return attempt(k, k->s->object);
	return k->s->value > 1 ? MODEL_SILENT : mutex(k, SOLVE_LOCK, k->s->object);
}

static enum model_shape make(const struct making *k, struct solve_event *second)
{
	const struct learn_step *s = k->s;

	switch (s->op) {
	case LEARN_READ:
		return access(k, SOLVE_READ, s->object);
	case LEARN_WRITE:
		return write_memory(k);
	case LEARN_READ_BYTES:
	case LEARN_READ_STRING:
	case LEARN_WRITE_BYTES:
	case LEARN_FREE:
	case LEARN_ALLOC:
	case LEARN_RETURN:
	case LEARN_ENTER:
		return access_many(k);
	case LEARN_FENCE:
		return life(k, SOLVE_FENCE);
	case LEARN_LOCK:
		return lock(k);
	case LEARN_UNLOCK:
		return s->value ? MODEL_SILENT : mutex(k, SOLVE_UNLOCK, s->object);
	case LEARN_TRYLOCK:
		return attempt(k, s->object);
	case LEARN_WAIT:
		access(k, SOLVE_RMW, s->object);
		mutex_half(k, SOLVE_UNLOCK, second);
		return MODEL_SLEEP;
	case LEARN_WAKE:
		looks(k);
		mutex_half(k, SOLVE_LOCK, second);
		return MODEL_WAKE;
	case LEARN_LEAVE:
	case LEARN_FUTEX_WOKEN:
	case LEARN_COUNT:
		return looks(k);
	case LEARN_FUTEX_WAIT:
		return futex_wait(k);
	case LEARN_FORK:
		return life(k, SOLVE_FORK);
	case LEARN_JOIN:
		return life(k, SOLVE_JOIN);
	case LEARN_END:
		return life(k, SOLVE_END);
	case LEARN_SET:
	case LEARN_DESTROY:
		return begin_anew(k);
	case LEARN_BEGIN:
	case LEARN_RELEASE:
	case LEARN_PARK:
		return MODEL_SILENT;
	case LEARN_EXIT:
	case LEARN_FAIL:
	case LEARN_ASSUME:
	case LEARN_LIMIT:
		return MODEL_LAST;
	default:
		return access(k, SOLVE_RMW, s->object);
	}
}

enum model_shape model_event(struct model_places *p, const struct machine *m, machine_config *c,
			     uint32_t t, struct solve_event *e, struct solve_event *mutex)
{
	struct making k = {p, m, c, t, machine_step(m, c, t), e};

	*e = (struct solve_event){.thread = t, .site = k.s->site};
	if (k.s->needless && wire_model_buffers(m->model))
		leave_out(p, m, "stores that are late beyond library calls and copies");
	return make(&k, mutex);
}
