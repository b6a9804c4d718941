#include "solve/strace/facts.h"

#include <assert.h>

#include "model/memory_model.h"

#define CLOSURE_NODES 6000 /* bit rows of so many nodes: a few megabytes */

static void edge(struct strace_facts *f, uint32_t a, uint32_t b)
{
	assert((a == STRACE_NONE || a < f->nodes) && (b == STRACE_NONE || b < f->nodes));
	if (a != STRACE_NONE && b != STRACE_NONE && a != b)
		vec_push(&f->edges, ((struct strace_edge){a, b}));
}

/* ---- program order ---- */

/* What the next event of a thread has to follow. */
struct tail {
	uint32_t load;	/* last read or draining event */
	uint32_t store; /* last write or draining event */
	struct strace_list stores; /* PSO: writes since the last draining or releasing one */
};

static void follow_stores(struct strace_facts *f, struct tail *t, uint32_t e)
{
	for (size_t i = 0; i < t->stores.count; i++)
		edge(f, t->stores.items[i], e);
	vec_clear(&t->stores);
}

static void follow_drain(struct strace_facts *f, struct tail *t, uint32_t e)
{
	edge(f, t->load, e);
	if (t->store != t->load)
		edge(f, t->store, e);
	follow_stores(f, t, e);
	t->load = t->store = e;
}

/* The last store of the thread to a cell of e that is still among the unordered ones. */
static void follow_same_cells(struct strace_facts *f, const struct tail *t, uint32_t e)
{
	const struct strace_event *ev = &f->t->events.items[e];

	for (uint32_t k = ev->first; k < ev->first + ev->count; k++) {
		uint32_t own = f->t->parts.items[k].own;

		if (own == STRACE_NONE)
			continue;
		for (size_t i = 0; i < t->stores.count; i++)
			if (t->stores.items[i] == f->t->parts.items[own].event)
				edge(f, t->stores.items[i], e);
	}
}

static void follow_store(struct strace_facts *f, struct tail *t, uint32_t e)
{
	bool release = f->t->events.items[e].flags & STRACE_RELEASE;
	bool in_line = model_memory_get(f->o.model)->keeps_write_write;

	assert(f->t->events.items[e].op == STRACE_WRITE);
	/* All older stores come before it and before later ones: a node of its own between them. */
	if (release && !in_line) {
		uint32_t epoch = f->nodes++;

		edge(f, t->store, epoch);
		follow_stores(f, t, epoch);
		t->store = epoch;
	}
	edge(f, t->load, e);
	if (t->store != t->load)
		edge(f, t->store, e);
	if (in_line) {
		t->store = e;
	} else {
		follow_same_cells(f, t, e);
		vec_push(&t->stores, e);
	}
}

static void follow_program(struct strace_facts *f, uint32_t thread)
{
	const struct strace_list *p = &f->t->program.items[thread];
	struct tail t = {STRACE_NONE, STRACE_NONE, {NULL, 0, 0}};
	bool buffered = model_memory_get(f->o.model)->buffered;

	for (size_t i = 0; i < p->count; i++) {
		uint32_t e = p->items[i];
		const struct strace_event *ev = &f->t->events.items[e];

		if (!buffered || strace_event_drains(ev)) {
			follow_drain(f, &t, e);
		} else if (ev->op == STRACE_WRITE) {
			follow_store(f, &t, e);
		} else {
			edge(f, t.load, e);
			t.load = e;
		}
	}
	vec_free(&t.stores);
}

/* ---- life of threads ---- */

/*
 * Every event of a thread comes after its fork, and before a join with it: the first ones of a
 * thread, or its last ones, need not be ordered among themselves.
 */
static void follow_life(struct strace_facts *f, uint32_t e)
{
	const struct strace_event *ev = &f->t->events.items[e];
	const struct strace_list *p;

	assert(ev->op == STRACE_FORK || ev->op == STRACE_JOIN);
	if (ev->object >= f->t->threads)
		return;
	p = &f->t->program.items[ev->object];
	for (size_t i = 0; i < p->count; i++) {
		if (ev->op == STRACE_FORK)
			edge(f, e, p->items[i]);
		else
			edge(f, p->items[i], e);
		if (i == 0 && ev->op == STRACE_FORK &&
		    strace_event_drains(&f->t->events.items[p->items[0]]))
			break;
	}
}

