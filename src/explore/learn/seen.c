#include "explore/learn/seen.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static size_t place_of(const struct seen *s, const uint64_t hash[2])
{
	size_t at = hash[0] & (s->capacity - 1);

	while ((s->slots[at][0] | s->slots[at][1]) &&
	       (s->slots[at][0] != hash[0] || s->slots[at][1] != hash[1]))
		at = (at + 1) & (s->capacity - 1);
	return at;
}

static void grow(struct seen *s)
{
	struct seen old = *s;

	s->capacity = old.capacity ? old.capacity * 2 : 1024;
	s->slots = xcalloc(s->capacity, sizeof(*s->slots));
	for (size_t i = 0; i < old.capacity; i++)
		if (old.slots[i][0] | old.slots[i][1])
			memcpy(s->slots[place_of(s, old.slots[i])], old.slots[i],
			       sizeof(*s->slots));
	free(old.slots);
}

bool seen_add(struct seen *s, const uint64_t hash[2])
{
	size_t at;

	if (s->count * 3 >= s->capacity * 2)
		grow(s);
	assert(s->count < s->capacity && (hash[0] | hash[1])); /* zero marks what is free */
	at = place_of(s, hash);
	if (s->slots[at][0] | s->slots[at][1])
		return false;
	memcpy(s->slots[at], hash, sizeof(*s->slots));
	s->count++;
	return true;
}

void seen_clear(struct seen *s)
{
	if (s->slots)
		memset(s->slots, 0, s->capacity * sizeof(*s->slots));
	s->count = 0;
}

void seen_fini(struct seen *s)
{
	free(s->slots);
	memset(s, 0, sizeof(*s));
}
