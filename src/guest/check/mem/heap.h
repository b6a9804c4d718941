/*
 * The program's heap under control: an arena per slot, deterministic addresses, and a shadow that
 * knows of every 16 bytes whose they are and how many of them, from the first on, may be used.
 *
 * A block is a header of 48 bytes and the user's bytes, rounded up to a size class.  Allocation
 * takes a recycled block of its class, else it moves the arena's end.  Freed blocks wait in a
 * quarantine (oldest out first, above QUARANTINE_BYTES) before they are used again, so that a use
 * after free meets freed memory.  Fresh blocks are all zero, whatever the process did before.
 */
#ifndef HEDDLE_RT_MEM_HEAP_H
#define HEDDLE_RT_MEM_HEAP_H

#include "guest/check/mem/early.h"
#include "guest/check/mem/layout.h"
#include "guest/check/rt.h"

enum heap_state {
	HEAP_NEVER,
	HEAP_HEADER,
	HEAP_FREED,
	HEAP_FREED_FIRST,
	HEAP_SLACK, /* of a live block, behind what was asked for */
	HEAP_LIVE = 0x20, /* plus 0 to 16: so many bytes may be used */
	HEAP_FIRST = 0x40, /* the same, the first 16 bytes of a live block */
};

struct heap_block {
	uint64_t size;	  /* asked for */
	uint64_t capacity;/* usable */
	uint32_t alloc_site, free_site;
	uint16_t alloc_tid, free_tid;
	uint32_t class;
	struct heap_block *next; /* in the quarantine or a free list */
	uint64_t stamp; /* when it was made, or given back */
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
/* Whether addr is in a freed block, and young in one made since, which might have got its place. */
bool heap_might_lie_at(uint64_t young, uint64_t addr);

/* Cold part of heap_check(): ends the run when [addr, addr+bytes) is not live. */
void heap_check_slow(uint64_t addr, size_t bytes, uint32_t site, bool write);

static inline void heap_check(const void *p, size_t bytes, uint32_t site, bool write)
{
	if (heap_owns(p))
		heap_check_slow((uint64_t)p, bytes, site, write);
	else
		early_check((uint64_t)p, bytes, site, write);
}

#endif
