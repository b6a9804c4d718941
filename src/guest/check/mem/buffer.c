#include "guest/check/mem/buffer.h"

#include <string.h>

static struct store_buffer buffers[WIRE_MAX_LIVE];

struct store_buffer *buffer_of_slot(uint32_t slot)
{
	buffers[slot].count = buffers[slot].epoch = buffers[slot].fenced = 0;
	return &buffers[slot];
}

void buffer_put(struct store_buffer *b, const struct buffer_entry *entry)
{
	RT_ASSERT(!buffer_full(b));
	RT_ASSERT(b->count == 0 || b->entries[b->count - 1].store.tix < entry->store.tix);
	b->entries[b->count] = *entry;
	b->entries[b->count++].store.epoch = (uint16_t)b->epoch;
}

void buffer_barrier(struct store_buffer *b)
{
	b->epoch = rule_store_epoch(b->epoch, b->count);
}

/* Entry `at' may reach memory now. */
static bool is_free(const struct store_buffer *b, enum wire_model model, uint32_t at)
{
	return rule_store_may_go(&b->entries[0].store, sizeof(b->entries[0]), at, model);
}

uint32_t buffer_choices(const struct store_buffer *b, enum wire_model model)
{
	uint32_t n = 0;

	if (!wire_model_reorders(model))
		return b->count != 0;
	for (uint32_t i = 0; i < b->count; i++)
		n += is_free(b, model, i);
	return n;
}

static uint32_t place_of(const struct store_buffer *b, enum wire_model model, uint32_t choice)
{
	uint32_t at = 0;

	while (at + 1 < b->count && (!is_free(b, model, at) || choice > 0)) {
		choice -= is_free(b, model, at);
		at++;
	}
	RT_ASSERT(choice == 0 && at < b->count && is_free(b, model, at));
	return at;
}

const struct buffer_entry *buffer_nth(const struct store_buffer *b, enum wire_model model,
				      uint32_t choice)
{
	return &b->entries[place_of(b, model, choice)];
}

struct buffer_entry buffer_take(struct store_buffer *b, enum wire_model model, uint32_t choice)
{
	uint32_t at = place_of(b, model, choice);
	struct buffer_entry e = b->entries[at];

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

		if (b->entries[i].store.tix == tix)
			return free_now ? choice : BUFFER_NO_CHOICE;
		choice += free_now;
	}
	return BUFFER_NO_CHOICE;
}

bool buffer_has(const struct store_buffer *b, uint32_t tix)
{
	for (uint32_t i = 0; i < b->count; i++)
		if (b->entries[i].store.tix == tix)
			return true;
	return false;
}

void buffer_forward(const struct store_buffer *b, uint64_t addr, void *to, size_t bytes)
{
	for (uint32_t i = 0; i < b->count; i++)
		if (!b->entries[i].early)
			rule_store_forward(&b->entries[i].store, addr, to, bytes);
}

void buffer_hide(const struct store_buffer *b, uint64_t addr, void *to, size_t bytes)
{
	/* The oldest entry knows what memory held before all of them. */
	for (uint32_t i = b->count; i-- > 0;) {
		struct rule_store before = b->entries[i].store;

		before.value = b->entries[i].old;
		if (b->entries[i].early)
			rule_store_forward(&before, addr, to, bytes);
	}
}

void buffer_overtaken(struct store_buffer *b, uint64_t addr, size_t bytes)
{
	for (uint32_t i = 0; i < b->count; i++) {
		struct buffer_entry *e = &b->entries[i];

		if (e->early && e->store.at < addr + bytes && addr < e->store.at + e->store.size)
			e->early = 0;
	}
}
