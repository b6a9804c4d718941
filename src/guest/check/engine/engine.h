/*
 * Engines: how a run is carried and how the process gets back to its start.
 *
 *   reset    fibers; after the run the process restores its own memory
 *   fork     fibers in a child forked at the snapshot
 *   threads  real threads in such a child, handing over by futex, on one processor
 *
 * The engine loop runs on a stack of its own.  A run begins with client->run_begin(), then slot 0
 * starts client->thread_entry on main's stack; every other slot starts the same function when the
 * scheduler first switches to it.  A run ends when anybody calls engine_leave(); what it was is in
 * the control block by then.
 */
#ifndef HEDDLE_RT_ENGINE_ENGINE_H
#define HEDDLE_RT_ENGINE_ENGINE_H

#include "guest/check/engine/slot.h"
#include "guest/check/rt.h"

struct engine_client {
	void (*run_begin)(void);
	void (*thread_entry)(void);
	void (*run_over)(void); /* in the process that lives on, after each run */
};

/* Never returns: takes the snapshot here and serves jobs until told to quit (or once). */
_Noreturn void engine_enter(const struct engine_client *client);

/* Suspends the running slot (from) and runs another. */
void engine_switch(struct engine_slot *from, struct engine_slot *to);
/* The same for a thread that will not run again. */
_Noreturn void engine_switch_last(struct engine_slot *from, struct engine_slot *to);
/* A program thread moves into the slot; the next switch to it starts thread_entry. */
void engine_slot_begin(struct engine_slot *slot);
/* Slot number free for a new thread; ends the run to grow the pool when there is none. -1: full */
int engine_slot_find(const uint64_t *busy);
/* The run is over. */
_Noreturn void engine_leave(void);

/* Kernel threads of this process that are the engine's. */
uint32_t engine_kernel_threads(void);

bool engine_is_reset(void);
bool engine_is_once(void);

/* Internal outcome: the run needs more slots and is begun again. */
#define OUTCOME_MORE_SLOTS 100

#endif
