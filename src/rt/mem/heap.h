/*
 * The program's heap under control: an arena per slot, deterministic addresses, and a shadow that
 * knows the state of every 16 bytes.
 *
 * A block is a header of 48 bytes and the user's bytes, rounded up to a size class.  Allocation
 * takes a recycled block of its class, else it moves the arena's end.  Freed blocks wait in a
 * quarantine (oldest out first, above QUARANTINE_BYTES) before they are used again, so that a use
 * after free meets freed memory.  Fresh blocks are all zero, whatever the process did before.
 */
#ifndef HEDDLE_RT_MEM_HEAP_H
#define HEDDLE_RT_MEM_HEAP_H

#include "rt/mem/layout.h"
#include "rt/rt.h"

enum heap_state {
	HEAP_NEVER,
	HEAP_HEADER,
	HEAP_FIRST, /* the first 16 bytes of a live block */
	HEAP_LIVE,
	HEAP_FREED,
	HEAP_FREED_FIRST,
};

struct heap_block {
	uint64_t size;	  /* asked for */
	uint64_t capacity;/* usable */
	uint32_t alloc_site, free_site;
	uint16_t alloc_tid, free_tid;
	uint32_t class;
	struct heap_block *next; /* in the quarantine or a free list */
	uint64_t spare;
};

/* Maps heap and shadow; negative errno on failure. */
int heap_start(void);
/* After a run on the reset engine: forget every block made since the snapshot. */
void heap_reset(void);

/* Current thread's arena; NULL when it is full.  align is a power of two. */
void *heap_alloc(size_t size, size_t align, uint32_t site);
/* Ends the run with a failure when p is not a live block. */
void heap_free(void *p, uint32_t site);
static inline bool heap_owns(const void *p)
{
	return (uint64_t)p - LAYOUT_HEAP < LAYOUT_HEAP_BYTES;
}

/* Header of the live block that begins at p, NULL when none does. */
struct heap_block *heap_live_block(const void *p);
/* Header of the block, live or freed, that contains addr; NULL when none; *freed tells which. */
struct heap_block *heap_block_around(uint64_t addr, bool *freed);

/* Cold part of heap_check(): ends the run when [addr, addr+bytes) is not live. */
void heap_check_slow(uint64_t addr, size_t bytes, uint32_t site, bool write);

static inline void heap_check(const void *p, size_t bytes, uint32_t site, bool write)
{
	if (heap_owns(p))
		heap_check_slow((uint64_t)p, bytes, site, write);
}

#endif
