#include "explain/conflicts.h"

/* One operation at one aligned eight of memory, or at an object. */
struct touch {
	uint64_t place;
	uint32_t op;
	uint8_t mask; /* bytes of the eight; 0: an object */
	bool writes;
};

struct finder {
	const struct explain_exec *x;
	VEC(struct touch) touches;
	struct explain_conflicts *out;
};

static void add_memory(struct finder *f, uint32_t op)
{
	const struct wire_event *v = explain_event(f->x, op);
	uint64_t end = v->addr + explain_bytes(v);

	for (uint64_t eight = v->addr / 8; eight * 8 < end; eight++) {
		struct touch t = {eight, op, 0, explain_writes(v)};

		for (unsigned i = 0; i < 8; i++)
			if (eight * 8 + i >= v->addr && eight * 8 + i < end)
				t.mask |= (uint8_t)(1u << i);
		vec_push(&f->touches, t);
	}
}

/* Objects lie beside memory in the list: their place has the top bit set. */
static void add_object(struct finder *f, uint32_t op, uint64_t addr)
{
	vec_push(&f->touches, ((struct touch){addr | UINT64_C(1) << 63, op, 0, true}));
}

static int by_place(const void *a, const void *b)
{
	const struct touch *x = a, *y = b;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return x->op < y->op ? -1 : x->op > y->op;
}

static bool conflict(const struct finder *f, const struct touch *a, const struct touch *b)
{
	return f->x->ops.items[a->op].thread != f->x->ops.items[b->op].thread &&
	       (a->writes || b->writes) && (a->mask == b->mask || (a->mask & b->mask));
}

/* Backwards from touch i: until a write (of any thread) that covers it. */
static void pair_up(struct finder *f, size_t i)
{
	const struct touch *b = &f->touches.items[i];

	for (size_t k = i; k-- > 0 && f->touches.items[k].place == b->place;) {
		const struct touch *a = &f->touches.items[k];

		if (conflict(f, a, b))
			vec_push(f->out, ((struct explain_conflict){a->op, b->op}));
		if (a->writes && (a->mask & b->mask) == b->mask)
			return;
	}
}

static int by_gap(const void *a, const void *b)
{
	const struct explain_conflict *x = a, *y = b;
	uint32_t gx = x->second - x->first, gy = y->second - y->first;

	if (gx != gy)
		return gx < gy ? -1 : 1;
	return x->second > y->second ? -1 : x->second < y->second;
}

static void drop_twins(struct explain_conflicts *c)
{
	size_t n = 0;

	for (size_t i = 0; i < c->count; i++)
		if (n == 0 || c->items[n - 1].first != c->items[i].first ||
		    c->items[n - 1].second != c->items[i].second)
			c->items[n++] = c->items[i];
	c->count = n;
}

void explain_conflicts_find(const struct explain_exec *x, size_t max, struct explain_conflicts *out,
			    bool *left_out)
{
	struct finder f = {.x = x, .out = out};

	for (uint32_t i = 0; i < x->ops.count; i++) {
		const struct wire_event *v = explain_event(x, i);

		if (explain_bytes(v) > 0)
			add_memory(&f, i);
		if (explain_syncs(v))
			add_object(&f, i, explain_object(v));
		if (v->kind == EVENT_COND_WAIT || v->kind == EVENT_COND_WAKE)
			add_object(&f, i, v->value);
	}
	if (f.touches.count > 1)
		qsort(f.touches.items, f.touches.count, sizeof(struct touch), by_place);
	for (size_t i = 0; i < f.touches.count; i++)
		pair_up(&f, i);
	if (out->count > 1)
		qsort(out->items, out->count, sizeof(*out->items), by_gap);
	drop_twins(out);
	*left_out = out->count > max;
	if (out->count > max)
		out->count = max;
	vec_free(&f.touches);
}
