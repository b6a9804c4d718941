/*
 * Slots: places for threads of the program.
 *
 * A slot is a stack at a fixed address with a real pthread on it, whose TLS block and pthread_t
 * are those of whatever program thread occupies the slot.  On the fiber engines that pthread is
 * parked for ever and the one running kernel thread borrows its stack and thread pointer; on the
 * threads engine it runs itself.  A program thread always begins at entry_sp, so stack addresses
 * are the same on all engines.  Slot 0 is the main thread on the process's own stack.
 *
 * image: the slot's TLS block and TCB as they were when the pthread was fresh; put back when a new
 * program thread moves in.
 */
#ifndef HEDDLE_RT_ENGINE_SLOT_H
#define HEDDLE_RT_ENGINE_SLOT_H

#include <pthread.h>

#include "guest/check/rt.h"

struct engine_slot {
	uint64_t sp; /* while suspended */
	uint64_t fs;
	uint64_t entry_sp;
	uint64_t stack_low, stack_high;
	uint64_t image_begin, image_bytes;
	pthread_t handle;
	uint64_t floats; /* threads engine: what the new program thread inherits */
	uint32_t go;	 /* threads engine: 1 = run; futex */
	uint32_t ready;	 /* the pthread reached its parking place; futex */
	uint8_t fresh;	 /* threads engine: begins a program thread when told to go */
	uint8_t used;	 /* image must be put back before the next occupant */
};

extern struct engine_slot engine_slots[WIRE_MAX_LIVE];
extern uint32_t engine_slot_count; /* with a pthread on them */

/* Sets up slot 0 for the calling thread; main's frames begin below sp. */
void slot_init_main(uint64_t sp);
/* Makes pthreads for slots up to count; in the calling process.  0, or -1 when one fails. */
int slot_grow(uint32_t count);
/* What the pthread of a slot does when it runs by itself (threads engine). */
extern void (*slot_run_entry)(void);
/* A program thread moves in: fresh TLS. */
void slot_refresh(struct engine_slot *s);

#endif
