#include "analyze/points.h"

#include <assert.h>
#include <string.h>

#define FEW 8	  /* locations that are looked through one by one */
#define SPREAD 12 /* locations of one object by arithmetic */

void points_init(struct points *p, points_watch_fn watch, void *arg)
{
	*p = (struct points){.watch = watch, .watch_arg = arg};
	locs_init(&p->locs);
}

void points_fini(struct points *p)
{
	for (size_t i = 0; i < p->nodes.count; i++) {
		vec_free(&p->nodes.items[i].list);
		vec_free(&p->nodes.items[i].edges);
		free(p->nodes.items[i].slots);
	}
	vec_free(&p->nodes);
	vec_free(&p->cells);
	vec_free(&p->queue);
	free(p->edge_slots);
	free(p->tried);
	locs_fini(&p->locs);
}

uint32_t points_node(struct points *p)
{
	struct points_node n = {.same = (uint32_t)p->nodes.count};

	vec_push(&p->nodes, n);
	return n.same;
}

uint32_t points_find(struct points *p, uint32_t node)
{
	struct points_node *all = p->nodes.items;

	assert(node < p->nodes.count);
	while (all[node].same != node) {
		all[node].same = all[all[node].same].same;
		node = all[node].same;
	}
	return node;
}

static void wake(struct points *p, uint32_t node)
{
	if (p->nodes.items[node].queued)
		return;
	p->nodes.items[node].queued = true;
	vec_push(&p->queue, node);
}

/* ---- sets ---- */

static uint32_t slot_of(uint32_t loc, uint32_t count)
{
	return (loc * UINT32_C(2654435761) >> 7) & (count - 1);
}

static bool holds(const struct points_node *n, uint32_t loc)
{
	if (!n->slots) {
		for (size_t i = 0; i < n->list.count; i++)
			if (n->list.items[i] == loc)
				return true;
		return false;
	}
	for (uint32_t at = slot_of(loc, n->slot_count); n->slots[at];
	     at = (at + 1) & (n->slot_count - 1))
		if (n->slots[at] == loc + 1)
			return true;
	return false;
}

static void insert_slot(struct points_node *n, uint32_t loc)
{
	uint32_t at = slot_of(loc, n->slot_count);

	while (n->slots[at])
		at = (at + 1) & (n->slot_count - 1);
	n->slots[at] = loc + 1;
}

static bool insert(struct points_node *n, uint32_t loc)
{
	if (holds(n, loc))
		return false;
	vec_push(&n->list, loc);
	if (n->list.count <= FEW)
		return true;
	if (n->list.count * 2 > n->slot_count) {
		free(n->slots);
		n->slot_count = n->slot_count ? n->slot_count * 2 : FEW * 8;
		n->slots = xcalloc(n->slot_count, sizeof(*n->slots));
		for (size_t i = 0; i < n->list.count; i++)
			insert_slot(n, n->list.items[i]);
	} else {
		insert_slot(n, loc);
	}
	return true;
}

static bool put(struct points *p, uint32_t node, uint32_t loc)
{
	node = points_find(p, node);
	if (!insert(&p->nodes.items[node], loc))
		return false;
	wake(p, node);
	return true;
}

void points_put(struct points *p, uint32_t node, uint32_t loc)
{
	put(p, node, loc);
}

const uint32_t *points_set(struct points *p, uint32_t node, size_t *count)
{
	const struct points_node *n = &p->nodes.items[points_find(p, node)];

	*count = n->list.count;
	return n->list.items;
}

/* ---- edges ---- */

/* Adds a number that is not 0 to a set of them; false: it was there. */
static bool remember(uint64_t **slots, size_t *count, size_t *capacity, uint64_t key)
{
	size_t at;

	if (*count * 2 >= *capacity) {
		uint64_t *old = *slots;
		size_t n = *capacity;

		*capacity = n ? n * 2 : 1024;
		*slots = xcalloc(*capacity, sizeof(**slots));
		*count = 0;
		for (size_t i = 0; i < n; i++)
			if (old[i])
				remember(slots, count, capacity, old[i]);
		free(old);
	}
	for (at = key & (*capacity - 1); (*slots)[at]; at = (at + 1) & (*capacity - 1))
		if ((*slots)[at] == key)
			return false;
	(*slots)[at] = key;
	(*count)++;
	return true;
}

