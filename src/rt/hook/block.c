/*
 * Block operations: odd-sized accesses, memcpy, memmove, memset.
 *
 * Up to SMALL bytes a copy is a read and a write with a scheduling point before each; larger ones
 * are one step, since they could not be held back in between.  Under TSO and PSO they wait for the
 * thread's store buffers and write through.
 */
#include <string.h>

#include "rt/mem/heap.h"
#include "rt/mem/undo.h"
#include "rt/rec/rec.h"
#include "rt/sched/memory.h"
#include "rt/sched/spin.h"
#include "rt/sched/thread.h"

#define SMALL 64

static void stand_at(enum event_kind kind, const void *addr, size_t n, uint32_t site)
{
	struct rt_op op = { .kind = (uint8_t)kind, .site = site, .addr = (uint64_t)addr,
			    .value = n };

	sched_step(&op);
}

static void note_read(const void *addr, size_t n, uint32_t site)
{
	heap_check(addr, n, site, false);
	rec_event(EVENT_READ_RANGE, site, (uint64_t)addr, n, 0);
}

static void note_write(void *addr, size_t n, uint32_t site)
{
	heap_check(addr, n, site, true);
	undo_touch(addr, n);
	spin_wrote(rt_current);
	rec_event(EVENT_WRITE_RANGE, site, (uint64_t)addr, n, 0);
}

RT_EXPORT void heddle_hook_load_n(void *copy, const void *addr, size_t n, heddle_site_ref where)
{
	uint32_t site = rec_site(where);

	if (rt_controlled()) {
		stand_at(EVENT_READ_RANGE, addr, n, site);
		note_read(addr, n, site);
	}
	memcpy(copy, addr, n);
}

RT_EXPORT void heddle_hook_store_n(void *addr, const void *copy, size_t n, heddle_site_ref where)
{
	uint32_t site = rec_site(where);

	if (rt_controlled()) {
		stand_at(EVENT_WRITE_RANGE, addr, n, site);
		note_write(addr, n, site);
	}
	memcpy(addr, copy, n);
	if (rt_controlled()) {
		rec_data(addr, n);
		memory_changed();
	}
}

static void move_small(void *to, const void *from, size_t n, uint32_t site)
{
	char bounce[SMALL];

	stand_at(EVENT_READ_RANGE, from, n, site);
	note_read(from, n, site);
	memcpy(bounce, from, n);
	stand_at(EVENT_WRITE_RANGE, to, n, site);
	note_write(to, n, site);
	memcpy(to, bounce, n);
	rec_data(to, n);
}

RT_EXPORT void *heddle_hook_memmove(void *to, const void *from, size_t n, heddle_site_ref where)
{
	uint32_t site = rec_site(where);

	if (!rt_controlled() || n == 0)
		return memmove(to, from, n);
	if (n <= SMALL) {
		move_small(to, from, n, site);
	} else {
		stand_at(EVENT_WRITE_RANGE, to, n, site);
		note_read(from, n, site);
		note_write(to, n, site);
		memmove(to, from, n);
		rec_data(to, n);
	}
	memory_changed();
	return to;
}

RT_EXPORT void *heddle_hook_memcpy(void *to, const void *from, size_t n, heddle_site_ref where)
{
	return heddle_hook_memmove(to, from, n, where);
}

RT_EXPORT void *heddle_hook_memset(void *to, int byte, size_t n, heddle_site_ref where)
{
	uint32_t site = rec_site(where);

	if (!rt_controlled() || n == 0)
		return memset(to, byte, n);
	stand_at(EVENT_WRITE_RANGE, to, n, site);
	note_write(to, n, site);
	memset(to, byte, n);
	rec_data(to, n);
	memory_changed();
	return to;
}
