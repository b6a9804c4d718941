#include "predict/names.h"

#include <assert.h>
#include <string.h>

#include "base/mem.h"

static uint64_t hash_bytes(const char *text, size_t bytes)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < bytes; i++)
		h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
	return h ^ (h >> 29);
}

/* The slot that holds the name, or the empty one where it belongs. */
static size_t slot_of(const struct predict_names *n, const char *text, size_t bytes)
{
	size_t mask = n->slot_count - 1;
	size_t i = hash_bytes(text, bytes) & mask;

	while (n->slots[i] != 0) {
		const char *have = predict_names_text(n, n->slots[i] - 1);

		if (strncmp(have, text, bytes) == 0 && have[bytes] == '\0')
			break;
		i = (i + 1) & mask;
	}
	return i;
}

static void grow(struct predict_names *n)
{
	size_t old_count = n->slot_count;
	uint32_t *old = n->slots;

	n->slot_count = old_count ? old_count * 2 : 64;
	n->slots = xcalloc(n->slot_count, sizeof(*n->slots));
	for (size_t i = 0; i < old_count; i++) {
		if (old[i] != 0) {
			const char *text = predict_names_text(n, old[i] - 1);

			n->slots[slot_of(n, text, strlen(text))] = old[i];
		}
	}
	free(old);
}

uint32_t predict_names_add(struct predict_names *n, const char *text, size_t bytes)
{
	size_t slot;
	uint32_t id;

	if ((n->start.count + 1) * 2 > n->slot_count)
		grow(n);
	slot = slot_of(n, text, bytes);
	if (n->slots[slot] != 0)
		return n->slots[slot] - 1;
	id = (uint32_t)n->start.count;
	assert(n->text.count < UINT32_MAX - bytes - 1);
	vec_push(&n->start, (uint32_t)n->text.count);
	vec_reserve(&n->text, n->text.count + bytes + 1);
	memcpy(n->text.items + n->text.count, text, bytes);
	n->text.items[n->text.count + bytes] = '\0';
	n->text.count += bytes + 1;
	n->slots[slot] = id + 1;
	return id;
}

uint32_t predict_names_find(const struct predict_names *n, const char *text, size_t bytes)
{
	size_t slot;

	if (n->slot_count == 0)
		return PREDICT_NAME_NONE;
	slot = slot_of(n, text, bytes);
	return n->slots[slot] != 0 ? n->slots[slot] - 1 : PREDICT_NAME_NONE;
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
	free(n->slots);
	n->slots = NULL;
	n->slot_count = 0;
}
