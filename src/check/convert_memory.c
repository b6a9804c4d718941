/* Accesses to memory as steps: see ingest.h. */
#include "check/ingest_thread.h"

#define ORDER(aux) ((aux) & 7)

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
	if (done)
		vec_push(&t->reads, (uint8_t)(rc > 0));
	/* Before main begins threads the image is ahead of it. */
	if (rc > 0 && done && x->model == MODEL_SC && x->threads.count > 1 &&
	    load_image(x, s->step.offset, ev->size) != ev->value)
		return err_set(e, ERR_MISMATCH,
			       "memory at 0x%lx that threads share was written by code that is not "
			       "instrumented",
			       (unsigned long)ev->addr);
	return rc;
}

static int convert_write(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			 struct ingest_step *s)
{
	int rc;

	s->step.op = LEARN_WRITE;
	s->step.value = ev->value;
	rc = convert_access(x, t, ev, s);
	if (rc > 0 && x->model != MODEL_SC && ev->kind == EVENT_WRITE)
		s->step.flags |= LEARN_THROUGH;
	if (rc > 0 && ev->kind == EVENT_ISSUE && ORDER(ev->aux) == ORDER_RELEASE)
		s->step.flags |= LEARN_EPOCH;
	return rc;
}

static int convert_rmw(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
		       bool done, struct ingest_step *s, struct err *e)
{
	int rc;

	s->step.op = LEARN_RMW;
	if (ev->size > 8)
		return err_set(e, ERR_UNSUPPORTED, "16-byte atomics are not modelled");
	rc = convert_access(x, t, ev, s);
	s->step.flags |= LEARN_ATOMIC;
	if (done && ev->kind == EVENT_CAS_FAIL)
		vec_push(&t->reads, (uint8_t)(rc > 0));
	if (rc <= 0)
		return rc;
	s->outcome = load_image(x, s->step.offset, ev->size);
	s->writes = ev->kind == EVENT_RMW;
	s->written = ev->value;
	if (done && x->threads.count > 1 && ev->kind == EVENT_CAS_FAIL && s->outcome != ev->value)
		return err_set(e, ERR_MISMATCH, "shared memory at 0x%lx changed unseen",
			       (unsigned long)ev->addr);
	return 1;
}

/* The tracked objects of a range as a set, with a class for each. */
static uint32_t objects_of(struct ingest *x, struct ingest_thread *t, uint32_t first,
			   uint64_t end, enum foot_kind kind)
{
	uint32_t set = 0;

	for (uint32_t o = first; o < x->cells->tracked.count; o++) {
		if (x->l->objects.items[o].address >= end)
			break;
		set = intern_add(&x->l->sets, set, o);
		if (kind != FOOT_KINDS)
			ingest_class(x, t, o, kind);
	}
	return set;
}

/* READ_RANGE, WRITE_RANGE, FREE, ALLOC: value = number of bytes. */
static int convert_range(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			 uint64_t size, enum learn_op op, struct ingest_step *s)
{
	struct learn_step *step = &s->step;
	uint32_t first, bytes;
	enum foot_kind kind = op == LEARN_READ_BYTES ? FOOT_READ
			      : op == LEARN_ALLOC    ? FOOT_KINDS
						     : FOOT_WRITE;

	step->op = (uint8_t)op;
	first = cells_find(x->cells, x->l, ev->addr, size, &step->offset, &bytes);
	if (first == LEARN_NONE)
		return 0;
	step->object = LEARN_NONE;
	step->value = bytes;
	step->objects = objects_of(x, t, first, ev->addr + size, kind);
	if (op == LEARN_READ_BYTES)
		s->outcome = intern_hash_bytes(x->image.items + step->offset, bytes);
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

	if (done)
		vec_push(&x->freed, b);
	return convert_range(x, t, ev, done ? ev->value : freed_size(x, ev->addr), LEARN_FREE, s);
}

static int convert_park(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
			struct ingest_step *s)
{
	uint32_t count = ev->aux, node = t->at.node;

	s->step.op = LEARN_PARK;
	for (uint32_t i = 0; i < count && i < t->reads.count; i++)
		s->step.value += t->reads.items[t->reads.count - 1 - i];
	for (uint64_t i = 0; i < s->step.value && x->l->nodes.items[node].parent; i++) {
		node = x->l->nodes.items[node].parent;
		ingest_class(x, t, vec_last(&x->l->nodes.items[node].steps).object, FOOT_READ);
	}
	return 1;
}

static int convert_fence(struct ingest *x, const struct wire_event *ev, struct ingest_step *s)
{
	uint32_t order = ev->kind == EVENT_DRAIN ? ORDER_SEQ_CST : ev->aux;

	if (x->model == MODEL_SC)
		return 0;
	s->step.op = order == ORDER_SEQ_CST ? LEARN_FENCE : LEARN_RELEASE;
	/* Where a thread only waits for its stores to be seen, it may stand as at a fence. */
	s->step.flags = ev->kind == EVENT_DRAIN || ev->site == SITE_NONE ? LEARN_QUIET : 0;
	return order == ORDER_SEQ_CST || order == ORDER_RELEASE || order == ORDER_ACQ_REL;
}

/* Touches memory of its thread alone, but not before the thread's stores have reached theirs. */
static bool drains_unseen(const struct ingest *x, const struct wire_event *ev)
{
	return x->model != MODEL_SC &&
	       (ev->kind == EVENT_WRITE || ev->kind == EVENT_RMW || ev->kind == EVENT_CAS_FAIL ||
		ev->kind == EVENT_READ_RANGE || ev->kind == EVENT_WRITE_RANGE ||
		ev->kind == EVENT_FREE);
}

static int convert(struct ingest *x, struct ingest_thread *t, const struct wire_event *ev,
		   bool done, struct ingest_step *s, struct err *e)
{
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
		return convert_range(x, t, ev, ev->value, LEARN_READ_BYTES, s);
	case EVENT_WRITE_RANGE:
		return convert_range(x, t, ev, ev->value, LEARN_WRITE_BYTES, s);
	case EVENT_FREE:
		return convert_free(x, t, ev, done, s);
	case EVENT_ALLOC:
		return convert_range(x, t, ev, ev->value, LEARN_ALLOC, s);
	case EVENT_SPIN_PARK:
		return convert_park(x, t, ev, s);
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
	return 1;
}