/* ---- cores ---- */

static int by_core(const void *a, const void *b)
{
	const struct strace_event *const *x = a, *const *y = b;

	if ((*x)->core != (*y)->core)
		return (*x)->core < (*y)->core ? -1 : 1;
	return (*x)->core_at < (*y)->core_at ? -1 : (*x)->core_at > (*y)->core_at;
}

struct placed {
	VEC_FIELDS(const struct strace_event *);
};

static bool writes(const struct strace_event *e)
{
	return e->op == STRACE_WRITE || e->op == STRACE_RMW;
}

static void find_placed(const struct strace *t, struct placed *out)
{
	for (size_t i = 0; i < t->events.count; i++)
		if (t->events.items[i].core >= 0)
			vec_push(out, &t->events.items[i]);
	if (out->count)
		qsort(out->items, out->count, sizeof(out->items[0]), by_core);
}

/* Under PSO only neighbours that write the same cell keep their order. */
static void chain_cells(struct strace_facts *f, const struct strace_event *e, uint32_t *last)
{
	uint32_t me = (uint32_t)(e - f->t->events.items);

	for (uint32_t k = e->first; k < e->first + e->count; k++) {
		const struct strace_part *p = &f->t->parts.items[k];

		if (p->value == STRACE_NONE)
			continue;
		edge(f, last[p->cell], me);
		last[p->cell] = me;
	}
}

static void follow_cores(struct strace_facts *f)
{
	bool chain = model_memory_get(f->o.model)->keeps_write_write;
	uint32_t *last = xcalloc(f->t->cells.count + 1, sizeof(*last)), before = STRACE_NONE;
	struct placed all = {NULL, 0, 0};
	int32_t core = -1;

	find_placed(f->t, &all);
	for (size_t i = 0; i < all.count; i++) {
		const struct strace_event *e = all.items[i];

		if (e->core != core) {
			memset(last, 0xff, f->t->cells.count * sizeof(*last));
			before = STRACE_NONE;
			core = e->core;
		}
		if (!writes(e))
			continue;
		if (chain)
			edge(f, before, (uint32_t)(e - f->t->events.items));
		else
			chain_cells(f, e, last);
		before = (uint32_t)(e - f->t->events.items);
	}
	vec_free(&all);
	free(last);
}

/* Numbers the segments in the order of cores; returns how many there are. */
static uint32_t number_segments(const struct placed *all, const struct strace_event *events,
				uint32_t *segment, struct strace_list *before)
{
	const struct strace_event *last = NULL;
	uint32_t count = 0;

	for (size_t i = 0; i < all->count; i++) {
		const struct strace_event *e = all->items[i];
		bool same = last && last->core == e->core;

		if (e->segment == STRACE_NONE)
			continue;
		if (!same || last->segment != e->segment) {
			vec_push(before, same ? count - 1 : STRACE_NONE);
			count++;
		}
		segment[e - events] = count - 1;
		last = e;
	}
	return count;
}

/* A thread that comes back, on whatever core, comes after all it did before it was switched off. */
static void follow_switches(struct strace_facts *f, uint32_t thread, const uint32_t *segment,
			    uint32_t base)
{
	const struct strace_list *p = &f->t->program.items[thread];
	uint32_t now = STRACE_NONE, before = STRACE_NONE;

	for (size_t i = 0; i < p->count; i++) {
		uint32_t s = segment[p->items[i]];

		if (s == STRACE_NONE)
			continue;
		if (s != now) {
			before = now;
			now = s;
		}
		if (before != STRACE_NONE)
			edge(f, base + before, p->items[i]);
	}
}

