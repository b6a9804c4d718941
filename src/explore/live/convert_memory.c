/* Accesses to memory as steps: see ingest.h. */
#include <assert.h>

#include "explore/live/ingest_thread.h"

#define ORDER(aux) ((aux)&7)
#define RMW_OLD_BITS 29

static uint64_t load_image(const struct ingest *x, uint32_t offset, uint32_t size)
{
	uint64_t value = 0;

	memcpy(&value, x->image.items + offset, size < 8 ? size : 8);
	return value;
}

static int convert_access(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			  struct ingest_step *s)
{
	struct learn_step *step = &s->step;
	uint32_t bytes, size = ev->size;

	step->object = cells_find(x->cells, x->l, ev->addr, size, &step->offset, &bytes);
	if (step->object == LEARN_NONE)
		return 0;
	step->size = (uint8_t)size;
	step->split = size && ev->addr % size;
	step->flags = ORDER(ev->aux) != ORDER_PLAIN ? LEARN_ATOMIC : 0;
	ingest_class(x, t, step->object, step->op == LEARN_READ ? FOOT_READ : FOOT_WRITE);
	return 1;
}

static int convert_read(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			bool done, struct ingest_step *s, struct err *e)
{
	int rc;

	s->step.op = LEARN_READ;
	s->outcome = ev->value;
	rc = convert_access(x, t, ev, s);
	if (done && !(ev->aux & EVENT_HIDDEN))
		vec_push(&t->reads, rc > 0);
	if (rc > 0 && done && ingest_see(x, t, ev, ev->site, e))
		return ERR_MISMATCH;
	return rc;
}

static int convert_write(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			 struct ingest_step *s)
{
	int rc;

	s->step.op = LEARN_WRITE;
	s->step.value = ev->value;
	rc = convert_access(x, t, ev, s);
	if (rc > 0)
		t->wrote = ev->tix + 1;
	if (rc > 0 && wire_model_buffers(x->model) && ev->kind == EVENT_WRITE)
		s->step.flags |= LEARN_THROUGH;
	if (rc > 0 && ev->kind == EVENT_ISSUE && ORDER(ev->aux) == ORDER_RELEASE)
		s->step.flags |= LEARN_EPOCH;
	return rc;
}

/* The event has the low bits of the old value. */
static int see_old(const struct ingest *x, const struct wire_event *ev, const struct ingest_step *s,
		   struct err *e)
{
	uint32_t bits = ev->size >= 4 ? RMW_OLD_BITS : (uint32_t)ev->size * 8;
	uint64_t mask = (UINT64_C(1) << bits) - 1;

	for (uint32_t i = 0; i < ev->size; i++)
		if (!x->known.items[s->step.offset + i])
			return 1;
	if (x->threads.count > 1 && ((s->outcome ^ ev->aux >> 3) & mask)) {
		x->l->clash[0] = ev->site;
		return err_set(e, ERR_MISMATCH,
			       "memory that threads share was written by code that is not "
			       "instrumented");
	}
	return 1;
}

/* A weak compare and swap: what it expects belongs to the step, failing for nothing is an outcome.
 */
static void convert_weak(struct ingest_thread *t, const struct wire_event *ev, bool done,
			 struct ingest_step *s)
{
	if (done ? !t->weak : !(ev->aux & RMW_WEAK))
		return;
	s->step.weak = 1;
	s->step.value = done ? t->weak_expected : ev->value;
	if (done && t->weak_failed)
		s->outcome = learn_spurious(s->step.value);
	t->weak = t->weak && !done;
}

static int convert_rmw(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
		       bool done, struct ingest_step *s, struct err *e)
{
	int rc;

	s->step.op = LEARN_RMW;
	if (ev->size > 8)
		return err_set(e, ERR_FORMAT, "an exchange of %u bytes in one event", ev->size);
	rc = convert_access(x, t, ev, s);
	s->step.flags |= LEARN_ATOMIC;
	if (done && (ev->kind == EVENT_CAS_FAIL || rmw_keeps(ev->value, ev->aux)))
		vec_push(&t->reads, rc > 0);
	if (rc <= 0) {
		t->weak = t->weak && !done;
		return rc;
	}
	s->outcome = load_image(x, s->step.offset, ev->size);
	s->writes = ev->kind == EVENT_RMW;
	s->written = ev->value;
	if (done && ev->kind == EVENT_CAS_FAIL && ingest_see(x, t, ev, ev->site, e))
		return ERR_MISMATCH;
	rc = done && ev->kind == EVENT_RMW ? see_old(x, ev, s, e) : 1;
	convert_weak(t, ev, done, s);
	return rc;
}

