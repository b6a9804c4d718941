#include "explore/live/cells.h"

#include <stdlib.h>

void cells_init(struct cells *c)
{
	memset(c, 0, sizeof(*c));
}

void cells_fini(struct cells *c)
{
	vec_free(&c->items);
	vec_free(&c->tracked);
	vec_free(&c->groups);
	free(c->table);
}

static size_t place_of(const struct cells *c, const struct cell *wanted)
{
	size_t at = intern_hash(wanted->address, wanted->size) & (c->capacity - 1);

	while (c->table[at]) {
		const struct cell *x = &c->items.items[c->table[at] - 1];

		if (x->address == wanted->address && x->size == wanted->size &&
		    x->block == wanted->block && x->place == wanted->place)
			break;
		at = (at + 1) & (c->capacity - 1);
	}
	return at;
}

static void grow(struct cells *c)
{
	free(c->table);
	c->capacity = c->capacity ? c->capacity * 2 : 1024;
	c->table = xcalloc(c->capacity, sizeof(*c->table));
	for (uint32_t i = 0; i < c->items.count; i++)
		c->table[place_of(c, &c->items.items[i])] = i + 1;
}

static void note(struct cells *c, const struct cell *fresh, bool writes)
{
	struct cell *x;
	size_t at;
	bool many;

	if (c->items.count * 2 >= c->capacity)
		grow(c);
	at = place_of(c, fresh);
	if (!c->table[at]) {
		vec_push(&c->items, *fresh);
		c->table[at] = (uint32_t)c->items.count;
		c->version++;
	}
	x = &c->items.items[c->table[at] - 1];
	many = fresh->many || x->thread != fresh->thread;
	if ((!x->many && many) || (writes && !x->written) || (fresh->observed && !x->observed))
		c->version++;
	x->many |= many;
	x->written |= writes;
	x->observed |= fresh->observed;
}

void cells_note(struct cells *c, uint64_t address, uint64_t size, uint32_t thread, bool writes,
		bool alone)
{
	struct cell fresh = {.address = address, .size = (uint32_t)size, .thread = thread};

	fresh.block = size > CELLS_LARGEST;
	if (size > 0 && size <= UINT32_MAX)
		note(c, &fresh, writes && !alone);
}

void cells_note_hidden(struct cells *c, uint64_t address, uint32_t thread, bool writes,
		       bool observed, bool alone)
{
	struct cell fresh = {.address = address,
			     .size = 8,
			     .thread = thread,
			     .hidden = true,
			     .observed = observed && !alone};

	note(c, &fresh, writes && !alone);
}

void cells_note_choice(struct cells *c, uint64_t address, uint32_t size, uint32_t thread)
{
	struct cell fresh = {.address = address, .size = size, .thread = thread, .many = true};

	if (size > 0)
		note(c, &fresh, true);
}

void cells_note_block(struct cells *c, uint64_t address, uint64_t size, uint32_t thread, bool alone)
{
	struct cell fresh = {
		.address = address, .size = (uint32_t)size, .thread = thread, .block = true};

	if (size > 0 && size <= UINT32_MAX)
		note(c, &fresh, !alone);
}

void cells_note_place(struct cells *c, uint64_t address, uint32_t thread)
{
	struct cell fresh = {.address = address, .size = 1, .thread = thread, .place = true};

	note(c, &fresh, false);
}

static int by_address(const void *a, const void *b)
{
	const struct cell *x = a, *y = b;

	if (x->address != y->address)
		return x->address < y->address ? -1 : 1;
	return (x->size > y->size) - (x->size < y->size);
}

static void join(struct cell *group, const struct cell *x, bool extend)
{
	uint64_t end = x->address + x->size;

	if (extend && end > group->address + group->size)
		group->size = (uint32_t)(end - group->address);
	group->many |= x->many || x->thread != group->thread;
	group->written |= x->written;
	group->observed |= x->observed;
}

static bool is_worth_it(const struct cell *group)
{
	return group->place ||
	       (group->many && group->written && (!group->hidden || group->observed));
}

static void join_blocks(struct cells *c)
{
	for (size_t i = 0; i < c->items.count; i++) {
		const struct cell *x = &c->items.items[i];

		for (size_t k = 0; x->block && k < c->groups.count; k++) {
			struct cell *g = &c->groups.items[k];

			if (g->address < x->address + x->size && x->address < g->address + g->size)
				join(g, x, false);
		}
	}
}

/* Blocks that are given back, by address, and the size of the largest. */
struct given_back {
	VEC_FIELDS(struct cell);
	uint64_t largest;
};

static void find_given_back(const struct cells *c, struct given_back *to)
{
	for (size_t i = 0; i < c->items.count; i++) {
		const struct cell *x = &c->items.items[i];

		if (!x->block || !x->written)
			continue;
		vec_push(to, *x);
		to->largest = x->size > to->largest ? x->size : to->largest;
	}
	if (to->count)
		qsort(to->items, to->count, sizeof(to->items[0]), by_address);
}

