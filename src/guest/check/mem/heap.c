#include "guest/check/mem/heap.h"

#include <string.h>
#include <sys/mman.h>

#include "guest/os/sys.h"
#include "guest/check/thread.h"

#define GRAIN 16u
#define HEADER sizeof(struct heap_block)
#define SMALL_CLASSES 64u /* multiples of 16 up to 1024 */
#define CLASSES 192u	  /* then four steps to each doubling */
#define QUARANTINE_BYTES (UINT64_C(32) << 20)

struct arena {
	uint64_t end;	/* next free address */
	uint64_t dirty; /* memory below it may be non-zero from an earlier block or run */
	struct heap_block *free[CLASSES];
};

/* Per slot one for the program's own code and one for the libraries it calls. */
static struct arena arenas[LAYOUT_ARENAS];

static RT_RUN struct {
	uint64_t touched[LAYOUT_ARENAS / 64]; /* arenas used in this run */
	uint64_t quarantined;
	struct heap_block *oldest, *newest;
	uint64_t stamp; /* blocks made and given back so far */
	int recycled; /* free lists are in use */
} heap;

_Static_assert(HEADER == 48, "blocks stay aligned to 16");

static uint8_t *shadow_of(uint64_t addr)
{
	return (uint8_t *)(LAYOUT_SHADOW + (addr - LAYOUT_HEAP) / GRAIN);
}

static bool is_first(uint8_t state)
{
	return state >= HEAP_FIRST;
}

/* How many of the 16 bytes may be used. */
static uint32_t valid_bytes(uint8_t state)
{
	return state >= HEAP_LIVE ? state & (2 * GRAIN - 1) : 0;
}

static uint64_t arena_base(uint32_t arena)
{
	return LAYOUT_HEAP + arena * LAYOUT_ARENA_BYTES;
}

int heap_start(void)
{
	long got = sys_map_fixed(LAYOUT_HEAP, LAYOUT_HEAP_BYTES, PROT_READ | PROT_WRITE);

	if (got == 0)
		got = sys_map_fixed(LAYOUT_SHADOW, LAYOUT_SHADOW_BYTES, PROT_READ | PROT_WRITE);
	for (uint32_t i = 0; i < LAYOUT_ARENAS; i++)
		arenas[i].end = arenas[i].dirty = arena_base(i);
	return (int)got;
}

static void arena_reset(uint32_t slot)
{
	struct arena *a = &arenas[slot];
	uint64_t base = arena_base(slot);

	memset(shadow_of(base), HEAP_NEVER, (a->end - base) / GRAIN);
	a->end = base;
	if (heap.recycled)
		memset(a->free, 0, sizeof(a->free));
}

void heap_reset(void)
{
	for (uint32_t word = 0; word < LAYOUT_ARENAS / 64; word++)
		for (uint64_t bits = heap.touched[word]; bits; bits &= bits - 1)
			arena_reset(word * 64 + (uint32_t)__builtin_ctzll(bits));
	memset(&heap, 0, sizeof(heap));
}

/* Size class of a request and, in *capacity, what a block of that class holds. */
static uint32_t class_of(size_t size, uint64_t *capacity)
{
	uint64_t need = size ? (size + GRAIN - 1) & ~(uint64_t)(GRAIN - 1) : GRAIN;

	if (need <= SMALL_CLASSES * GRAIN) {
		*capacity = need;
		return (uint32_t)(need / GRAIN) - 1;
	}
	uint32_t log = 63 - (uint32_t)__builtin_clzll(need - 1);
	uint64_t step = UINT64_C(1) << (log - 2);
	uint64_t steps = (need - (UINT64_C(1) << log) + step - 1) / step;

	*capacity = (UINT64_C(1) << log) + steps * step;
	return SMALL_CLASSES + (log - 10) * 4 + (uint32_t)steps - 1;
}

static struct heap_block *take_recycled(struct arena *a, uint32_t class)
{
	struct heap_block *b = class < CLASSES ? a->free[class] : NULL;

	if (b)
		a->free[class] = b->next;
	return b;
}

