/*
 * Sets of small numbers, each kept once: two sets are equal when their ids are.  The empty set is
 * id 0.  Elements are sorted.
 */
#ifndef HEDDLE_LEARN_INTERN_H
#define HEDDLE_LEARN_INTERN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct intern {
	VEC(uint32_t) data; /* count, then elements; an id is a place in it */
	VEC(uint32_t) index; /* open hash table of ids plus 1 */
	size_t used;
};

void intern_init(struct intern *x);
void intern_fini(struct intern *x);

/* The set with these n elements, which are sorted and distinct. */
uint32_t intern_set(struct intern *x, const uint32_t *elements, uint32_t n);
uint32_t intern_add(struct intern *x, uint32_t set, uint32_t element);
uint32_t intern_remove(struct intern *x, uint32_t set, uint32_t element);

static inline uint32_t intern_count(const struct intern *x, uint32_t set)
{
	return x->data.items[set];
}

static inline const uint32_t *intern_elements(const struct intern *x, uint32_t set)
{
	return x->data.items + set + 1;
}

bool intern_has(const struct intern *x, uint32_t set, uint32_t element);

/*
 * For hash tables in this room.  What came before is spread before the word is added: numbers that
 * rise together (the n-th node, reached by the value n) would otherwise cancel each other.
 */
static inline uint64_t intern_hash(uint64_t h, uint64_t word)
{
	h = (h * UINT64_C(0x9e3779b97f4a7c15) ^ word) * UINT64_C(0xd6e8feb86659fd93);
	return h ^ h >> 32;
}

/* What a read of many bytes returned, as one value: trees and machine must agree on it. */
static inline uint64_t intern_hash_bytes(const unsigned char *bytes, uint64_t n)
{
	uint64_t h = n;

	for (uint64_t i = 0; i < n; i++)
		h = intern_hash(h, bytes[i]);
	return h;
}

#endif
