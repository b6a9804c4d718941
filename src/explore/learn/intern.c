#include "explore/learn/intern.h"

#include <assert.h>

static uint64_t hash_of(const uint32_t *elements, uint32_t n)
{
	uint64_t h = n;

	for (uint32_t i = 0; i < n; i++)
		h = intern_hash(h, elements[i]);
	return h;
}

static void grow(struct intern *x)
{
	size_t capacity = x->index.count ? x->index.count * 2 : 64;
	uint32_t *old = x->index.items;
	size_t count = x->index.count;

	x->index.items = xcalloc(capacity, sizeof(uint32_t));
	x->index.count = x->index.capacity = capacity;
	for (size_t i = 0; i < count; i++) {
		size_t at;

		if (!old[i])
			continue;
		at = hash_of(intern_elements(x, old[i] - 1), intern_count(x, old[i] - 1));
		for (at &= capacity - 1; x->index.items[at]; at = (at + 1) & (capacity - 1))
			;
		x->index.items[at] = old[i];
	}
	free(old);
}

void intern_init(struct intern *x)
{
	memset(x, 0, sizeof(*x));
	intern_set(x, NULL, 0);
}

void intern_fini(struct intern *x)
{
	vec_free(&x->data);
	vec_free(&x->index);
}

uint32_t intern_set(struct intern *x, const uint32_t *elements, uint32_t n)
{
	size_t at;

	for (uint32_t i = 1; i < n; i++)
		assert(elements[i - 1] < elements[i]);
	if (x->used * 2 >= x->index.count)
		grow(x);
	assert(x->used < x->index.count);
	at = hash_of(elements, n) & (x->index.count - 1);
	for (; x->index.items[at]; at = (at + 1) & (x->index.count - 1)) {
		uint32_t id = x->index.items[at] - 1;

		if (intern_count(x, id) == n &&
		    (n == 0 || !memcmp(intern_elements(x, id), elements, n * sizeof(*elements))))
			return id;
	}
	x->index.items[at] = (uint32_t)x->data.count + 1;
	x->used++;
	vec_push(&x->data, n);
	for (uint32_t i = 0; i < n; i++)
		vec_push(&x->data, elements[i]);
	return x->index.items[at] - 1;
}

bool intern_has(const struct intern *x, uint32_t set, uint32_t element)
{
	const uint32_t *e = intern_elements(x, set);

	assert(set + intern_count(x, set) < x->data.count);
	for (uint32_t i = 0; i < intern_count(x, set); i++)
		if (e[i] == element)
			return true;
	return false;
}

uint32_t intern_add(struct intern *x, uint32_t set, uint32_t element)
{
	uint32_t n = intern_count(x, set), at = 0, id;
	uint32_t *copy;

	if (intern_has(x, set, element))
		return set;
	copy = xcalloc(n + 1, sizeof(*copy));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t e = intern_elements(x, set)[i];

		at += e < element;
		copy[e < element ? i : i + 1] = e;
	}
	copy[at] = element;
	assert(at <= n);
	id = intern_set(x, copy, n + 1);
	free(copy);
	return id;
}

uint32_t intern_remove(struct intern *x, uint32_t set, uint32_t element)
{
	uint32_t n = intern_count(x, set), kept = 0, id;
	uint32_t *copy;

	if (!intern_has(x, set, element))
		return set;
	copy = xcalloc(n, sizeof(*copy));
	for (uint32_t i = 0; i < n; i++) {
		uint32_t e = intern_elements(x, set)[i];

		if (e != element)
			copy[kept++] = e;
	}
	assert(kept + 1 == n);
	id = intern_set(x, copy, kept);
	free(copy);
	return id;
}