static struct heap_block *take_fresh(struct arena *a, uint32_t slot, uint64_t capacity,
				     size_t align)
{
	uint64_t limit = arena_base(slot) + LAYOUT_ARENA_BYTES;
	uint64_t user = (a->end + HEADER + align - 1) & ~(uint64_t)(align - 1);

	if (capacity > LAYOUT_ARENA_BYTES || user + capacity > limit)
		return NULL;
	a->end = user + capacity;
	return (struct heap_block *)(user - HEADER);
}

/* Fresh blocks read as zero: only memory used before needs clearing. */
static void clear_block(struct arena *a, struct heap_block *b)
{
	uint64_t user = (uint64_t)(b + 1), end = user + b->capacity;

	if (user < a->dirty)
		memset((void *)user, 0, (end < a->dirty ? end : a->dirty) - user);
	if (end > a->dirty)
		a->dirty = end;
}

/* Byte by byte: what rounding up has added does not belong to the program. */
static void mark_live(struct heap_block *b)
{
	uint8_t *s = shadow_of((uint64_t)(b + 1));
	uint64_t whole = b->size / GRAIN, grains = b->capacity / GRAIN;

	memset(s, HEAP_LIVE + GRAIN, whole);
	memset(s + whole, HEAP_SLACK, grains - whole);
	if (b->size % GRAIN || b->size == 0)
		s[whole] = (uint8_t)(HEAP_LIVE + b->size % GRAIN);
	s[0] = (uint8_t)(s[0] - HEAP_LIVE + HEAP_FIRST);
	memset(shadow_of((uint64_t)b), HEAP_HEADER, HEADER / GRAIN);
}

void *heap_alloc(size_t size, size_t align, uint32_t site)
{
	/*
	 * What a library allocates may depend on what other threads did (the first to print gets
	 * the buffer); what the program allocates itself then still depends on the thread alone.
	 */
	uint32_t slot = rt_current->slot + (site == SITE_NONE ? WIRE_MAX_LIVE : 0);
	struct arena *a = &arenas[slot];
	struct heap_block *b = NULL;
	uint64_t capacity;
	uint32_t class;

	if (size > LAYOUT_ARENA_BYTES)
		return NULL;
	class = class_of(size, &capacity);
	heap.touched[slot / 64] |= UINT64_C(1) << slot % 64;
	if (heap.recycled && align <= GRAIN)
		b = take_recycled(a, class);
	if (!b)
		b = take_fresh(a, slot, capacity, align < GRAIN ? GRAIN : align);
	if (!b)
		return NULL;
	*b = (struct heap_block){.size = size,
				 .capacity = capacity,
				 .alloc_site = site,
				 .free_site = SITE_NONE,
				 .alloc_tid = rt_current->tid,
				 .class = class,
				 .stamp = ++heap.stamp};
	clear_block(a, b);
	mark_live(b);
	return b + 1;
}

/* The oldest block leaves the quarantine for its arena's free list. */
static void release_oldest(void)
{
	struct heap_block *b = heap.oldest;
	uint32_t slot = (uint32_t)(((uint64_t)b - LAYOUT_HEAP) / LAYOUT_ARENA_BYTES);

	heap.oldest = b->next;
	heap.quarantined -= b->capacity;
	if (b->class >= CLASSES)
		return;
	heap.recycled = 1;
	b->next = arenas[slot].free[b->class];
	arenas[slot].free[b->class] = b;
}

void heap_free(void *p, uint32_t site)
{
	uint64_t addr = (uint64_t)p;
	struct heap_block *b = heap_live_block(p);

	if (!b && addr % GRAIN == 0 && *shadow_of(addr) == HEAP_FREED_FIRST)
		rt_fail(FAILURE_DOUBLE_FREE, site, addr, 0,
			"free of a block that was freed already");
	if (!b)
		rt_fail(FAILURE_INVALID_FREE, site, addr, 0,
			"free of an address that is not the start of a block");
	b->free_site = site;
	b->free_tid = rt_current->tid;
	b->stamp = ++heap.stamp;
	memset(shadow_of(addr), HEAP_FREED, b->capacity / GRAIN);
	*shadow_of(addr) = HEAP_FREED_FIRST;
	b->next = NULL;
	if (heap.oldest)
		heap.newest->next = b;
	else
		heap.oldest = b;
	heap.newest = b;
	heap.quarantined += b->capacity;
	while (heap.quarantined > QUARANTINE_BYTES)
		release_oldest();
}

