/* A set of 64- or 128-bit hashes. */
#ifndef HEDDLE_LEARN_SEEN_H
#define HEDDLE_LEARN_SEEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct seen {
	uint64_t (*slots)[2];
	size_t capacity, count;
};

/* True when it was not there. */
bool seen_add(struct seen *s, const uint64_t hash[2]);
void seen_clear(struct seen *s);
void seen_fini(struct seen *s);

#endif
