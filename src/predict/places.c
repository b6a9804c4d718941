#include "predict/places.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "wire/ctl.h"

uint64_t predict_places_bytes(const struct wire_event *e)
{
	switch (e->kind) {
	case EVENT_READ:
	case EVENT_WRITE:
	case EVENT_RMW:
	case EVENT_CAS_FAIL:
		return e->size;
	case EVENT_READ_RANGE:
	case EVENT_WRITE_RANGE:
		return e->value;
	default:
		return 0;
	}
}

/* ---- lives of memory ---- */

struct block {
	uint64_t from, to, life;
};

struct slot {
	uint64_t life;
	uint32_t owner; /* first thread that used it in this life */
	bool used;
};

struct lives {
	VEC(struct block) blocks; /* by address, not overlapping; freed ones stay until reused */
	struct slot slots[WIRE_MAX_LIVE];
	uint64_t *begun, *ended; /* by thread: index of the event + 1, 0 = not yet */
	uint64_t last;		 /* life handed out */
};

static size_t block_at_or_after(const struct lives *l, uint64_t addr)
{
	size_t low = 0, high = l->blocks.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (l->blocks.items[middle].to <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void begin_block(struct lives *l, uint64_t from, uint64_t bytes)
{
	uint64_t to = bytes > UINT64_MAX - from ? UINT64_MAX : from + bytes;
	size_t at = block_at_or_after(l, from), end = at;

	while (end < l->blocks.count && l->blocks.items[end].from < to)
		end++;
	if (end == at) {
		vec_push(&l->blocks, ((struct block){0, 0, 0}));
		memmove(l->blocks.items + at + 1, l->blocks.items + at,
			(l->blocks.count - 1 - at) * sizeof(*l->blocks.items));
	} else {
		memmove(l->blocks.items + at + 1, l->blocks.items + end,
			(l->blocks.count - end) * sizeof(*l->blocks.items));
		l->blocks.count -= end - at - 1;
	}
	l->blocks.items[at] = (struct block){from, to, ++l->last};
}

static uint64_t slot_life(struct lives *l, uint64_t addr, uint32_t tid)
{
	struct slot *s = &l->slots[(addr - WIRE_SLOTS_ADDR) / WIRE_SLOT_BYTES];
	bool reused = s->used && l->ended[s->owner] != 0 && s->owner != tid &&
		      l->begun[tid] > l->ended[s->owner];

	if (!s->used || reused) {
		s->used = true;
		s->owner = tid;
		s->life = ++l->last;
	}
	return s->life;
}

static uint64_t life_at(struct lives *l, uint64_t addr, uint32_t tid)
{
	size_t at;

	if (addr >= WIRE_SLOTS_ADDR && addr < WIRE_SLOTS_ADDR + WIRE_MAX_LIVE * WIRE_SLOT_BYTES)
		return slot_life(l, addr, tid);
	at = block_at_or_after(l, addr);
	if (at < l->blocks.count && l->blocks.items[at].from <= addr)
		return l->blocks.items[at].life;
	return 0;
}

static void follow_lives(struct predict_places *p, const struct trace_bundle *b)
{
	struct lives l = {.last = 0};

	l.begun = xcalloc(WIRE_MAX_THREADS + 1, sizeof(*l.begun));
	l.ended = xcalloc(WIRE_MAX_THREADS + 1, sizeof(*l.ended));
	for (size_t i = 0; i < b->events.count; i++) {
		const struct wire_event *e = &b->events.items[i];
		uint32_t tid = e->tid < WIRE_MAX_THREADS ? e->tid : WIRE_MAX_THREADS;

		if (e->kind == EVENT_THREAD_BEGIN)
			l.begun[tid] = i + 1;
		else if (e->kind == EVENT_THREAD_END)
			l.ended[tid] = i + 1;
		else if (e->kind == EVENT_ALLOC)
			begin_block(&l, e->addr, e->value);
		p->life_of[i] = life_at(&l, e->addr, tid);
	}
	vec_free(&l.blocks);
	free(l.begun);
	free(l.ended);
}

/* ---- places ---- */

struct extent {
	uint64_t life, from, to;
	size_t event;
};

static int by_life_and_address(const void *x, const void *y)
{
	const struct extent *a = x, *b = y;

	if (a->life != b->life)
		return a->life < b->life ? -1 : 1;
	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	if (a->to != b->to)
		return a->to < b->to ? -1 : 1;
	return a->event < b->event ? -1 : a->event > b->event;
}

static void add_extent(struct predict_places *p, const struct extent *x)
{
	struct predict_place *last = p->places.count > 0 ? &vec_last(&p->places) : NULL;

	if (last != NULL && last->life == x->life && x->from < last->to) {
		last->mixed |= x->from != last->from || x->to != last->to;
		if (x->to > last->to)
			last->to = x->to;
	} else {
		vec_push(&p->places,
			 ((struct predict_place){x->life, x->from, x->to, false, UINT32_MAX}));
	}
	p->place_of[x->event] = (uint32_t)p->places.count - 1;
}

void predict_places_init(struct predict_places *p, const struct trace_bundle *b)
{
	VEC(struct extent) extents = VEC_INIT;
	size_t n = b->events.count;

	memset(p, 0, sizeof(*p));
	p->place_of = xmalloc((n + 1) * sizeof(*p->place_of));
	p->life_of = xcalloc(n + 1, sizeof(*p->life_of));
	follow_lives(p, b);
	for (size_t i = 0; i < n; i++) {
		const struct wire_event *e = &b->events.items[i];
		uint64_t bytes = predict_places_bytes(e);

		p->place_of[i] = UINT32_MAX;
		if (bytes > 0 && bytes < UINT64_MAX - e->addr)
			vec_push(&extents,
				 ((struct extent){p->life_of[i], e->addr, e->addr + bytes, i}));
	}
	if (extents.count > 0)
		qsort(extents.items, extents.count, sizeof(*extents.items), by_life_and_address);
	for (size_t i = 0; i < extents.count; i++)
		add_extent(p, &extents.items[i]);
	vec_free(&extents);
}

void predict_places_fini(struct predict_places *p)
{
	vec_free(&p->places);
	free(p->place_of);
	free(p->life_of);
}

void predict_places_of_life(const struct predict_places *p, uint64_t life, uint32_t *from,
			    uint32_t *to)
{
	size_t low = 0, high = p->places.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (p->places.items[middle].life < life)
			low = middle + 1;
		else
			high = middle;
	}
	*from = (uint32_t)low;
	while (low < p->places.count && p->places.items[low].life == life)
		low++;
	*to = (uint32_t)low;
}

uint32_t predict_places_find(const struct predict_places *p, uint64_t life, uint64_t addr)
{
	size_t low = 0, high = p->places.count;

	while (low < high) { /* first place that ends behind the address */
		size_t middle = low + (high - low) / 2;
		const struct predict_place *x = &p->places.items[middle];

		if (x->life < life || (x->life == life && x->to <= addr))
			low = middle + 1;
		else
			high = middle;
	}
	if (low < p->places.count && p->places.items[low].life == life &&
	    p->places.items[low].from <= addr)
		return (uint32_t)low;
	return UINT32_MAX;
}