/* The first that may reach as far as the address. */
static size_t first_near(const struct given_back *g, uint64_t address)
{
	size_t low = 0, high = g->count;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (g->items[middle].address + g->largest <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Whether a thread that is not the only one to use what lies there gives it back. */
static bool is_given_back(const struct given_back *g, const struct cell *place)
{
	for (size_t i = first_near(g, place->address);
	     i < g->count && g->items[i].address <= place->address; i++) {
		const struct cell *x = &g->items[i];

		if (place->address - x->address < x->size &&
		    (x->many || place->many || x->thread != place->thread))
			return true;
	}
	return false;
}

static void track_place(struct cells *c, const struct cell *place)
{
	for (size_t i = 0; i < c->groups.count; i++) {
		struct cell *g = &c->groups.items[i];

		if (place->address - g->address < g->size) {
			g->place = true;
			return;
		}
	}
	vec_push(&c->groups, *place);
}

static void track_places(struct cells *c)
{
	struct given_back blocks = {NULL, 0, 0, 0};
	size_t before = c->groups.count;

	find_given_back(c, &blocks);
	for (size_t i = 0; i < c->items.count && blocks.count; i++)
		if (c->items.items[i].place && is_given_back(&blocks, &c->items.items[i]))
			track_place(c, &c->items.items[i]);
	vec_free(&blocks);
	if (c->groups.count != before)
		qsort(c->groups.items, c->groups.count, sizeof(c->groups.items[0]), by_address);
}

/* Cells that overlap are a group; blocks only add what they know.  Keeps what is tracked. */
static void make_groups(struct cells *c)
{
	VEC(struct cell) sorted = VEC_INIT;
	size_t kept = 0;

	for (size_t i = 0; i < c->items.count; i++)
		if (!c->items.items[i].block && !c->items.items[i].place)
			vec_push(&sorted, c->items.items[i]);
	if (sorted.count)
		qsort(sorted.items, sorted.count, sizeof(sorted.items[0]), by_address);
	vec_clear(&c->groups);
	for (size_t i = 0; i < sorted.count; i++) {
		struct cell *group = c->groups.count ? &vec_last(&c->groups) : NULL;

		if (group && sorted.items[i].address < group->address + group->size)
			join(group, &sorted.items[i], true);
		else
			vec_push(&c->groups, sorted.items[i]);
	}
	vec_free(&sorted);
	join_blocks(c);
	track_places(c);
	for (size_t i = 0; i < c->groups.count; i++)
		if (is_worth_it(&c->groups.items[i]))
			c->groups.items[kept++] = c->groups.items[i];
	c->groups.count = kept;
}

bool cells_changed(struct cells *c)
{
	if (c->version == c->judged)
		return false;
	c->judged = c->version;
	make_groups(c);
	if (c->groups.count != c->tracked.count)
		return true;
	for (size_t i = 0; i < c->groups.count; i++)
		if (c->groups.items[i].address != c->tracked.items[i].address ||
		    c->groups.items[i].size != c->tracked.items[i].size)
			return true;
	return false;
}

void cells_layout(struct cells *c, struct learn *l)
{
	make_groups(c);
	c->judged = c->version;
	vec_clear(&c->tracked);
	for (size_t i = 0; i < c->groups.count; i++) {
		struct cell x = c->groups.items[i];
		struct learn_object o = {.kind = LEARN_MEMORY,
					 .offset = (uint32_t)l->memory.count,
					 .size = x.size,
					 .address = x.address};

		vec_push(&c->tracked, x);
		vec_push(&l->objects, o);
		for (uint32_t k = 0; k < x.size; k++)
			vec_push(&l->memory, 0);
	}
}

uint32_t cells_find(const struct cells *c, const struct learn *l, uint64_t address, uint64_t size,
		    uint32_t *offset, uint32_t *bytes)
{
	size_t low = 0, high = c->tracked.count;
	uint64_t end = address + size;

	while (low < high) {
		size_t middle = (low + high) / 2;
		const struct cell *x = &c->tracked.items[middle];

		if (x->address + x->size <= address)
			low = middle + 1;
		else
			high = middle;
	}
	*bytes = 0;
	for (size_t i = low; i < c->tracked.count && c->tracked.items[i].address < end; i++) {
		const struct cell *x = &c->tracked.items[i];
		uint64_t from = x->address > address ? x->address : address;
		uint64_t to = x->address + x->size < end ? x->address + x->size : end;

		if (i == low)
			*offset = l->objects.items[i].offset + (uint32_t)(from - x->address);
		*bytes += (uint32_t)(to - from);
	}
	return *bytes ? (uint32_t)low : LEARN_NONE;
}
