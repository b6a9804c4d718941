/*
 * Store buffers for TSO and PSO (spec mcr §4, §10.4).
 *
 * Each thread has one list of issued, uncommitted stores in program order.  What may commit next
 * is all that differs between the models:
 *   TSO  the oldest entry;
 *   PSO  an entry is free to commit when no older entry of the thread overlaps its bytes and none
 *        belongs to an earlier epoch.  A release store or fence begins a new epoch: everything
 *        older reaches memory before anything younger.
 * Loads see the thread's own entries first (store forwarding), byte by byte, youngest last.
 *
 * Early entries.  A thread's own stack is also written by code that is not instrumented (spills,
 * private variables of later frames), so a store to it cannot come late: it would hit whatever the
 * place is used for by then.  Such a store writes memory when it is issued and keeps the old bytes;
 * until it commits, the other threads see the old bytes instead (buffer_hide()).
 */
#ifndef HEDDLE_RT_MEM_BUFFER_H
#define HEDDLE_RT_MEM_BUFFER_H

#include "rt/rt.h"

#define BUFFER_ENTRIES 64

struct buffer_entry {
	uint64_t addr, value;
	uint64_t old; /* early: what memory held */
	uint32_t site, tix, epoch;
	uint8_t size, order, early;
};

struct store_buffer {
	uint32_t count;
	uint32_t epoch;
	uint32_t fenced; /* a fence was put behind its last store: nothing happens before it is empty */
	struct buffer_entry entries[BUFFER_ENTRIES];
};

/* The buffer of a slot, emptied. */
struct store_buffer *buffer_of_slot(uint32_t slot);

static inline bool buffer_full(const struct store_buffer *b)
{
	return b->count == BUFFER_ENTRIES;
}

void buffer_put(struct store_buffer *b, const struct buffer_entry *entry);
/* Everything put so far commits before anything put later. */
void buffer_barrier(struct store_buffer *b);
/* How many entries could commit next under the model. */
uint32_t buffer_choices(const struct store_buffer *b, enum wire_model model);
/* Takes the choice-th of them (by age) out of the list. */
struct buffer_entry buffer_take(struct store_buffer *b, enum wire_model model, uint32_t choice);
/* The choice that commits the store issued as event tix, BUFFER_NO_CHOICE when none does now. */
#define BUFFER_NO_CHOICE UINT32_MAX
uint32_t buffer_choice_of(const struct store_buffer *b, enum wire_model model, uint32_t tix);
/* Whether the store issued as event tix is still there. */
bool buffer_has(const struct store_buffer *b, uint32_t tix);
/* Overlays the thread's own pending stores on bytes already copied from memory to `to'. */
void buffer_forward(const struct store_buffer *b, uint64_t addr, void *to, size_t bytes);
/* For another thread's load: puts the old bytes of b's early entries over the copy of memory. */
void buffer_hide(const struct store_buffer *b, uint64_t addr, void *to, size_t bytes);
/* Another thread wrote there: early entries of b that overlap will have to be written again. */
void buffer_overtaken(struct store_buffer *b, uint64_t addr, size_t bytes);

#endif
