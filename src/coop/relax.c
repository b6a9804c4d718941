#include "coop/relax.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"

struct coop_candidate *coop_candidate_copy(const struct coop_candidate *c, uint32_t elements)
{
	struct coop_candidate *copy = xcalloc(1, sizeof(*copy));

	*copy = *c;
	copy->kinds = xcalloc((size_t)elements + 1, sizeof(*copy->kinds));
	copy->from = xcalloc((size_t)elements + 1, sizeof(*copy->from));
	memcpy(copy->kinds, c->kinds, elements * sizeof(*copy->kinds));
	memcpy(copy->from, c->from, elements * sizeof(*copy->from));
	return copy;
}

void coop_candidate_free(struct coop_candidate *c)
{
	if (!c)
		return;
	free(c->kinds);
	free(c->from);
	free(c);
}

void coop_relax_init(struct coop_relax *r, uint32_t elements)
{
	memset(r, 0, sizeof(*r));
	r->elements = elements;
}

void coop_relax_fini(struct coop_relax *r)
{
	for (size_t i = 0; i < r->queue.count; i++)
		coop_candidate_free(r->queue.items[i]);
	vec_free(&r->queue);
	vec_free(&r->tried);
}

static bool is_filled(const struct coop_candidate *c, uint32_t element)
{
	return c->kinds[element] != COOP_NONE && c->from[element] != c->base;
}

static void give_up(struct coop_candidate *c, uint32_t element)
{
	assert(is_filled(c, element));
	c->kinds[element] = c->from[element] = COOP_NONE;
}

/* Remembers the combination; false when it is not new. */
static bool is_new(struct coop_relax *r, const struct coop_candidate *c)
{
	uint64_t hash = fs_hash(FS_HASH_START, c->kinds, r->elements * sizeof(*c->kinds));

	for (size_t i = 0; i < r->tried.count; i++)
		if (r->tried.items[i] == hash)
			return false;
	vec_push(&r->tried, hash);
	return true;
}

void coop_relax_stuck(struct coop_relax *r, const struct coop_candidate *c, uint32_t element,
		      uint32_t other)
{
	struct coop_candidate *less = coop_candidate_copy(c, r->elements);
	bool any = true;

	assert(element < r->elements && other < r->elements);
	if (is_filled(c, element)) {
		give_up(less, element);
	} else if (is_filled(c, other)) {
		give_up(less, other);
	} else {
		/* The harm was done elsewhere: only the base is left. */
		any = false;
		for (uint32_t i = 0; i < r->elements; i++) {
			if (!is_filled(c, i))
				continue;
			give_up(less, i);
			any = true;
		}
	}
	if (any && is_new(r, less))
		vec_push(&r->queue, less);
	else
		coop_candidate_free(less);
}

const struct coop_candidate *coop_relax_next(struct coop_relax *r)
{
	assert(r->next <= r->queue.count && r->queue.count <= r->tried.count);
	return r->next < r->queue.count ? r->queue.items[r->next++] : NULL;
}
