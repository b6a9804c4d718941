/*
 * Memory of frames that have returned.
 *
 * A thread that stands at an operation has described it in a local variable of the runtime's, deeper
 * on its stack than any frame of the program: what lies below belongs to frames that have returned.
 * Instrumented callers of library functions say exactly where their frames end (rt_op.sp).
 * So does the whole stack of a thread that has ended, with its thread-local variables behind it.  A thread on another stack than its own (a
 * coroutine, an alternate stack for signals) is left alone: nothing is certain then.
 */
#ifndef HEDDLE_RT_SCHED_FRAME_H
#define HEDDLE_RT_SCHED_FRAME_H

#include "guest/check/engine/slot.h"
#include "guest/check/mem/layout.h"
#include "guest/check/thread.h"

/* Cold part of frame_check(). */
void frame_check_slow(uint64_t addr, size_t bytes, uint32_t site, bool write);

/* For searches: how far the frames of the running thread reach where it announces op. */
void frame_note(const struct rt_op *op);

/* The same of what is its own beside the stack (thread-local variables), before its last event. */
void frame_last(const struct rt_thread *t);

/*
 * Ends the run when [addr, addr + bytes) lies in a frame that has returned.  The running thread has
 * announced the access with sched_step(), and done nothing since.
 */
static inline void frame_check(uint64_t addr, size_t bytes, uint32_t site, bool write)
{
	const struct engine_slot *main_slot = &engine_slots[0];

	if (unlikely(addr - LAYOUT_SLOTS < LAYOUT_SLOT_BYTES * WIRE_MAX_LIVE ||
		     addr - main_slot->stack_low < main_slot->stack_high - main_slot->stack_low))
		frame_check_slow(addr, bytes, site, write);
}

#endif
