/*
 * Store buffers for TSO and PSO (sources: docs/algorithms.md).
 *
 * Each thread has one list of issued, uncommitted stores in program order.  What may commit next,
 * and what the thread's own loads see of them: wire/rules_store.h.
 *
 * Early entries.  A thread's own stack is also written by code that is not instrumented (spills,
 * private variables of later frames), so a store to it cannot come late: it would hit whatever the
 * place is used for by then.  Such a store writes memory when it is issued and keeps the old bytes;
 * until it commits, the other threads see the old bytes instead (buffer_hide()).
 */
#ifndef HEDDLE_RT_MEM_BUFFER_H
#define HEDDLE_RT_MEM_BUFFER_H

#include "guest/check/rules.h"

#define BUFFER_ENTRIES 64

struct buffer_entry {
	struct rule_store store;
	uint64_t old; /* early: what memory held */
	uint32_t site;
	uint8_t order, early;
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
/* The choice-th of them (by age), which stays. */
const struct buffer_entry *buffer_nth(const struct store_buffer *b, enum wire_model model,
				      uint32_t choice);
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
