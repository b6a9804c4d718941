/* What actions do to a configuration: see machine.h. */
#include "learn/machine_priv.h"

static bool is_freed(const struct machine *m, machine_config *c, const struct learn_step *s)
{
	if (s->objects) {
		const uint32_t *o = intern_elements(&m->l->sets, s->objects);

		for (uint32_t i = 0; i < intern_count(&m->l->sets, s->objects); i++)
			if (c[m->freed_at + o[i]])
				return true;
		return false;
	}
	return s->object != LEARN_NONE && c[m->freed_at + s->object];
}

static void set_freed(const struct machine *m, machine_config *c, const struct learn_step *s,
		      unsigned char freed)
{
	const uint32_t *o = intern_elements(&m->l->sets, s->objects);

	for (uint32_t i = 0; i < intern_count(&m->l->sets, s->objects); i++)
		c[m->freed_at + o[i]] = freed;
}

static void issue(const struct machine *m, machine_config *c, uint32_t t,
		  const struct learn_step *s)
{
	struct machine_buffer *b = machine_buffer(m, c, t);

	b->epoch += (s->flags & LEARN_EPOCH) && b->count && m->model == MODEL_PSO;
	b->stores[b->count++] = (struct machine_store){.value = s->value,
						       .offset = s->offset,
						       .classes = s->classes,
						       .tix = s->tix,
						       .size = s->size,
						       .epoch = (uint16_t)b->epoch};
}

static void flush(const struct machine *m, machine_config *c, uint32_t t, uint32_t store)
{
	struct machine_buffer *b = machine_buffer(m, c, t);
	struct machine_store s = b->stores[store];

	memcpy(c + m->memory_at + s.offset, &s.value, s.size);
	memmove(&b->stores[store], &b->stores[store + 1],
		(b->count - store - 1) * sizeof(b->stores[0]));
	b->count--;
	/* Epochs count from the oldest store, so that equal buffers are equal bytes. */
	s.epoch = b->count ? b->stores[0].epoch : (uint16_t)b->epoch;
	for (uint32_t i = 0; i < b->count; i++)
		b->stores[i].epoch = (uint16_t)(b->stores[i].epoch - s.epoch);
	b->epoch -= s.epoch;
	memset(&b->stores[b->count], 0, sizeof(b->stores[0]));
}

/* The sleeper number n in the order of the guest's thread numbers. */
static uint32_t nth_sleeper(const struct machine *m, machine_config *c, uint32_t object, uint32_t n)
{
	const struct machine_tail *tail = machine_tail(m, c);

	for (uint32_t tid = 0; tid < tail->created; tid++) {
		for (uint32_t t = 0; t < m->l->threads.count; t++) {
			if (machine_thread(m, c, t)->sleep != object + 1 || tail->tid[t] != tid)
				continue;
			if (n-- == 0)
				return t;
		}
	}
	return LEARN_NONE;
}

static void wake(const struct machine *m, machine_config *c, uint32_t object, uint32_t n)
{
	uint32_t t = nth_sleeper(m, c, object, n);

	if (t != LEARN_NONE)
		machine_thread(m, c, t)->sleep = 0;
}

static void wake_all(const struct machine *m, machine_config *c, uint32_t object)
{
	for (uint32_t t = 0; t < m->l->threads.count; t++)
		if (machine_thread(m, c, t)->sleep == object + 1)
			machine_thread(m, c, t)->sleep = 0;
}

static void arrive(const struct machine *m, machine_config *c, uint32_t t,
		   const struct learn_step *s)
{
	struct machine_sync *o = machine_sync(m, c, s->object);

	if (++o->a < o->b) {
		machine_thread(m, c, t)->sleep = s->object + 1;
		return;
	}
	o->a = 0;
	wake_all(m, c, s->object);
}

static void end_unlock(struct machine_sync *o, uint32_t t)
{
	if (o->a == t + 1)
		o->a = 0;
	else
		o->b -= o->b > 0;
}

/* The effect on everything but memory and the thread itself. */
static void synchronise(const struct machine *m, machine_config *c, uint32_t t,
			const struct learn_step *s, const struct machine_action *a)
{
	struct machine_thread *x = machine_thread(m, c, t);
	struct machine_sync *o = NULL;

	if (s->object != LEARN_NONE && m->l->objects.items[s->object].kind != LEARN_MEMORY)
		o = machine_sync(m, c, s->object);
	switch (s->op) {
	case LEARN_LOCK:
	case LEARN_WRLOCK:
		o->a = t + 1;
		break;
	case LEARN_RDLOCK:
		o->b++;
		break;
	case LEARN_UNLOCK:
		o->a = s->value ? o->a : 0;
		break;
	case LEARN_RWUNLOCK:
		end_unlock(o, t);
		break;
	case LEARN_WAIT:
		machine_sync(m, c, s->other)->a = 0;
		x->sleep = s->object + 1;
		break;
	case LEARN_WAKE:
		machine_sync(m, c, s->other)->a = t + 1;
		break;
	case LEARN_SIGNAL:
		wake(m, c, s->object, a->arg);
		break;
	case LEARN_BROADCAST:
		wake_all(m, c, s->object);
		break;
	case LEARN_ARRIVE:
		arrive(m, c, t, s);
		break;
	case LEARN_TAKE:
		o->a--;
		break;
	case LEARN_GIVE:
		o->a++;
		break;
	case LEARN_ONCE_END:
		o->a = s->value ? 2 : 0;
		break;
	case LEARN_FUTEX_WAKE:
		if (s->value == 1)
			wake(m, c, s->object, a->arg);
		else
			wake_all(m, c, s->object);
		break;
	case LEARN_FORK:
		machine_birth(m, c, s->other);
		break;
	case LEARN_END:
		x->state = MACHINE_ENDED;
		break;
	case LEARN_SET:
		*o = (struct machine_sync){.a = s->value};
		if (m->l->objects.items[s->object].kind == LEARN_BARRIER)
			*o = (struct machine_sync){.b = (uint32_t)s->value};
		break;
	default:
		break;
	}
}

