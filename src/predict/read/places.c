#include "predict/read/places.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "predict/read/lives.h"

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

bool predict_places_writes(const struct wire_event *e)
{
	return e->kind == EVENT_WRITE || e->kind == EVENT_WRITE_RANGE || e->kind == EVENT_RMW;
}

struct extent {
	uint64_t life, from, to;
	size_t event;
};

/* Who uses a cell. */
struct use {
	uint32_t tid; /* the only one so far, NOBODY before */
	bool many, written;
};

#define NOBODY UINT32_MAX
#define MAX_COVERED UINT64_C(50000000) /* cells looked at, over all accesses */
#define FREE_PARTS 65536	       /* events that the accesses of one place may become */
#define PARTS_PER_ACCESS 16	       /* and for each of them so many more */

struct splitter {
	struct predict_places *p;
	const struct trace_bundle *b;
	VEC(struct extent) extents;
	VEC(struct use) uses;	 /* by cell */
	VEC(uint64_t) bounds;	 /* of the place at hand */
	uint64_t left;		 /* of MAX_COVERED */
	uint32_t *shared_before; /* by cell: shared ones before it */
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

static void collect_extents(struct splitter *s)
{
	size_t n = s->b->events.count;

	for (size_t i = 0; i < n; i++) {
		const struct wire_event *e = &s->b->events.items[i];
		uint64_t bytes = predict_places_bytes(e);

		if (bytes > 0 && bytes < UINT64_MAX - e->addr)
			vec_push(&s->extents,
				 ((struct extent){s->p->life_of[i], e->addr, e->addr + bytes, i}));
	}
	if (s->extents.count > 0)
		qsort(s->extents.items, s->extents.count, sizeof(*s->extents.items),
		      by_life_and_address);
}

/* End of the place that begins with extent x: those that overlap, taken transitively. */
static size_t end_of_place(const struct splitter *s, size_t x)
{
	const struct extent *at = s->extents.items;
	uint64_t to = at[x].to;
	size_t end = x + 1;

	for (; end < s->extents.count && at[end].life == at[x].life && at[end].from < to; end++)
		to = at[end].to > to ? at[end].to : to;
	return end;
}

static void note_use(struct use *u, uint32_t tid, bool writes)
{
	if (u->tid == NOBODY)
		u->tid = tid;
	u->many |= u->tid != tid;
	u->written |= writes;
}

static void add_cell(struct splitter *s, uint64_t life, uint64_t from, uint64_t to)
{
	vec_push(&s->p->cells,
		 ((struct predict_cell){life, from, to, UINT32_MAX, UINT32_MAX, false, false, false, false}));
	vec_push(&s->uses, ((struct use){NOBODY, false, false}));
}

static int by_number(const void *x, const void *y)
{
	const uint64_t *a = x, *b = y;

	return *a < *b ? -1 : *a > *b;
}

/* Index of the bound; it is there. */
static uint32_t bound_at(const struct splitter *s, uint64_t address)
{
	const uint64_t *at = bsearch(&address, s->bounds.items, s->bounds.count,
				     sizeof(*s->bounds.items), by_number);

	assert(at != NULL);
	return (uint32_t)(at - s->bounds.items);
}

static void find_bounds(struct splitter *s, size_t x, size_t end)
{
	size_t kept = 0;

	vec_clear(&s->bounds);
	if (s->extents.items[x].from == s->extents.items[end - 1].from &&
	    s->extents.items[x].to == s->extents.items[end - 1].to)
		end = x + 1; /* in their order, all are like the first */
	for (size_t i = x; i < end; i++) {
		vec_push(&s->bounds, s->extents.items[i].from);
		vec_push(&s->bounds, s->extents.items[i].to);
	}
	qsort(s->bounds.items, s->bounds.count, sizeof(*s->bounds.items), by_number);
	for (size_t i = 0; i < s->bounds.count; i++) {
		if (kept == 0 || s->bounds.items[kept - 1] != s->bounds.items[i])
			s->bounds.items[kept++] = s->bounds.items[i];
	}
	s->bounds.count = kept;
}

/* One cell for the whole place; accesses of parts of it are noted as such. */
static void merge_place(struct splitter *s, size_t x, size_t end, uint32_t cell)
{
	struct predict_cell *c = &s->p->cells.items[cell];
	uint64_t to = s->extents.items[x].to;

	for (size_t i = x; i < end; i++)
		to = s->extents.items[i].to > to ? s->extents.items[i].to : to;
	c->to = to;
	c->mixed = true;
	for (size_t i = x; i < end; i++) {
		const struct extent *at = &s->extents.items[i];
		const struct wire_event *e = &s->b->events.items[at->event];

		s->p->first[at->event] = cell;
		s->p->count[at->event] = 1;
		note_use(&s->uses.items[cell], e->tid, predict_places_writes(e));
	}
	c->namer = (uint32_t)s->extents.items[x].event;
}

/* Cells of the accesses, and who uses these; true unless that is too much. */
static bool cover(struct splitter *s, size_t x, size_t end, uint32_t base)
{
	for (size_t i = x; i < end; i++) {
		const struct extent *at = &s->extents.items[i];
		const struct wire_event *e = &s->b->events.items[at->event];
		uint32_t from = base + bound_at(s, at->from), to = base + bound_at(s, at->to);

		assert(from < to);
		if (to - from > s->left)
			return false;
		s->left -= to - from;
		s->p->first[at->event] = from;
		s->p->count[at->event] = to - from;
		for (uint32_t c = from; c < to; c++) {
			struct predict_cell *cell = &s->p->cells.items[c];

			note_use(&s->uses.items[c], e->tid, predict_places_writes(e));
			if (cell->namer == UINT32_MAX ||
			    (to - from == 1 && s->p->count[cell->namer] > 1))
				cell->namer = (uint32_t)at->event;
		}
	}
	return true;
}

static void make_place(struct splitter *s, size_t x, size_t end)
{
	uint32_t base = (uint32_t)s->p->cells.count;
	uint64_t life = s->extents.items[x].life;

	find_bounds(s, x, end);
	for (size_t i = 0; i + 1 < s->bounds.count; i++)
		add_cell(s, life, s->bounds.items[i], s->bounds.items[i + 1]);
	if (!cover(s, x, end, base)) {
		s->p->cells.count = s->uses.count = base;
		add_cell(s, life, s->extents.items[x].from, s->extents.items[x].to);
		merge_place(s, x, end, base);
	}
}

/* Giving memory back writes all of it. */
static void note_frees(struct splitter *s)
{
	struct predict_places *p = s->p;
	uint64_t lives = 0;
	struct use *freed;

	for (size_t i = 0; i < s->b->events.count; i++)
		lives = p->life_of[i] > lives ? p->life_of[i] : lives;
	freed = xcalloc(lives + 1, sizeof(*freed));
	for (uint64_t l = 0; l <= lives; l++)
		freed[l].tid = NOBODY;
	for (size_t i = 0; i < s->b->events.count; i++) {
		if (s->b->events.items[i].kind == EVENT_FREE && p->life_of[i] != 0)
			note_use(&freed[p->life_of[i]], s->b->events.items[i].tid, true);
	}
	for (size_t c = 0; c < p->cells.count; c++) {
		const struct use *f = &freed[p->cells.items[c].life];

		if (f->tid != NOBODY)
			note_use(&s->uses.items[c], f->tid, true);
		s->uses.items[c].many |= f->many;
		p->cells.items[c].shared = s->uses.items[c].many && s->uses.items[c].written;
	}
	free(freed);
}

/* Events that the accesses of the place become. */
static uint64_t parts_of(const struct splitter *s, size_t x, size_t end)
{
	uint64_t parts = 0;

	for (size_t i = x; i < end; i++) {
		size_t event = s->extents.items[i].event;
		uint32_t from = s->p->first[event], to = from + s->p->count[event];

		parts += s->shared_before[to] - s->shared_before[from];
	}
	return parts;
}

/* Places that would become too many events are merged; what is left of their cells is empty. */
static void merge_large(struct splitter *s)
{
	size_t n = s->p->cells.count;

	s->shared_before = xcalloc(n + 1, sizeof(*s->shared_before));
	for (size_t c = 0; c < n; c++)
		s->shared_before[c + 1] = s->shared_before[c] + s->p->cells.items[c].shared;
	for (size_t x = 0, end; x < s->extents.count; x = end) {
		uint32_t cell = s->p->first[s->extents.items[x].event];

		end = end_of_place(s, x);
		if (parts_of(s, x, end) <= FREE_PARTS + PARTS_PER_ACCESS * (uint64_t)(end - x))
			continue;
		merge_place(s, x, end, cell);
		s->p->cells.items[cell].shared = true;
		for (size_t c = cell + 1u; c < n; c++) {
			struct predict_cell *rest = &s->p->cells.items[c];

			if (rest->life != s->p->cells.items[cell].life ||
			    rest->from >= s->p->cells.items[cell].to)
				break;
			rest->from = rest->to = s->p->cells.items[cell].to;
			rest->shared = false;
		}
	}
	free(s->shared_before);
}

/* Kind of the event that this one is glued to; its own when it is not. */
static uint8_t leader_kind(const struct trace_bundle *b, size_t i)
{
	const struct wire_event *e = b->events.items;
	uint32_t tid = e[i].tid;

	while (i > 0 && e[i - 1].tid == tid && predict_places_bytes(&e[i]) > 0 &&
	       e[i].aux & EVENT_GLUED && e[i].kind != EVENT_RMW && e[i].kind != EVENT_CAS_FAIL)
		i--;
	return e[i].kind;
}

static void note_given(struct splitter *s)
{
	struct predict_places *p = s->p;

	for (size_t c = 0; c < p->cells.count; c++)
		p->cells.items[c].unasked = true;
	for (size_t i = 0; i < s->b->events.count; i++) {
		uint8_t kind = p->count[i] > 0 ? leader_kind(s->b, i) : EVENT_NONE;

		for (uint32_t c = p->first[i]; c < p->first[i] + p->count[i]; c++) {
			struct predict_cell *cell = &p->cells.items[c];

			cell->unasked &= kind == EVENT_SLEEP;
			cell->given |= !s->uses.items[c].many &&
				       (kind == EVENT_THREAD_CREATE || kind == EVENT_THREAD_JOIN);
		}
	}
}

bool predict_places_silent(const struct predict_places *p, const struct trace_bundle *b, size_t i)
{
	const struct wire_event *e = &b->events.items[i];
	bool hidden = (e->kind == EVENT_READ || e->kind == EVENT_WRITE) && e->aux & EVENT_HIDDEN;

	assert(p->count[i] > 0);
	for (uint32_t c = p->first[i]; c < p->first[i] + p->count[i]; c++) {
		const struct predict_cell *cell = &p->cells.items[c];

		if (!(hidden && cell->unasked) && (cell->shared || !(hidden || cell->given)))
			return false;
	}
	return true;
}

void predict_places_init(struct predict_places *p, const struct trace_bundle *b)
{
	struct splitter s = {.p = p, .b = b, .left = MAX_COVERED};
	size_t n = b->events.count;

	memset(p, 0, sizeof(*p));
	p->first = xcalloc(n + 1, sizeof(*p->first));
	p->count = xcalloc(n + 1, sizeof(*p->count));
	p->life_of = xcalloc(n + 1, sizeof(*p->life_of));
	predict_lives_follow(b, p->life_of);
	collect_extents(&s);
	for (size_t x = 0, end; x < s.extents.count; x = end) {
		end = end_of_place(&s, x);
		make_place(&s, x, end);
	}
	note_frees(&s);
	merge_large(&s);
	note_given(&s);
	vec_free(&s.extents);
	vec_free(&s.uses);
	vec_free(&s.bounds);
}

void predict_places_fini(struct predict_places *p)
{
	vec_free(&p->cells);
	free(p->first);
	free(p->count);
	free(p->life_of);
}

void predict_places_of_life(const struct predict_places *p, uint64_t life, uint32_t *from,
			    uint32_t *to)
{
	size_t low = 0, high = p->cells.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (p->cells.items[middle].life < life)
			low = middle + 1;
		else
			high = middle;
	}
	*from = (uint32_t)low;
	while (low < p->cells.count && p->cells.items[low].life == life)
		low++;
	*to = (uint32_t)low;
}

uint32_t predict_places_find(const struct predict_places *p, uint64_t life, uint64_t addr)
{
	size_t low = 0, high = p->cells.count;

	while (low < high) { /* first cell that ends behind the address */
		size_t middle = low + (high - low) / 2;
		const struct predict_cell *x = &p->cells.items[middle];

		if (x->life < life || (x->life == life && x->to <= addr))
			low = middle + 1;
		else
			high = middle;
	}
	if (low < p->cells.count && p->cells.items[low].life == life &&
	    p->cells.items[low].from <= addr)
		return (uint32_t)low;
	return UINT32_MAX;
}
