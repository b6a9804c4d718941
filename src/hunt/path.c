#include "hunt/path.h"

#include <assert.h>
#include <stdlib.h>

#include "base/lookup.h"
#include "base/strbuf.h"

uint64_t hunt_key_child(uint64_t parent, uint32_t ordinal)
{
	return lookup_mix(lookup_mix(UINT64_C(0x68756e74), parent), ordinal + 1);
}

struct hunt_path *hunt_paths_find(const struct hunt_paths *p, uint64_t key)
{
	for (size_t i = 0; i < p->count; i++)
		if (p->items[i].key == key)
			return &p->items[i];
	return NULL;
}

struct hunt_path *hunt_paths_get(struct hunt_paths *p, uint64_t key)
{
	struct hunt_path *found = hunt_paths_find(p, key);

	if (found)
		return found;
	vec_push(p, ((struct hunt_path){.key = key}));
	return &vec_last(p);
}

void hunt_paths_copy(struct hunt_paths *to, const struct hunt_paths *from)
{
	*to = (struct hunt_paths)VEC_INIT;
	for (size_t i = 0; i < from->count; i++) {
		struct hunt_path *p = hunt_paths_get(to, from->items[i].key);

		for (size_t k = 0; k < from->items[i].ways.count; k++)
			vec_push(&p->ways, from->items[i].ways.items[k]);
		for (size_t k = 0; k < from->items[i].picks.count; k++)
			vec_push(&p->picks, from->items[i].picks.items[k]);
	}
}

uint64_t hunt_paths_bytes(const struct hunt_paths *p)
{
	uint64_t bytes = sizeof(struct hunt_paths);

	for (size_t i = 0; i < p->count; i++)
		bytes += sizeof(struct hunt_path) +
			 p->items[i].ways.capacity * sizeof(struct hunt_way) +
			 p->items[i].picks.capacity * sizeof(struct hunt_pick);
	return bytes;
}

void hunt_paths_fini(struct hunt_paths *p)
{
	for (size_t i = 0; i < p->count; i++) {
		vec_free(&p->items[i].ways);
		vec_free(&p->items[i].picks);
	}
	vec_free(p);
}

void hunt_path_cut(struct hunt_path *p, size_t n)
{
	size_t kept = 0;

	assert(n <= p->ways.count);
	p->ways.count = n;
	for (size_t i = 0; i < p->picks.count; i++)
		if (p->picks.items[i].ways < n)
			p->picks.items[kept++] = p->picks.items[i];
	p->picks.count = kept;
}

void hunt_path_flipped(const struct hunt_path *p, const size_t *ways, size_t n,
		       struct hunt_paths *out)
{
	struct hunt_paths one = {(struct hunt_path *)p, 1, 1};
	size_t last = 0;

	assert(n);
	for (size_t i = 0; i < n; i++)
		last = ways[i] > last ? ways[i] : last;
	hunt_paths_copy(out, &one);
	hunt_path_cut(&out->items[0], last + 1);
	for (size_t i = 0; i < n; i++) {
		struct hunt_way *w = &out->items[0].ways.items[ways[i]];

		w->value = !w->value;
		w->turned = true;
	}
}

static uint64_t mix_pick(uint64_t hash, const struct hunt_pick *k)
{
	hash = lookup_mix(hash, (uint64_t)k->tix << 32 | k->site);
	hash = lookup_mix(hash, (uint64_t)k->nth << 16 | (uint64_t)k->ask << 8 | k->kind);
	return lookup_mix(hash, k->open ? UINT64_MAX : k->value);
}

uint64_t hunt_path_hash(const struct hunt_path *p, size_t n)
{
	uint64_t hash = lookup_mix(UINT64_C(0x70617468), p->key);

	assert(n <= p->ways.count);
	for (size_t i = 0; i < n; i++) {
		hash = lookup_mix(hash,
				  (uint64_t)p->ways.items[i].unit << 32 | p->ways.items[i].point);
		hash = lookup_mix(hash, p->ways.items[i].value);
	}
	for (size_t i = 0; i < p->picks.count; i++)
		if (p->picks.items[i].ways <= n)
			hash = mix_pick(hash, &p->picks.items[i]);
	return hash;
}

static void add_word(struct strbuf *to, uint64_t word)
{
	strbuf_add_bytes(to, &word, sizeof(word));
}

/* Every part has its length before it: no two paths read the same. */
static void write_path(const struct hunt_path *p, struct strbuf *to)
{
	add_word(to, p->key);
	add_word(to, p->ways.count);
	for (size_t i = 0; i < p->ways.count; i++) {
		const struct hunt_way *w = &p->ways.items[i];

		add_word(to, (uint64_t)w->unit << 32 | w->point);
		add_word(to, w->value);
	}
	add_word(to, p->picks.count);
	for (size_t i = 0; i < p->picks.count; i++) {
		const struct hunt_pick *k = &p->picks.items[i];

		add_word(to, (uint64_t)k->tix << 32 | k->site);
		add_word(to, (uint64_t)k->nth << 32 | (uint64_t)k->ask << 16 |
				     (uint64_t)k->kind << 8 | k->open);
		add_word(to, k->open ? 0 : k->value);
	}
}

static int by_key(const void *a, const void *b)
{
	const struct hunt_path *const *x = a, *const *y = b;

	return (*x)->key < (*y)->key ? -1 : (*x)->key > (*y)->key;
}

void hunt_paths_key(const struct hunt_paths *p, struct hunt_key *out)
{
	VEC(const struct hunt_path *) sorted = VEC_INIT;
	struct strbuf text = STRBUF_INIT;

	for (size_t i = 0; i < p->count; i++)
		vec_push(&sorted, &p->items[i]);
	if (sorted.count)
		qsort(sorted.items, sorted.count, sizeof(sorted.items[0]), by_key);
	for (size_t i = 0; i < sorted.count; i++) {
		/* Threads are told apart by who created them. */
		assert(i == 0 || sorted.items[i - 1]->key != sorted.items[i]->key);
		write_path(sorted.items[i], &text);
	}
	sha256(text.text, text.length, out->bytes);
	strbuf_free(&text);
	vec_free(&sorted);
}

struct hunt_pick *hunt_path_pick(const struct hunt_path *p, const struct hunt_pick *like)
{
	for (size_t i = 0; i < p->picks.count; i++) {
		struct hunt_pick *k = &p->picks.items[i];

		if (k->tix == like->tix && k->site == like->site && k->nth == like->nth &&
		    k->ask == like->ask && k->kind == like->kind)
			return k;
	}
	return NULL;
}
