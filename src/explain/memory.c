#include "explain/memory.h"

static bool same_eight(const void *items, uint32_t number, const void *key)
{
	const struct explain_cell *cells = items;

	return cells[number].eight == *(const uint64_t *)key;
}

static uint32_t find(const struct explain_memory *m, uint64_t eight)
{
	return lookup_find(&m->by_eight, lookup_mix(2, eight), same_eight, m->cells.items, &eight);
}

uint32_t explain_memory_get(const struct explain_memory *m, uint64_t addr)
{
	uint32_t at = find(m, addr / 8);

	return at == LOOKUP_NONE ? UINT32_MAX : m->cells.items[at].last[addr % 8];
}

void explain_memory_set(struct explain_memory *m, uint64_t addr, uint32_t who)
{
	uint32_t at = find(m, addr / 8);

	if (at == LOOKUP_NONE) {
		struct explain_cell c = {.eight = addr / 8};

		memset(c.last, 0xff, sizeof(c.last));
		at = (uint32_t)m->cells.count;
		lookup_add(&m->by_eight, lookup_mix(2, c.eight), at);
		vec_push(&m->cells, c);
	}
	m->cells.items[at].last[addr % 8] = who;
}

void explain_memory_fini(struct explain_memory *m)
{
	vec_free(&m->cells);
	lookup_fini(&m->by_eight);
}