static uint64_t mix(uint64_t h, uint64_t word)
{
	h = (h ^ word) * UINT64_C(0xff51afd7ed558ccd);
	return h ^ h >> 32;
}

/* Sixty-four bits of it are as good as the edge itself. */
static uint64_t edge_key(uint32_t node, const struct points_edge *e)
{
	uint64_t h = mix(UINT64_C(0x9e3779b97f4a7c15), node);

	h = mix(h, (uint64_t)e->kind << 32 | e->other);
	h = mix(mix(h, (uint64_t)e->bytes), e->stride);
	return h ? h : 1;
}

void points_edge(struct points *p, uint32_t node, struct points_edge e)
{
	node = points_find(p, node);
	e.done = 0;
	if (e.kind == POINTS_COPY && points_find(p, e.other) == node)
		return;
	if (!remember(&p->edge_slots, &p->edge_count, &p->edge_capacity, edge_key(node, &e)))
		return;
	vec_push(&p->nodes.items[node].edges, e);
	if (p->nodes.items[node].list.count)
		wake(p, node);
}

void points_copy(struct points *p, uint32_t from, uint32_t to)
{
	points_edge(p, from, (struct points_edge){.kind = POINTS_COPY, .other = to});
}

/* ---- what is stored ---- */

/* Pointers are stored whole or in parts: no more than this apart they may be the same. */
#define WORD 8

static struct cell *cell_of(struct points *p, uint32_t loc)
{
	uint32_t object = p->locs.all.items[loc].object, number = (uint32_t)p->cells.count;
	struct cell c = {.loc = loc};

	for (size_t i = 0; i < p->locs.objects.items[object].cells.count; i++) {
		uint32_t at = p->locs.objects.items[object].cells.items[i];

		if (p->cells.items[at].loc == loc)
			return &p->cells.items[at];
	}
	c.in = points_node(p);
	c.out = points_node(p);
	vec_push(&p->cells, c);
	points_copy(p, c.in, c.out);
	for (size_t i = 0; i < p->locs.objects.items[object].cells.count; i++) {
		struct cell other = p->cells.items[p->locs.objects.items[object].cells.items[i]];

		if (!locs_meet(&p->locs, loc, WORD, other.loc, WORD))
			continue;
		points_copy(p, c.in, other.out);
		points_copy(p, other.in, c.out);
	}
	vec_push(&p->locs.objects.items[object].cells, number);
	return &p->cells.items[number];
}

uint32_t points_in(struct points *p, uint32_t loc)
{
	return cell_of(p, loc)->in;
}

uint32_t points_out(struct points *p, uint32_t loc)
{
	return cell_of(p, loc)->out;
}

/* ---- cycles ---- */

static void merge(struct points *p, uint32_t into, uint32_t from)
{
	struct points_node *a = &p->nodes.items[into], *b = &p->nodes.items[from];

	b->same = into;
	p->merged++;
	/* Both ends' edges see everything again: sets keep what is there apart from what is new. */
	for (size_t i = 0; i < a->edges.count; i++)
		a->edges.items[i].done = 0;
	for (size_t i = 0; i < b->edges.count; i++) {
		b->edges.items[i].done = 0;
		vec_push(&a->edges, b->edges.items[i]);
	}
	for (size_t i = 0; i < b->list.count; i++)
		insert(a, b->list.items[i]);
	vec_free(&b->edges);
	vec_free(&b->list);
	free(b->slots);
	b->slots = NULL;
	wake(p, into);
}

struct walk {
	VEC_FIELDS(uint32_t);
};

#define MAX_WALK 256

/* Is there a way of copies from a node to another?  Those on it are in the walk. */
static bool find_way(struct points *p, uint32_t from, uint32_t to, struct walk *way,
		     struct walk *seen)
{
	VEC(uint32_t) at = VEC_INIT; /* edge that is next, by node of the way */
	bool found = false;

