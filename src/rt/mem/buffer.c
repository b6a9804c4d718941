#include "rt/mem/buffer.h"

#include <string.h>

static struct store_buffer buffers[WIRE_MAX_LIVE];

struct store_buffer *buffer_of_slot(uint32_t slot)
{
	buffers[slot].count = buffers[slot].epoch = buffers[slot].fenced = 0;
	return &buffers[slot];
}

void buffer_put(struct store_buffer *b, const struct buffer_entry *entry)
{
	b->entries[b->count] = *entry;
	b->entries[b->count++].epoch = b->epoch;
}

void buffer_barrier(struct store_buffer *b)
{
	if (b->count)
		b->epoch++;
}

static bool overlap(const struct buffer_entry *a, const struct buffer_entry *b)
{
	return a->addr < b->addr + b->size && b->addr < a->addr + a->size;
}

/* Entry `at' may reach memory now. */
static bool is_free(const struct store_buffer *b, enum wire_model model, uint32_t at)
{
	const struct buffer_entry *e = &b->entries[at];

	if (model == MODEL_TSO)
		return at == 0;
	if (e->epoch != b->entries[0].epoch)
		return false;
	for (uint32_t i = 0; i < at; i++)
		if (overlap(&b->entries[i], e))
			return false;
	return true;
}

uint32_t buffer_choices(const struct store_buffer *b, enum wire_model model)
{
	uint32_t n = 0;

	if (model == MODEL_TSO)
		return b->count != 0;
	for (uint32_t i = 0; i < b->count; i++)
		n += is_free(b, model, i);
	return n;
}

struct buffer_entry buffer_take(struct store_buffer *b, enum wire_model model, uint32_t choice)
{
	uint32_t at = 0;
	struct buffer_entry e;

	while (at + 1 < b->count && (!is_free(b, model, at) || choice > 0)) {
		choice -= is_free(b, model, at);
		at++;
	}
	e = b->entries[at];
	memmove(&b->entries[at], &b->entries[at + 1],
		(b->count - at - 1) * sizeof(struct buffer_entry));
	b->count--;
	return e;
}

uint32_t buffer_choice_of(const struct store_buffer *b, enum wire_model model, uint32_t tix)
{
	uint32_t choice = 0;

	for (uint32_t i = 0; i < b->count; i++) {
		bool free_now = is_free(b, model, i);

		if (b->entries[i].tix == tix)
			return free_now ? choice : BUFFER_NO_CHOICE;
		choice += free_now;
	}
	return BUFFER_NO_CHOICE;
}

bool buffer_has(const struct store_buffer *b, uint32_t tix)
{
	for (uint32_t i = 0; i < b->count; i++)
		if (b->entries[i].tix == tix)
			return true;
	return false;
}

/* Copies the part of an entry's bytes that lies in [addr, addr + bytes). */
static void overlay(const struct buffer_entry *e, const uint64_t *source, uint64_t addr, void *to,
		    size_t bytes)
{
	uint64_t from = e->addr > addr ? e->addr : addr;
	uint64_t end = e->addr + e->size < addr + bytes ? e->addr + e->size : addr + bytes;

	if (from < end)
		memcpy((char *)to + (from - addr), (const char *)source + (from - e->addr),
		       end - from);
}

void buffer_forward(const struct store_buffer *b, uint64_t addr, void *to, size_t bytes)
{
	for (uint32_t i = 0; i < b->count; i++)
		if (!b->entries[i].early)
			overlay(&b->entries[i], &b->entries[i].value, addr, to, bytes);
}

void buffer_hide(const struct store_buffer *b, uint64_t addr, void *to, size_t bytes)
{
	/* The oldest entry knows what memory held before all of them. */
	for (uint32_t i = b->count; i-- > 0;)
		if (b->entries[i].early)
			overlay(&b->entries[i], &b->entries[i].old, addr, to, bytes);
}

void buffer_overtaken(struct store_buffer *b, uint64_t addr, size_t bytes)
{
	for (uint32_t i = 0; i < b->count; i++) {
		struct buffer_entry *e = &b->entries[i];

		if (e->early && e->addr < addr + bytes && addr < e->addr + e->size)
			e->early = 0;
	}
}
