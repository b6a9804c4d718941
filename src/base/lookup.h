/*
 * A hash table of numbers: which item is this?
 *
 * The items lie with the caller, numbered from 0.  The table keeps of each its hash and its number;
 * whether two are the same is the caller's to say, for the few whose hashes agree.  Nothing is ever
 * listed in the order of the table, so nothing can depend on it.
 */
#ifndef HEDDLE_BASE_LOOKUP_H
#define HEDDLE_BASE_LOOKUP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LOOKUP_NONE UINT32_MAX

struct lookup_slot {
	uint32_t hash, number; /* number + 1; 0: free */
};

struct lookup {
	struct lookup_slot *slots;
	size_t capacity, count;
};

/* Whether the item of that number is the one that is looked for. */
typedef bool (*lookup_same_fn)(const void *items, uint32_t number, const void *key);

/* The number of the item, LOOKUP_NONE when there is none. */
uint32_t lookup_find(const struct lookup *x, uint64_t hash, lookup_same_fn same, const void *items,
		     const void *key);
/* The item is not there yet. */
void lookup_add(struct lookup *x, uint64_t hash, uint32_t number);
void lookup_fini(struct lookup *x);

/* A hash of bytes, and of one number more. */
uint64_t lookup_hash(const void *bytes, size_t n);
uint64_t lookup_mix(uint64_t hash, uint64_t more);

#endif
