/*
 * The malloc family.  Under control, the deterministic heap of mem/heap.h; otherwise the C
 * library's own, which it exports for such wrappers.
 *
 * free() of a block called directly by instrumented code is a scheduling point; inside library code,
 * which may hold locks we do not model, it is not.  Blocks from before control began stay where they
 * are, because the library's heap must not change during a run, and are dead (mem/early.h).
 *
 * Tolerates: before main, other threads outside control.
 */
#include "guest/check/hook/memory/malloc.h"

#include <errno.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "guest/check/hook/memory/user.h"
#include "guest/check/mem/heap.h"
#include "guest/check/mem/undo.h"
#include "guest/check/rec/rec.h"
#include "guest/check/sched/thread.h"

#define PAGE 4096
#define CHUNK_HEADER 16

uint64_t malloc_early_begin, malloc_early_end;

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);
extern void __libc_free(void *);

static void *allocate(size_t size, size_t align)
{
	uint32_t site = sched_take_site();
	void *p = heap_alloc(size, align, site);

	if (!p) {
		errno = ENOMEM;
		return NULL;
	}
	rt_current->spin_on = 0;
	if (site != SITE_NONE)
		rec_event(EVENT_ALLOC, site, (uint64_t)p, size, 0);
	return p;
}

static void release(void *p)
{
	uint32_t site = rt_current->at_site;
	struct rt_op op = { .kind = EVENT_FREE, .site = site, .addr = (uint64_t)p };
	struct heap_block *b;

	if (site != SITE_NONE)
		sched_step(&op);
	sched_take_site();
	b = heap_live_block(p);
	if (site != SITE_NONE)
		rec_event(EVENT_FREE, site, (uint64_t)p, b ? b->size : 0, 0);
	heap_free(p, site);
}

static void release_early(void *p)
{
	uint32_t site = rt_current->at_site;
	struct rt_op op = { .kind = EVENT_FREE, .site = site, .addr = (uint64_t)p };
	size_t bytes = malloc_usable_size(p);

	if (site != SITE_NONE)
		sched_step(&op);
	sched_take_site();
	if (site != SITE_NONE)
		rec_event(EVENT_FREE, site, (uint64_t)p, bytes, 0);
	early_free((uint64_t)p, bytes, site);
}

RT_EXPORT void *malloc(size_t size)
{
	return rt_controlled() ? allocate(size, 16) : __libc_malloc(size);
}

RT_EXPORT void *calloc(size_t count, size_t size)
{
	size_t bytes;

	if (!rt_controlled())
		return __libc_calloc(count, size);
	if (__builtin_mul_overflow(count, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return allocate(bytes, 16); /* fresh blocks are zero */
}

/* From the library's heap, or from a mapping of its own as large blocks are. */
static bool is_early_block(uint64_t p)
{
	return p % 16 == 0 && ((p >= malloc_early_begin && p < malloc_early_end) ||
			       p % PAGE == CHUNK_HEADER);
}

RT_EXPORT void free(void *p)
{
	int saved = errno;

	if (!p)
		return;
	if (rt_controlled() && heap_owns(p))
		release(p);
	else if (!heap_owns(p) && !rt_controlled())
		__libc_free(p);
	else if (!heap_owns(p) && !is_early_block((uint64_t)p))
		rt_fail(FAILURE_INVALID_FREE, rt_current->at_site, (uint64_t)p, 0,
			"free of an address that is not in the heap");
	else if (!heap_owns(p))
		release_early(p);
	errno = saved;
}

static size_t usable(void *p)
{
	struct heap_block *b = heap_live_block(p);

	return b ? b->size : 0;
}

/* What a block moves with: read and written by the program, unless a library moves its own. */
static void copy_block(void *to, const void *from, size_t n, uint32_t site)
{
	if (site == SITE_NONE) {
		memcpy(to, from, n);
		return;
	}
	user_read(to, from, n, site);
	user_was_written(&(struct iovec){to, n}, 1, n, site);
}

RT_EXPORT void *realloc(void *p, size_t size)
{
	size_t old;
	void *fresh;

	if (!rt_controlled() && !heap_owns(p))
		return __libc_realloc(p, size);
	if (!p)
		return malloc(size);
	if (size == 0) {
		free(p);
		return NULL;
	}
	if (heap_owns(p) && !heap_live_block(p))
		free(p); /* ends the run with the right failure */
	old = heap_owns(p) ? usable(p) : malloc_usable_size(p);
	uint32_t site = rt_current ? rt_current->at_site : SITE_NONE;
	fresh = malloc(size);
	if (!fresh)
		return NULL;
	copy_block(fresh, p, old < size ? old : size, site);
	if (rt_current)
		rt_current->at_site = site;
	free(p);
	return fresh;
}

RT_EXPORT void *reallocarray(void *p, size_t count, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(count, size, &bytes)) {
		errno = ENOMEM;
		return NULL;
	}
	return realloc(p, bytes);
}

RT_EXPORT void *memalign(size_t align, size_t size)
{
	if (!rt_controlled())
		return __libc_memalign(align, size);
	if (align == 0 || (align & (align - 1))) {
		errno = EINVAL;
		return NULL;
	}
	return allocate(size, align);
}

RT_EXPORT void *aligned_alloc(size_t align, size_t size)
{
	return memalign(align, size);
}

RT_EXPORT int posix_memalign(void **to, size_t align, size_t size)
{
	int saved = errno;
	void *p;

	if (align % sizeof(void *) || align == 0 || (align & (align - 1)))
		return EINVAL;
	p = memalign(align, size);
	errno = saved;
	if (!p)
		return ENOMEM;
	*to = p;
	return 0;
}

RT_EXPORT void *valloc(size_t size)
{
	return memalign(PAGE, size);
}

RT_EXPORT void *pvalloc(size_t size)
{
	return memalign(PAGE, (size + PAGE - 1) & ~(size_t)(PAGE - 1));
}

/* The C library's function has no other exported name; its chunk header holds the size. */
RT_EXPORT size_t malloc_usable_size(void *p)
{
	size_t chunk;

	if (!p)
		return 0;
	if (heap_owns(p))
		return usable(p);
	chunk = ((const size_t *)p)[-1];
	return (chunk & ~(size_t)7) - (chunk & 2 ? 16 : 8);
}