	vec_push(way, from);
	vec_push(&at, 0);
	while (way->count && !found && seen->count < MAX_WALK) {
		struct points_node *n = &p->nodes.items[vec_last(way)];
		uint32_t next;
		bool old = false;

		if (vec_last(&at) >= n->edges.count) {
			way->count--;
			at.count--;
			continue;
		}
		if (n->edges.items[vec_last(&at)++].kind != POINTS_COPY)
			continue;
		next = points_find(p, n->edges.items[vec_last(&at) - 1].other);
		found = next == to;
		for (size_t i = 0; i < seen->count && !old; i++)
			old = seen->items[i] == next;
		if (found || old)
			continue;
		vec_push(seen, next);
		vec_push(way, next);
		vec_push(&at, 0);
	}
	vec_free(&at);
	return found;
}

/* An edge brought nothing new: perhaps it is part of a cycle. */
static void collapse(struct points *p, uint32_t from, uint32_t to)
{
	struct walk way = {NULL, 0, 0}, seen = {NULL, 0, 0};
	uint64_t key = mix(mix(1, from), to) | 1;

	if (!remember(&p->tried, &p->tried_count, &p->tried_capacity, key))
		return;
	if (find_way(p, to, from, &way, &seen))
		for (size_t i = 0; i < way.count; i++) {
			uint32_t a = points_find(p, from), b = points_find(p, way.items[i]);

			if (a != b)
				merge(p, a, b);
		}
	vec_free(&way);
	vec_free(&seen);
}

/* ---- solving ---- */

/* Locations of one object come in numbers: one that covers them will do. */
static uint32_t widened(struct points *p, uint32_t node, uint32_t loc)
{
	const struct points_node *n = &p->nodes.items[points_find(p, node)];
	uint32_t object = p->locs.all.items[loc].object, wide = loc;
	size_t same = 0;

	if (holds(n, loc))
		return loc;
	for (size_t i = 0; i < n->list.count; i++)
		same += p->locs.all.items[n->list.items[i]].object == object;
	if (same < SPREAD)
		return loc;
	for (size_t i = 0; i < n->list.count; i++)
		if (p->locs.all.items[n->list.items[i]].object == object)
			wide = locs_widen(&p->locs, wide, n->list.items[i]);
	return wide;
}

static void apply(struct points *p, const struct points_edge *e, uint32_t loc)
{
	uint32_t to;

	switch (e->kind) {
	case POINTS_COPY:
		put(p, e->other, loc);
		break;
	case POINTS_ADD:
		to = locs_add(&p->locs, loc, e->bytes, e->stride);
		if (to != LOC_NONE)
			put(p, e->other, widened(p, e->other, to));
		break;
	case POINTS_LOAD:
		points_copy(p, points_out(p, loc), e->other);
		break;
	case POINTS_STORE:
		points_copy(p, e->other, points_in(p, loc));
		break;
	case POINTS_WATCH:
		p->watch(p->watch_arg, e->other, loc);
		break;
	}
}

/* One edge of a node, for all locations it has not seen; false when the node is no more. */
static bool pass(struct points *p, uint32_t node, size_t edge)
{
	struct points_edge e = p->nodes.items[node].edges.items[edge];
	size_t count = p->nodes.items[node].list.count;
	uint32_t to;

	p->nodes.items[node].edges.items[edge].done = (uint32_t)count;
	for (size_t i = e.done; i < count; i++)
		apply(p, &e, p->nodes.items[node].list.items[i]);
	if (e.kind != POINTS_COPY || e.done == count)
		return true;
	to = points_find(p, e.other);
	if (to != node && p->nodes.items[to].list.count == p->nodes.items[node].list.count)
		collapse(p, node, to);
	return points_find(p, node) == node;
}

bool points_solve(struct points *p, bool (*stop)(void *arg), void *arg)
{
	VEC(uint32_t) now = VEC_INIT;
	bool stopped = false;

	while (p->queue.count && !stopped) {
		vec_clear(&now);
		for (size_t i = 0; i < p->queue.count; i++)
			vec_push(&now, p->queue.items[i]);
		vec_clear(&p->queue);
		for (size_t i = 0; i < now.count && !stopped; i++) {
			uint32_t node = now.items[i];

			p->nodes.items[node].queued = false;
			if (points_find(p, node) != node)
				continue;
			for (size_t k = 0; k < p->nodes.items[node].edges.count; k++)
				if (!pass(p, node, k))
					break;
			stopped = (++p->steps & 255) == 0 && stop && stop(arg);
		}
	}
	vec_free(&now);
	return !stopped;
}