/* One node per segment: after all of its events, before all of the next one of its core. */
static void follow_segments(struct strace_facts *f)
{
	uint32_t n = (uint32_t)f->t->events.count, *segment = xcalloc(n + 1, sizeof(*segment));
	uint32_t base = f->nodes;
	struct strace_list before = {NULL, 0, 0};
	struct placed all = {NULL, 0, 0};

	memset(segment, 0xff, n * sizeof(*segment));
	find_placed(f->t, &all);
	f->nodes += number_segments(&all, f->t->events.items, segment, &before);
	assert(f->nodes - base == before.count);
	for (uint32_t s = 0; s < before.count; s++)
		if (before.items[s] != STRACE_NONE)
			edge(f, base + before.items[s], base + s);
	for (uint32_t e = 0; e < n; e++) {
		if (segment[e] == STRACE_NONE)
			continue;
		edge(f, e, base + segment[e]);
		if (before.items[segment[e]] != STRACE_NONE)
			edge(f, base + before.items[segment[e]], e);
	}
	for (uint32_t t = 0; t < f->t->threads; t++)
		follow_switches(f, t, segment, base);
	vec_free(&all);
	vec_free(&before);
	free(segment);
}

/* ---- numbering ---- */

struct ready {
	uint64_t time;
	uint32_t id;
};

struct heap {
	VEC_FIELDS(struct ready);
};

static bool earlier(const struct ready *a, const struct ready *b)
{
	return a->time != b->time ? a->time < b->time : a->id < b->id;
}

static void heap_push(struct heap *h, struct ready r)
{
	size_t i = h->count;

	vec_push(h, r);
	for (; i > 0 && earlier(&r, &h->items[(i - 1) / 2]); i = (i - 1) / 2)
		h->items[i] = h->items[(i - 1) / 2];
	h->items[i] = r;
}

static uint32_t heap_pop(struct heap *h)
{
	uint32_t id = h->items[0].id;
	struct ready r = vec_pop(h);
	size_t i = 0, k;

	assert(!earlier(&r, &h->items[0]));
	for (; (k = 2 * i + 1) < h->count; i = k) {
		if (k + 1 < h->count && earlier(&h->items[k + 1], &h->items[k]))
			k++;
		if (!earlier(&h->items[k], &r))
			break;
		h->items[i] = h->items[k];
	}
	if (h->count)
		h->items[i] = r;
	return id;
}

/* An event without a time has that of the event before it in its thread. */
static uint64_t *guess_times(const struct strace_facts *f)
{
	uint64_t *time = xcalloc(f->nodes + 1, sizeof(*time));

	for (uint32_t t = 0; t < f->t->threads; t++) {
		const struct strace_list *p = &f->t->program.items[t];
		uint64_t last = 0;

		for (size_t i = 0; i < p->count; i++) {
			uint64_t now = f->t->events.items[p->items[i]].time;

			last = now > last ? now : last;
			time[p->items[i]] = last;
		}
	}
	return time;
}

/* Out-edges of every node, in compressed form. */
static uint32_t *compress(const struct strace_facts *f, uint32_t *first)
{
	uint32_t *list = xcalloc(f->edges.count + 1, sizeof(*list));

	for (size_t i = 0; i < f->edges.count; i++)
		first[f->edges.items[i].a + 2]++;
	for (uint32_t i = 0; i < f->nodes; i++)
		first[i + 2] += first[i + 1];
	for (size_t i = 0; i < f->edges.count; i++)
		list[first[f->edges.items[i].a + 1]++] = f->edges.items[i].b;
	assert(first[0] == 0 && first[f->nodes] == f->edges.count);
	return list;
}

/*
 * Numbers all nodes; f->event becomes the order, f->node its inverse for events, and the edges are
 * rewritten.  Switches come as soon as they can.
 */
