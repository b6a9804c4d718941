/*
 * Atomics of any number of bytes: 16, and the structures that libatomic keeps under a lock.  One step:
 * a read of the range, a write of it, or the two glued together.  Under TSO and PSO they wait for the
 * thread's store buffers and write through, as a locked operation does.
 *
 * Tolerates: before main, signal handlers of the program.
 */
#include <stdbool.h>
#include <string.h>

#include "guest/check/mem/heap.h"
#include "guest/check/mem/undo.h"
#include "guest/check/rec/rec.h"
#include "guest/check/sched/memory.h"
#include "guest/check/sched/spin.h"
#include "guest/check/sched/thread.h"

static void stand_at(enum event_kind kind, const void *addr, size_t n, uint32_t site)
{
	struct rt_op op = { .kind = (uint8_t)kind, .site = site, .addr = (uint64_t)addr,
			    .value = n };

	sched_step(&op);
	heap_check(addr, n, site, kind == EVENT_WRITE_RANGE);
	/* Ranges are not among the reads a loop is parked on. */
	rt_current->spin_on = 0;
}

static void note_read(const void *addr, size_t n, uint32_t order, uint32_t site)
{
	rec_event(EVENT_READ_RANGE, site, (uint64_t)addr, n, order);
	rec_data(addr, n);
}

static void put(void *addr, const void *from, size_t n, uint32_t aux, uint32_t site)
{
	undo_touch(addr, n);
	memcpy(addr, from, n);
	spin_wrote(rt_current);
	rec_event(EVENT_WRITE_RANGE, site, (uint64_t)addr, n, aux);
	rec_data(addr, n);
	memory_changed();
}

/* Outside control, before main for example, a lock keeps other threads honest. */
static int outside_lock;

static void enter_outside(void)
{
	while (__atomic_exchange_n(&outside_lock, 1, __ATOMIC_ACQUIRE))
		__builtin_ia32_pause();
}

static void leave_outside(void)
{
	__atomic_store_n(&outside_lock, 0, __ATOMIC_RELEASE);
}

static void swap_outside(void *addr, void *old, const void *desired, size_t n)
{
	enter_outside();
	if (old)
		memcpy(old, addr, n);
	if (desired)
		memcpy(addr, desired, n);
	leave_outside();
}

RT_EXPORT void heddle_hook_atomic_swap_n(void *addr, void *old, const void *desired, size_t n,
					 uint32_t order, heddle_site_ref where)
{
	uint32_t site = rec_site(where);

	if (!rt_controlled() || n == 0) {
		swap_outside(addr, old, desired, n);
		return;
	}
	stand_at(old ? EVENT_READ_RANGE : EVENT_WRITE_RANGE, addr, n, site);
	if (old) {
		note_read(addr, n, order, site);
		memcpy(old, addr, n);
	}
	if (desired)
		put(addr, desired, n, order | (old ? EVENT_GLUED : 0), site);
}

RT_EXPORT int heddle_hook_atomic_cas_n(void *addr, void *expected, const void *desired, size_t n,
				       uint32_t order, heddle_site_ref where)
{
	uint32_t site = rec_site(where);
	bool controlled = rt_controlled(), same;

	if (controlled) {
		stand_at(EVENT_READ_RANGE, addr, n, site);
		note_read(addr, n, order, site);
	} else {
		enter_outside();
	}
	same = memcmp(addr, expected, n) == 0;
	if (!same)
		memcpy(expected, addr, n);
	else if (controlled)
		put(addr, desired, n, order | EVENT_GLUED, site);
	else
		memcpy(addr, desired, n);
	if (!controlled)
		leave_outside();
	return same;
}
