#include "learn/machine.h"

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
	m->freed_at = m->sync_at + m->syncs * sizeof(struct machine_sync);
	m->memory_at = (m->freed_at + m->objects + 7) & ~(size_t)7;
	m->buffer_at = m->memory_at + m->memory;
	m->tail_at = m->buffer_at;
	if (model != MODEL_SC)
		m->tail_at += m->threads * sizeof(struct machine_buffer);
	m->bytes = m->tail_at + sizeof(struct machine_tail) + m->threads * sizeof(uint16_t);
	m->bytes = (m->bytes + 15) & ~(size_t)15;
}

bool machine_fits(const struct machine *m)
{
	return m->l->threads.count <= m->threads && m->l->objects.count <= m->objects &&
	       m->l->syncs <= m->syncs && m->l->memory.count <= m->memory;
}

static void birth(const struct machine *m, machine_config *c, uint32_t t)
{
	struct machine_thread *x = machine_thread(m, c, t);
	struct machine_tail *tail = machine_tail(m, c);

	*x = (struct machine_thread){.node = m->l->threads.items[t].root, .state = MACHINE_LIVE};
	tail->tid[t] = (uint16_t)tail->created++;
}

void machine_begin(const struct machine *m, machine_config *c)
{
	memset(c, 0, m->bytes);
	memcpy(c + m->memory_at, m->l->memory.items, m->l->memory.count);
	for (uint32_t i = 0; i < m->l->objects.count; i++) {
		const struct learn_object *o = &m->l->objects.items[i];

		if (o->kind == LEARN_SEMAPHORE)
			machine_sync(m, c, i)->a = o->first;
		else if (o->kind == LEARN_BARRIER)
			machine_sync(m, c, i)->b = o->first;
		else if (o->kind == LEARN_ONCE_FLAG)
			machine_sync(m, c, i)->a = o->first;
	}
	birth(m, c, 0);
}

/* ---- memory ---- */

static void overlay(unsigned char *to, uint32_t offset, uint32_t size,
		    const struct machine_store *s)
{
	for (uint32_t i = 0; i < s->size; i++)
		if (s->offset + i >= offset && s->offset + i < offset + size)
			to[s->offset + i - offset] = (unsigned char)(s->value >> i * 8);
}

static uint64_t load(const struct machine *m, machine_config *c, uint32_t t, uint32_t offset,
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

static uint64_t hash_bytes(const unsigned char *bytes, uint64_t n)
{
	uint64_t h = n;

	for (uint64_t i = 0; i < n; i++)
		h = intern_hash(h, bytes[i]);
	return h;
}

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

/* ---- what is possible ---- */

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
		if (load(m, c, t, read->offset, read->size) != n->value)
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

/* ---- sleepers ---- */

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

/* ---- effects ---- */

/* What a step that reads finds. */
static uint64_t outcome(const struct machine *m, machine_config *c, uint32_t t,
			const struct learn_step *s)
{
	const struct machine_sync *o = NULL;

	if (s->object != LEARN_NONE && m->l->objects.items[s->object].kind != LEARN_MEMORY)
		o = machine_sync(m, c, s->object);
	switch (s->op) {
	case LEARN_READ:
	case LEARN_RMW:
		return load(m, c, t, s->offset, s->size);
	case LEARN_READ_BYTES:
		return hash_bytes(c + m->memory_at + s->offset, s->value);
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
		return load(m, c, t, s->offset, 4) != (uint32_t)s->value;
	default:
		return 0; /* a timed operation that got what it wanted */
	}
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
		birth(m, c, s->other);
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
	uint64_t found = a->kind == MACHINE_EXPIRE ? 1 : outcome(m, c, a->thread, s);
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
		return look_ahead(m, c, a->thread);
	}
	x->pos++;
	do_memory(m, c, a->thread, s);
	synchronise(m, c, a->thread, s, a);
	if (s->op == LEARN_FORK &&
	    look_ahead(m, c, s->other) == MACHINE_UNKNOWN)
		return MACHINE_UNKNOWN;
	return look_ahead(m, c, a->thread);
}

uint64_t machine_question(const struct machine *m, machine_config *c,
			  const struct machine_action *a)
{
	const struct machine_thread *x = machine_thread(m, c, a->thread);
	const struct learn_step *s = machine_step(m, c, a->thread);
	uint64_t h = intern_hash(x->node, x->pos);

	if (learn_reads(s))
		h = intern_hash(h, a->kind == MACHINE_EXPIRE ? 1 : outcome(m, c, a->thread, s));
	return intern_hash(h, a->kind);
}

unsigned machine_path(const struct machine *m, machine_config *c, const struct machine_action *a,
		      struct wire_choice out[2])
{
	uint16_t tid = machine_tail(m, c)->tid[a->thread];
	const struct learn_step *s;
	unsigned n = 0;

	if (a->kind == MACHINE_FLUSH) {
		uint32_t tix = machine_buffer(m, c, a->thread)->stores[a->arg].tix;

		out[0] = (struct wire_choice){CHOICE_COMMIT, 0, tid, tix};
		return 1;
	}
	s = machine_step(m, c, a->thread);
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
	if (m->model == MODEL_SC)
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
