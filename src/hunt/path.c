#include "hunt/path.h"

#include <assert.h>

#include "base/lookup.h"

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

uint64_t hunt_paths_hash(const struct hunt_paths *p)
{
	uint64_t sum = 0;

	/* A sum does not depend on the order. */
	for (size_t i = 0; i < p->count; i++)
		sum += hunt_path_hash(&p->items[i], p->items[i].ways.count);
	return lookup_mix(sum, p->count);
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
