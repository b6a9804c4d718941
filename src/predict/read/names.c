#include "predict/read/names.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"

struct wanted {
	const char *text;
	size_t bytes;
};

static bool is_same(const void *items, uint32_t number, const void *key)
{
	const char *have = predict_names_text(items, number);
	const struct wanted *w = key;

	return strncmp(have, w->text, w->bytes) == 0 && have[w->bytes] == '\0';
}

uint32_t predict_names_add(struct predict_names *n, const char *text, size_t bytes)
{
	uint32_t id = predict_names_find(n, text, bytes);

	if (id != PREDICT_NAME_NONE)
		return id;
	id = (uint32_t)n->start.count;
	assert(n->text.count < UINT32_MAX - bytes - 1);
	vec_push(&n->start, (uint32_t)n->text.count);
	vec_reserve(&n->text, n->text.count + bytes + 1);
	memcpy(n->text.items + n->text.count, text, bytes);
	n->text.items[n->text.count + bytes] = '\0';
	n->text.count += bytes + 1;
	lookup_add(&n->by_text, lookup_hash(text, bytes), id);
	return id;
}

uint32_t predict_names_find(const struct predict_names *n, const char *text, size_t bytes)
{
	_Static_assert(PREDICT_NAME_NONE == LOOKUP_NONE, "one number for nothing");

	return lookup_find(&n->by_text, lookup_hash(text, bytes), is_same, n,
			   &(struct wanted){text, bytes});
}

const char *predict_names_text(const struct predict_names *n, uint32_t id)
{
	assert(id < n->start.count);
	return n->text.items + n->start.items[id];
}

uint32_t predict_names_count(const struct predict_names *n)
{
	return (uint32_t)n->start.count;
}

void predict_names_fini(struct predict_names *n)
{
	vec_free(&n->text);
	vec_free(&n->start);
	lookup_fini(&n->by_text);
}