static void number_nodes(struct strace_facts *f)
{
	uint32_t n = (uint32_t)f->t->events.count, done = 0;
	uint32_t *missing = xcalloc(f->nodes + 1, sizeof(*missing));
	uint32_t *first = xcalloc((size_t)f->nodes + 2, sizeof(*first));
	uint32_t *to = xcalloc(f->nodes + 1, sizeof(*to)), *list = compress(f, first);
	uint64_t *time = guess_times(f);
	struct heap h = {NULL, 0, 0};

	f->event = xcalloc(f->nodes + 1, sizeof(*f->event));
	f->node = xcalloc(n + 1, sizeof(*f->node));
	for (size_t i = 0; i < f->edges.count; i++)
		missing[f->edges.items[i].b]++;
	for (uint32_t v = 0; v < f->nodes; v++)
		if (!missing[v])
			heap_push(&h, (struct ready){time[v], v});
	while (h.count) {
		uint32_t v = heap_pop(&h);

		assert(v < f->nodes && !missing[v] && done < f->nodes);
		to[v] = done;
		f->event[done++] = v < n ? v : STRACE_NONE;
		for (uint32_t i = first[v]; i < first[v + 1]; i++)
			if (!--missing[list[i]])
				heap_push(&h, (struct ready){time[list[i]], list[i]});
	}
	f->contradiction = done < f->nodes;
	for (uint32_t e = 0; e < n; e++)
		f->node[e] = to[e];
	for (size_t i = 0; i < f->edges.count; i++)
		f->edges.items[i] =
			(struct strace_edge){to[f->edges.items[i].a], to[f->edges.items[i].b]};
	vec_free(&h);
	free(missing);
	free(first);
	free(to);
	free(list);
	free(time);
}

/* ---- all of it ---- */

static int by_target(const void *a, const void *b)
{
	const struct strace_edge *x = a, *y = b;

	if (x->a != y->a)
		return x->a < y->a ? 1 : -1;
	return x->b < y->b ? 1 : x->b > y->b ? -1 : 0;
}

/* The numbering is topological: one sweep from the end closes the relation. */
static void close_relation(struct strace_facts *f)
{
	if (f->contradiction || f->nodes > CLOSURE_NODES)
		return;
	f->row = (f->nodes + 63) / 64;
	f->after = xcalloc(f->row * f->nodes + 1, sizeof(*f->after));
	if (f->edges.count)
		qsort(f->edges.items, f->edges.count, sizeof(f->edges.items[0]), by_target);
	for (size_t i = 0; i < f->edges.count; i++) {
		uint32_t a = f->edges.items[i].a, b = f->edges.items[i].b;

		assert(a < b);
		for (size_t w = b / 64; w < f->row; w++)
			f->after[a * f->row + w] |= f->after[b * f->row + w];
		f->after[a * f->row + b / 64] |= UINT64_C(1) << (b % 64);
	}
}

void strace_facts_init(struct strace_facts *f, const struct strace *t,
		      const struct strace_facts_opts *o)
{
	assert(t->sealed && model_memory_get(o->model));
	*f = (struct strace_facts){.t = t, .o = *o, .nodes = (uint32_t)t->events.count};
	for (uint32_t thread = 0; thread < t->threads; thread++)
		follow_program(f, thread);
	f->order = f->edges.count;
	for (uint32_t e = 0; e < t->events.count; e++)
		if (t->events.items[e].op == STRACE_FORK || t->events.items[e].op == STRACE_JOIN)
			follow_life(f, e);
	f->life = f->edges.count - f->order;
	if (o->cores && t->has_cores)
		follow_cores(f);
	if (o->segments && t->has_segments)
		follow_segments(f);
	f->core = f->edges.count - f->order - f->life;
	number_nodes(f);
	close_relation(f);
}

void strace_facts_fini(struct strace_facts *f)
{
	free(f->node);
	free(f->event);
	free(f->after);
	vec_free(&f->edges);
}

bool strace_facts_before(const struct strace_facts *f, uint32_t a, uint32_t b)
{
	uint32_t x = f->node[a], y = f->node[b];

	assert(a < f->t->events.count && b < f->t->events.count);
	assert(x < f->nodes && y < f->nodes);
	if (f->after)
		return f->after[x * f->row + y / 64] >> (y % 64) & 1;
	return false;
}
