#include "predict/read/lives.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/vec.h"
#include "wire/ctl.h"

struct block {
	uint64_t from, to, life;
};

struct slot {
	uint64_t life;
	uint32_t owner; /* first thread that used it in this life */
	bool used;
};

struct lives {
	VEC(struct block) blocks; /* by address, not overlapping; freed ones stay until reused */
	struct slot slots[WIRE_MAX_LIVE];
	uint64_t *begun, *ended; /* by thread: index of the event + 1, 0 = not yet */
	uint64_t last;		 /* life handed out */
};

static size_t block_at_or_after(const struct lives *l, uint64_t addr)
{
	size_t low = 0, high = l->blocks.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (l->blocks.items[middle].to <= addr)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void begin_block(struct lives *l, uint64_t from, uint64_t bytes)
{
	uint64_t to = bytes > UINT64_MAX - from ? UINT64_MAX : from + bytes;
	size_t at = block_at_or_after(l, from), end = at;

	while (end < l->blocks.count && l->blocks.items[end].from < to)
		end++;
	if (end == at) {
		vec_push(&l->blocks, ((struct block){0, 0, 0}));
		memmove(l->blocks.items + at + 1, l->blocks.items + at,
			(l->blocks.count - 1 - at) * sizeof(*l->blocks.items));
	} else {
		memmove(l->blocks.items + at + 1, l->blocks.items + end,
			(l->blocks.count - end) * sizeof(*l->blocks.items));
		l->blocks.count -= end - at - 1;
	}
	l->blocks.items[at] = (struct block){from, to, ++l->last};
}

static uint64_t slot_life(struct lives *l, uint64_t addr, uint32_t tid)
{
	struct slot *s = &l->slots[(addr - WIRE_SLOTS_ADDR) / WIRE_SLOT_BYTES];
	bool reused = s->used && l->ended[s->owner] != 0 && s->owner != tid &&
		      l->begun[tid] > l->ended[s->owner];

	if (!s->used || reused) {
		s->used = true;
		s->owner = tid;
		s->life = ++l->last;
	}
	return s->life;
}

static uint64_t life_at(struct lives *l, uint64_t addr, uint32_t tid)
{
	size_t at;

	if (addr >= WIRE_SLOTS_ADDR && addr < WIRE_SLOTS_ADDR + WIRE_MAX_LIVE * WIRE_SLOT_BYTES)
		return slot_life(l, addr, tid);
	at = block_at_or_after(l, addr);
	if (at < l->blocks.count && l->blocks.items[at].from <= addr)
		return l->blocks.items[at].life;
	return 0;
}

void predict_lives_follow(const struct trace_bundle *b, uint64_t *life_of)
{
	struct lives l = {.last = 0};

	l.begun = xcalloc(WIRE_MAX_THREADS + 1, sizeof(*l.begun));
	l.ended = xcalloc(WIRE_MAX_THREADS + 1, sizeof(*l.ended));
	for (size_t i = 0; i < b->events.count; i++) {
		const struct wire_event *e = &b->events.items[i];
		uint32_t tid = e->tid < WIRE_MAX_THREADS ? e->tid : WIRE_MAX_THREADS;

		if (e->kind == EVENT_THREAD_BEGIN)
			l.begun[tid] = i + 1;
		else if (e->kind == EVENT_THREAD_END)
			l.ended[tid] = i + 1;
		else if (e->kind == EVENT_ALLOC)
			begin_block(&l, e->addr, e->value);
		life_of[i] = life_at(&l, e->addr, tid);
	}
	vec_free(&l.blocks);
	free(l.begun);
	free(l.ended);
}