/* The tracked objects of a range as a set, with a class for each. */
static uint32_t objects_of(struct ingest *x, struct ingest_thread *t, uint32_t first, uint64_t end,
			   enum foot_kind kind)
{
	vec_clear(&x->range);
	for (uint32_t o = first; o < x->cells->tracked.count; o++) {
		if (x->l->objects.items[o].address >= end)
			break;
		vec_push(&x->range, o);
		if (kind != FOOT_KINDS)
			ingest_class(x, t, o, kind);
	}
	return intern_set(&x->l->sets, x->range.items, (uint32_t)x->range.count);
}

/* READ_RANGE, WRITE_RANGE, FREE, ALLOC: value = number of bytes. */
static int convert_range(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			 uint64_t size, enum learn_op op, struct ingest_step *s)
{
	struct learn_step *step = &s->step;
	uint32_t first, bytes;
	enum foot_kind kind = op == LEARN_READ_BYTES		       ? FOOT_READ
			      : op == LEARN_ALLOC || op == LEARN_ENTER ? FOOT_KINDS
								       : FOOT_WRITE;

	step->op = (uint8_t)op;
	step->outside = (ev->aux & EVENT_GLUED) && ORDER(ev->aux) == ORDER_PLAIN;
	if (ORDER(ev->aux) != ORDER_PLAIN && (op == LEARN_READ_BYTES || op == LEARN_WRITE_BYTES))
		step->flags |= LEARN_ATOMIC;
	first = cells_find(x->cells, x->l, ev->addr, size, &step->offset, &bytes);
	if (first == LEARN_NONE)
		return 0;
	step->needless =
		op != LEARN_ALLOC && ev->kind != EVENT_STACK && !(step->flags & LEARN_ATOMIC);
	step->object = LEARN_NONE;
	step->value = bytes;
	step->objects = objects_of(x, t, first, ev->addr + size, kind);
	if (op == LEARN_READ_BYTES)
		s->outcome = intern_hash_bytes(x->image.items + step->offset, bytes);
	return 1;
}

/* The bytes from `at' on that are tracked without a gap, as one object of several. */
static uint64_t run_end(const struct ingest *x, uint32_t first)
{
	const struct cell *c = &x->cells->tracked.items[first];
	uint64_t end = c->address + c->size;

	for (uint32_t o = first + 1; o < x->cells->tracked.count; o++) {
		c = &x->cells->tracked.items[o];
		if (c->address != end)
			break;
		end = c->address + c->size;
	}
	return end;
}

int ingest_convert_string(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			  uint64_t *at, uint64_t end, struct ingest_step *s)
{
	struct learn_step *step = &s->step;
	uint32_t first, bytes;
	uint64_t from, to, here;

	vec_clear(&x->classes);
	*s = (struct ingest_step){.step = {.op = LEARN_READ_STRING,
					   .outside = true,
					   .site = ev->site,
					   .tix = ev->tix,
					   .object = LEARN_NONE,
					   .other = LEARN_NONE}};
	first = cells_find(x->cells, x->l, *at, end - *at, &step->offset, &bytes);
	if (first == LEARN_NONE)
		return 0;
	from = x->cells->tracked.items[first].address;
	from = from > *at ? from : *at;
	to = run_end(x, first);
	if (EVENT_LIMIT(ev->aux) && to > ev->addr + EVENT_LIMIT(ev->aux))
		to = ev->addr + EVENT_LIMIT(ev->aux);
	step->value = to - from;
	here = to < end ? to : end;
	assert(here > from);
	step->objects = objects_of(x, t, first, here, FOOT_READ);
	s->outcome = intern_hash_bytes(x->image.items + step->offset, here - from);
	*at = here;
	return 1;
}

static uint64_t freed_size(const struct ingest *x, uint64_t address)
{
	for (size_t i = x->freed.count; i-- > 0;)
		if (x->freed.items[i].address == address)
			return x->freed.items[i].size;
	return 0;
}

static int convert_free(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			bool done, struct ingest_step *s)
{
	struct ingest_block b = {ev->addr, ev->value};
	uint64_t size = done ? ev->value : freed_size(x, ev->addr);

	if (done)
		vec_push(&x->freed, b);
	/* Blocks of no bytes have an address, which can be given back twice. */
	return convert_range(x, t, ev, size ? size : 1, LEARN_FREE, s);
}

