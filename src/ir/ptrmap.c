#include "ir/ptrmap.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"

static size_t slot_of(const struct ptrmap *m, const void *key)
{
	uint64_t hash = (uint64_t)(uintptr_t)key * UINT64_C(0x9e3779b97f4a7c15);
	size_t i = (hash >> 20) & (m->capacity - 1);

	while (m->slots[i].key && m->slots[i].key != key)
		i = (i + 1) & (m->capacity - 1);
	return i;
}

static void grow(struct ptrmap *m)
{
	struct ptrmap old = *m;

	m->capacity = old.capacity ? old.capacity * 2 : 64;
	m->count = 0;
	m->slots = xcalloc(m->capacity, sizeof(*m->slots));
	for (size_t i = 0; i < old.capacity; i++)
		if (old.slots[i].key && !old.slots[i].gone) {
			m->slots[slot_of(m, old.slots[i].key)] = old.slots[i];
			m->count++;
		}
	free(old.slots);
}

void ptrmap_set(struct ptrmap *m, const void *key, uintptr_t value)
{
	size_t i;

	assert(key);
	if ((m->count + 1) * 4 > m->capacity * 3)
		grow(m);
	i = slot_of(m, key);
	if (!m->slots[i].key)
		m->count++;
	m->slots[i] = (struct ptrmap_entry){key, value, false};
}

bool ptrmap_get(const struct ptrmap *m, const void *key, uintptr_t *value)
{
	size_t i;

	if (!m->capacity)
		return false;
	i = slot_of(m, key);
	if (!m->slots[i].key || m->slots[i].gone)
		return false;
	if (value)
		*value = m->slots[i].value;
	return true;
}

bool ptrmap_has(const struct ptrmap *m, const void *key)
{
	return ptrmap_get(m, key, NULL);
}

bool ptrmap_add(struct ptrmap *m, const void *key)
{
	if (ptrmap_has(m, key))
		return false;
	ptrmap_set(m, key, 1);
	return true;
}

void ptrmap_remove(struct ptrmap *m, const void *key)
{
	size_t i = m->capacity ? slot_of(m, key) : 0;

	if (m->capacity && m->slots[i].key)
		m->slots[i].gone = true;
}

void ptrmap_free(struct ptrmap *m)
{
	free(m->slots);
	m->slots = NULL;
	m->count = m->capacity = 0;
}