struct heap_block *heap_live_block(const void *p)
{
	uint64_t addr = (uint64_t)p;

	if (!heap_owns(p) || addr % GRAIN || !is_first(*shadow_of(addr)))
		return NULL;
	return (struct heap_block *)p - 1;
}

struct heap_block *heap_block_around(uint64_t addr, bool *freed)
{
	uint8_t *s = shadow_of(addr), *floor;
	uint32_t slot = (uint32_t)((addr - LAYOUT_HEAP) / LAYOUT_ARENA_BYTES);

	floor = shadow_of(arena_base(slot));
	while (s > floor && !is_first(*s) && *s != HEAP_FREED_FIRST && *s != HEAP_NEVER &&
	       *s != HEAP_HEADER)
		s--;
	if (!is_first(*s) && *s != HEAP_FREED_FIRST)
		return NULL;
	*freed = *s == HEAP_FREED_FIRST;
	addr = LAYOUT_HEAP + (uint64_t)(s - (uint8_t *)LAYOUT_SHADOW) * GRAIN;
	return (struct heap_block *)addr - 1;
}

bool heap_might_lie_at(uint64_t young, uint64_t addr)
{
	struct heap_block *old, *b;
	bool freed = false, gone;

	if (!heap_owns((const void *)addr) || !heap_owns((const void *)young))
		return false;
	old = heap_block_around(addr, &freed);
	b = heap_block_around(young, &gone);
	return old && freed && b && b->stamp > old->stamp;
}

/* The first byte of [addr, end) that is nobody's; end when there is none. */
static uint64_t first_bad(uint64_t addr, uint64_t end)
{
	for (uint64_t at = addr; at < end;) {
		uint64_t grain = at & ~(uint64_t)(GRAIN - 1);
		uint64_t valid = grain + valid_bytes(*shadow_of(at));

		if (valid < end && valid < grain + GRAIN)
			return valid > at ? valid : at;
		at = grain + GRAIN;
	}
	return end;
}

static _Noreturn void out_of_block(uint64_t bad, size_t bytes, uint32_t site, const char *what)
{
	bool freed = false;
	struct heap_block *b = heap_block_around(bad, &freed);

	if (freed)
		rt_fail(FAILURE_USE_AFTER_FREE, site, bad, bytes, "%s of %lu bytes after free",
			what, (uint64_t)bytes);
	if (b)
		rt_fail(FAILURE_HEAP_RANGE, site, bad, bytes,
			"%s of %lu bytes beyond the end of a block of %lu", what, (uint64_t)bytes,
			b->size);
	rt_fail(FAILURE_HEAP_RANGE, site, bad, bytes, "%s of %lu bytes outside every block", what,
		(uint64_t)bytes);
}

/* Nothing that the heap itself rests on would be overwritten. */
static bool may_pass(uint64_t addr, uint64_t end, bool write)
{
	if (!rt_ctl || !(rt_ctl->job.flags & JOB_PAST_MISUSE))
		return false;
	for (uint64_t at = addr & ~(uint64_t)(GRAIN - 1); write && at < end; at += GRAIN)
		if (*shadow_of(at) == HEAP_HEADER)
			return false;
	return true;
}

void heap_check_slow(uint64_t addr, size_t bytes, uint32_t site, bool write)
{
	uint64_t end = bytes < LAYOUT_HEAP + LAYOUT_HEAP_BYTES - addr
			       ? addr + bytes
			       : LAYOUT_HEAP + LAYOUT_HEAP_BYTES;
	uint64_t bad = first_bad(addr, end);

	if (unlikely(bad != end) && !may_pass(addr, end, write))
		out_of_block(bad, bytes, site, write ? "write" : "read");
}
