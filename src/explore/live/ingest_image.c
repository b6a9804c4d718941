/*
 * The tracked memory while an execution is taken over: what is there, as far as it is certain, and
 * whether a thread found something else.
 */
#include <assert.h>
#include <string.h>

#include "explore/live/ingest_thread.h"

enum extent { NOWHERE, IN_PARTS, WHOLE };

/* How much of a range is tracked; WHOLE: by one object, *offset is where it begins. */
static enum extent extent_of(const struct ingest *x, uint64_t address, uint32_t size,
			     uint32_t *offset)
{
	uint32_t bytes, object = cells_find(x->cells, x->l, address, size, offset, &bytes);
	const struct learn_object *o;

	if (object == LEARN_NONE)
		return NOWHERE;
	o = &x->l->objects.items[object];
	return address >= o->address && address + size <= o->address + o->size ? WHOLE : IN_PARTS;
}

void ingest_image_write(struct ingest *x, uint64_t address, const void *bytes, uint32_t size)
{
	uint32_t offset, n;

	switch (extent_of(x, address, size, &offset)) {
	case NOWHERE:
		return;
	case WHOLE:
		memcpy(x->image.items + offset, bytes, size);
		memset(x->known.items + offset, 1, size);
		return;
	case IN_PARTS:
		break;
	}
	for (uint32_t i = 0; i < size; i++) {
		if (cells_find(x->cells, x->l, address + i, 1, &offset, &n) == LEARN_NONE)
			continue;
		x->image.items[offset] = ((const uint8_t *)bytes)[i];
		x->known.items[offset] = 1;
	}
}

/* What the thread itself has under way to an address is what it reads there. */
static bool own_store(const struct ingest_thread *t, uint64_t address, uint8_t *value)
{
	for (size_t i = t->issued.count; i-- > 0;) {
		const struct ingest_store *s = &t->issued.items[i];

		if (address - s->address < s->size) {
			*value = (uint8_t)(s->value >> (address - s->address) * 8);
			return true;
		}
	}
	return false;
}

static int see_byte(struct ingest *x, const struct ingest_thread *t, uint64_t address, uint8_t found)
{
	uint32_t offset, n;
	uint8_t expected;

	if (cells_find(x->cells, x->l, address, 1, &offset, &n) == LEARN_NONE)
		return 0;
	if (own_store(t, address, &expected))
		return expected == found ? 0 : ERR_MISMATCH;
	if (x->known.items[offset])
		return x->image.items[offset] == found ? 0 : ERR_MISMATCH;
	/* Nobody has written it in this execution, so it was there before the first thread. */
	assert(!x->first_known.items[offset]);
	x->known.items[offset] = x->first_known.items[offset] = 1;
	x->image.items[offset] = found;
	x->l->version += x->l->memory.items[offset] != found;
	x->l->memory.items[offset] = found;
	return 0;
}

int ingest_see(struct ingest *x, const struct ingest_thread *t, const struct wire_event *at,
	       uint32_t site, struct err *e)
{
	uint32_t size = at->size <= 8 ? at->size : 8, offset;
	static const uint8_t certain[8] = {1, 1, 1, 1, 1, 1, 1, 1};
	enum extent extent;

	/* Before main begins threads the image is ahead of it. */
	if (x->threads.count == 1)
		return 0;
	extent = extent_of(x, at->addr, size, &offset);
	if (extent == NOWHERE)
		return 0;
	/* What most reads find. */
	if (extent == WHOLE && !t->issued.count && !memcmp(x->known.items + offset, certain, size) &&
	    !memcmp(x->image.items + offset, &at->value, size))
		return 0;
	for (uint32_t i = 0; i < size; i++)
		if (see_byte(x, t, at->addr + i, (uint8_t)(at->value >> i * 8))) {
			x->l->clash[0] = site;
			return err_set(e, ERR_MISMATCH,
				       "memory that threads share was written by code that is not "
				       "instrumented");
		}
	return 0;
}

void ingest_image_update(struct ingest *x, const struct wire_event *ev)
{
	uint32_t offset, bytes;

	if (ev->kind == EVENT_ALLOC &&
	    cells_find(x->cells, x->l, ev->addr, ev->value, &offset, &bytes) != LEARN_NONE)
		memset(x->image.items + offset, 0, bytes);
	if (ev->kind == EVENT_WRITE || ev->kind == EVENT_RMW || ev->kind == EVENT_DATA)
		ingest_image_write(x, ev->addr, &ev->value, ev->size <= 8 ? ev->size : 8);
}

/* Code that is not instrumented ran while there was one thread: anything may be there now. */
void ingest_image_forget(struct ingest *x)
{
	if (x->threads.count == 1 && x->known.count)
		memset(x->known.items, 0, x->known.count);
}

/* The first execution of all shows what main put into memory before it began threads. */
static void settle_memory(struct ingest *x)
{
	if (x->settled)
		return;
	x->settled = true;
	if (x->image.count)
		memcpy(x->l->memory.items, x->image.items, x->image.count);
	vec_clear(&x->first_known);
	for (size_t i = 0; i < x->known.count; i++)
		vec_push(&x->first_known, x->known.items[i]);
}

/* The first thread is begun: up to here every execution is the same. */
void ingest_image_begin(struct ingest *x)
{
	settle_memory(x);
	assert(x->first_known.count == x->image.count);
	if (!x->image.count)
		return;
	memcpy(x->image.items, x->l->memory.items, x->image.count);
	memcpy(x->known.items, x->first_known.items, x->known.count);
}
