#include "base/lookup.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"

/* Slots are taken by the low bits, items compared by what is kept: both of the mixed hash. */
static uint32_t kept(uint64_t hash)
{
	return (uint32_t)(hash ^ hash >> 32);
}

static void put(struct lookup *x, struct lookup_slot s)
{
	size_t at = s.hash & (x->capacity - 1);

	while (x->slots[at].number)
		at = (at + 1) & (x->capacity - 1);
	x->slots[at] = s;
}

static void grow(struct lookup *x)
{
	struct lookup old = *x;

	x->capacity = old.capacity ? old.capacity * 2 : 64;
	x->slots = xcalloc(x->capacity, sizeof(*x->slots));
	for (size_t i = 0; i < old.capacity; i++)
		if (old.slots[i].number)
			put(x, old.slots[i]);
	free(old.slots);
}

uint32_t lookup_find(const struct lookup *x, uint64_t hash, lookup_same_fn same, const void *items,
		     const void *key)
{
	uint32_t wanted = kept(hash);

	if (x->capacity == 0)
		return LOOKUP_NONE;
	for (size_t at = wanted & (x->capacity - 1); x->slots[at].number;
	     at = (at + 1) & (x->capacity - 1)) {
		const struct lookup_slot *s = &x->slots[at];

		if (s->hash == wanted && same(items, s->number - 1, key))
			return s->number - 1;
	}
	return LOOKUP_NONE;
}

void lookup_add(struct lookup *x, uint64_t hash, uint32_t number)
{
	assert(number != LOOKUP_NONE);
	if ((x->count + 1) * 2 > x->capacity)
		grow(x);
	put(x, (struct lookup_slot){kept(hash), number + 1});
	x->count++;
	assert(x->count < x->capacity);
}

void lookup_fini(struct lookup *x)
{
	free(x->slots);
	*x = (struct lookup){NULL, 0, 0};
}

uint64_t lookup_hash(const void *bytes, size_t n)
{
	const unsigned char *at = bytes;
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < n; i++)
		h = (h ^ at[i]) * UINT64_C(0x100000001b3);
	return h ^ h >> 29;
}

uint64_t lookup_mix(uint64_t hash, uint64_t more)
{
	hash = (hash ^ more) * UINT64_C(0xff51afd7ed558ccd);
	return hash ^ hash >> 32;
}