/* Who waits for a change of what a step read reads it again. */
static void park_class(struct ingest *x, struct ingest_thread *t, const struct learn_step *read)
{
	const struct intern *sets = &x->l->sets;
	bool memory = read->object != LEARN_NONE &&
		      x->l->objects.items[read->object].kind == LEARN_MEMORY;

	if (read->object != LEARN_NONE)
		ingest_class(x, t, read->object, memory ? FOOT_READ : FOOT_TRY);
	for (uint32_t i = 0; read->objects && i < intern_count(sets, read->objects); i++)
		ingest_class(x, t, intern_elements(sets, read->objects)[i], FOOT_READ);
}

/* value: 1 + tix of the first event of the round; STORED: it stored something on its own stack. */
static int convert_park(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			struct ingest_step *s, struct err *e)
{
	uint32_t count = ev->aux, node = t->at.node;

	if ((ev->value & EVENT_PARK_STORED) && t->wrote >= (ev->value & ~EVENT_PARK_STORED))
		return err_set(e, ERR_UNSUPPORTED,
			       "a loop that waits writes memory that threads share");
	s->step.op = LEARN_PARK;
	for (uint32_t i = 0; i < count && i < t->reads.count; i++)
		s->step.value += t->reads.items[t->reads.count - 1 - i];
	for (uint64_t i = 0; i < s->step.value && x->l->nodes.items[node].parent; i++) {
		node = x->l->nodes.items[node].parent;
		park_class(x, t, &vec_last(&x->l->nodes.items[node].steps));
	}
	return 1;
}

static int convert_fence(struct ingest *x, const struct wire_event *ev, struct ingest_step *s)
{
	uint32_t order = ev->kind == EVENT_DRAIN ? ORDER_SEQ_CST : ev->aux;

	if (!wire_model_buffers(x->model))
		return 0;
	s->step.op = order == ORDER_SEQ_CST ? LEARN_FENCE : LEARN_RELEASE;
	/* Where a thread only waits for its stores to be seen, it may stand as at a fence. */
	s->step.flags = ev->kind == EVENT_DRAIN || ev->site == SITE_NONE ? LEARN_QUIET : 0;
	s->step.needless = ev->kind == EVENT_DRAIN && ev->aux;
	return order == ORDER_SEQ_CST || order == ORDER_RELEASE || order == ORDER_ACQ_REL;
}

/* Touches memory of its thread alone, but not before the thread's stores have reached theirs. */
static bool drains_unseen(const struct ingest *x, const struct wire_event *ev)
{
	return wire_model_buffers(x->model) &&
	       (ev->kind == EVENT_WRITE || ev->kind == EVENT_RMW || ev->kind == EVENT_CAS_FAIL ||
		ev->kind == EVENT_READ_RANGE || ev->kind == EVENT_WRITE_RANGE ||
		ev->kind == EVENT_FREE);
}

static int convert(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
		   bool done, struct ingest_step *s, struct err *e)
{
	int rc;

	switch (ev->kind) {
	case EVENT_READ:
		return convert_read(x, t, ev, done, s, e);
	case EVENT_WRITE:
	case EVENT_ISSUE:
		return convert_write(x, t, ev, s);
	case EVENT_RMW:
	case EVENT_CAS_FAIL:
		return convert_rmw(x, t, ev, done, s, e);
	case EVENT_READ_RANGE:
		rc = convert_range(x, t, ev, ev->value, LEARN_READ_BYTES, s);
		if (done)
			vec_push(&t->reads, rc > 0);
		return rc;
	case EVENT_WRITE_RANGE:
		rc = convert_range(x, t, ev, ev->value, LEARN_WRITE_BYTES, s);
		if (rc > 0)
			t->wrote = ev->tix + 1;
		return rc;
	case EVENT_FREE:
		return convert_free(x, t, ev, done, s);
	case EVENT_ALLOC:
		return convert_range(x, t, ev, ev->value, LEARN_ALLOC, s);
	case EVENT_STACK:
		return convert_range(x, t, ev, ev->value,
				     ev->aux == STACK_ENDS ? LEARN_FREE
				     : ev->aux		   ? LEARN_RETURN
							   : LEARN_ENTER,
				     s);
	case EVENT_SPIN_PARK:
		return convert_park(x, t, ev, s, e);
	case EVENT_FENCE:
	case EVENT_DRAIN:
		return convert_fence(x, ev, s);
	default:
		return 0;
	}
}

int ingest_convert_memory(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			  bool done, struct ingest_step *s, struct err *e)
{
	const struct ingest_step empty = *s;
	int rc = convert(x, t, ev, done, s, e);

	if (rc != 0 || !drains_unseen(x, ev))
		return rc;
	vec_clear(&x->classes);
	*s = empty;
	s->step.op = LEARN_FENCE;
	s->step.needless =
		ev->kind != EVENT_RMW && ev->kind != EVENT_CAS_FAIL && ev->kind != EVENT_WRITE;
	return 1;
}