/* The effect of a read that depends on what it found, which the tree knows. */
static void take_effect(const struct machine *m, machine_config *c, uint32_t t,
			const struct learn_step *s, const struct learn_node *n)
{
	struct machine_thread *x = machine_thread(m, c, t);

	switch (s->op) {
	case LEARN_RMW:
		if (n->writes)
			memcpy(c + m->memory_at + s->offset, &n->written, s->size);
		break;
	case LEARN_TRYLOCK:
	case LEARN_TRYWRLOCK:
		if (n->writes)
			machine_sync(m, c, s->object)->a = t + 1;
		break;
	case LEARN_TRYRDLOCK:
		if (n->writes)
			machine_sync(m, c, s->object)->b++;
		break;
	case LEARN_TRYTAKE:
		if (n->writes)
			machine_sync(m, c, s->object)->a--;
		break;
	case LEARN_ONCE:
		if (n->value == 0)
			machine_sync(m, c, s->object)->a = 1;
		break;
	case LEARN_FUTEX_WAIT:
		if (n->value == 0)
			x->sleep = s->object + 1;
		break;
	default:
		break;
	}
}

static enum machine_result do_memory(const struct machine *m, machine_config *c, uint32_t t,
				     const struct learn_step *s)
{
	switch (s->op) {
	case LEARN_WRITE:
		if (m->model == MODEL_SC || (s->flags & LEARN_THROUGH))
			memcpy(c + m->memory_at + s->offset, &s->value, s->size);
		else
			issue(m, c, t, s);
		break;
	case LEARN_WRITE_BYTES:
		memcpy(c + m->memory_at + s->offset, m->l->data.items + s->data, s->value);
		break;
	case LEARN_RELEASE:
		if (m->model == MODEL_PSO && machine_buffer(m, c, t)->count)
			machine_buffer(m, c, t)->epoch++;
		break;
	case LEARN_FREE:
		set_freed(m, c, s, 1);
		break;
	case LEARN_ALLOC:
		set_freed(m, c, s, 0);
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

	switch (s->op) {
	case LEARN_ALLOC:
	case LEARN_RELEASE:
		return true;
	case LEARN_FENCE:
		return (s->flags & LEARN_QUIET) &&
		       (m->model == MODEL_SC || !machine_buffer(m, c, t)->count);
	case LEARN_LEAVE: /* who completes a barrier goes on at once */
		return x->pos == 0 && m->l->nodes.items[x->node].value == 1;
	default:
		return false;
	}
}

static void run_on(const struct machine *m, machine_config *c, uint32_t t)
{
	const struct learn_step *s;

	while ((s = machine_step(m, c, t)) && is_quiet(m, c, t, s)) {
		machine_thread(m, c, t)->pos++;
		do_memory(m, c, t, s);
	}
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
	return s->op == LEARN_ASSUME ? MACHINE_ASSUMED : MACHINE_DONE;
}

static enum machine_result read_outcome(const struct machine *m, machine_config *c,
					const struct machine_action *a, const struct learn_step *s)
{
	struct machine_thread *x = machine_thread(m, c, a->thread);
	uint64_t found = a->kind == MACHINE_EXPIRE ? 1 : machine_outcome(m, c, a->thread, s);
	uint32_t child = learn_look(m->l, x->node, found);

	if (!child || !m->l->nodes.items[child].known)
		return MACHINE_UNKNOWN;
	if (a->kind == MACHINE_EXPIRE)
		x->sleep = 0;
	else
		take_effect(m, c, a->thread, s, &m->l->nodes.items[child]);
	x->node = child;
	x->pos = 0;
	return MACHINE_DONE;
}

enum machine_result machine_do(const struct machine *m, machine_config *c,
			       const struct machine_action *a)
{
	struct machine_thread *x = machine_thread(m, c, a->thread);
	const struct learn_step *s;

	if (a->kind == MACHINE_FLUSH) {
		flush(m, c, a->thread, a->arg);
		return MACHINE_DONE;
	}
	s = machine_step(m, c, a->thread);
	if (s->op == LEARN_EXIT)
		return MACHINE_EXITED;
	if (s->op != LEARN_ALLOC && is_freed(m, c, s))
		return MACHINE_MISUSE;
	if (learn_reads(s)) {
		enum machine_result r = read_outcome(m, c, a, s);

		if (r != MACHINE_DONE)
			return r;
		if (a->kind == MACHINE_RUN)
			synchronise(m, c, a->thread, s, a);
		run_on(m, c, a->thread);
		return look_ahead(m, c, a->thread);
	}
	x->pos++;
	do_memory(m, c, a->thread, s);
	synchronise(m, c, a->thread, s, a);
	run_on(m, c, a->thread);
	if (s->op == LEARN_FORK && look_ahead(m, c, s->other) == MACHINE_UNKNOWN)
		return MACHINE_UNKNOWN;
	return look_ahead(m, c, a->thread);
}
