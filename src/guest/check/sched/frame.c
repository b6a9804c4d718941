#include "guest/check/sched/frame.h"

#include "guest/check/rec/rec.h"
#include "guest/check/sched/state.h"

static bool is_on(const struct engine_slot *s, uint64_t addr)
{
	return addr >= s->stack_low && addr < s->stack_high;
}

static uint32_t slot_of(uint64_t addr)
{
	if (is_on(&engine_slots[0], addr))
		return 0;
	RT_ASSERT(addr >= LAYOUT_SLOTS);
	return (uint32_t)((addr - LAYOUT_SLOTS) / LAYOUT_SLOT_BYTES);
}

/* Whether some thread of this run has lived on the slot. */
static bool was_used(uint32_t slot)
{
	for (uint32_t i = 0; i < rt_thread_count; i++)
		if (rt_threads[i].slot == slot)
			return true;
	return false;
}

/* Where the part of a slot ends that goes with its thread: stack and thread-local variables. */
static uint64_t end_of(uint32_t slot)
{
	RT_ASSERT(slot != 0);
	return LAYOUT_SLOTS + (slot + 1) * LAYOUT_SLOT_BYTES;
}

void frame_note(const struct rt_op *op)
{
	const struct engine_slot *s = &engine_slots[rt_current->slot];

	if (!is_on(s, (uint64_t)op) || (op->sp && !is_on(s, op->sp)))
		return;
	/* Whoever lived on the slot before has left it dead; main has always been there. */
	if (!rt_current->deepest && rt_current->slot != 0)
		rt_current->deepest = end_of(rt_current->slot);
	/* Where the frames end is not known: not below the operation. */
	if (op->sp || (uint64_t)op < rt_current->deepest)
		rec_stack(op->sp ? op->sp : (uint64_t)op);
}

void frame_last(const struct rt_thread *t)
{
	uint64_t from = engine_slots[t->slot].stack_high;
	struct wire_event e = { .addr = from, .site = t->last_site, .tix = t->next_tix,
				.tid = t->tid, .kind = EVENT_STACK, .aux = STACK_ENDS };

	if (t->slot == 0 || !rec_details())
		return;
	e.value = end_of(t->slot) - from;
	rec_raw(&e);
}

void frame_check_slow(uint64_t addr, size_t bytes, uint32_t site, bool write)
{
	uint32_t slot = slot_of(addr);
	const struct rt_thread *t = set_has(&sched.busy, slot) ? sched.by_slot[slot] : NULL;
	const char *what = write ? "write" : "read";

	if (addr < engine_slots[slot].stack_low)
		return;
	if (!t || t->state == THREAD_FINISHED || t->state == THREAD_GONE) {
		if (was_used(slot))
			rt_fail(FAILURE_USE_AFTER_FREE, site, addr, bytes,
				"%s of %lu bytes %s of a thread that has ended", what,
				(uint64_t)bytes,
				is_on(&engine_slots[slot], addr) ? "on the stack"
								 : "in a thread-local variable");
		return;
	}
	if (t->op && is_on(&engine_slots[slot], addr) &&
	    is_on(&engine_slots[slot], (uint64_t)t->op) &&
	    addr < (t->op->sp ? t->op->sp : (uint64_t)t->op))
		rt_fail(FAILURE_USE_AFTER_FREE, site, addr, bytes,
			"%s of %lu bytes in a stack frame that has returned", what,
			(uint64_t)bytes);
}
