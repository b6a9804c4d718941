/*
 * Hidden state: what a thread can observe although no memory of the program holds it.
 *
 * A generator of random numbers, a clock, the result of a thread, a file's offset: each is a cell of
 * 8 bytes at an address made up for it, and what the program does with it is a read or a write of
 * that cell, recorded as part of the running thread's step (EVENT_GLUED).  An exhaustive search
 * treats cells like any memory that threads share, so two orders in which a generator is asked
 * are two behaviours.
 *
 * A value must follow from the operations on the cell alone, in their order: a count, a sum, a hash
 * of the history.  Nobody races on a cell: the accesses are atomic.
 *
 * The caller has stood at a scheduling point (sched_step) for its operation and nothing else has
 * happened since.  Tolerates: runs under control only.
 */
#ifndef HEDDLE_RT_REC_HIDDEN_H
#define HEDDLE_RT_REC_HIDDEN_H

#include "guest/check/rt.h"

enum hidden_kind {
	HIDDEN_CLOCK = 1,
	HIDDEN_RANDOM,	  /* key: which generator */
	HIDDEN_RESULT,	  /* of a thread; key: hidden_thread_key() */
	HIDDEN_START,	  /* what a thread was begun with; key: the same */
	HIDDEN_FILE,	  /* key: an open file or stream */
	HIDDEN_LIBRARY,	  /* state of the C library; key: hash of its name */
	HIDDEN_OTHER,
	HIDDEN_CANCEL,	  /* whether a thread is to end; key: as HIDDEN_RESULT */
	HIDDEN_CLOSED,	  /* whether a stream has been; key: its address */
};

/* The address of a cell.  Different keys of one kind may share one only by a collision of hashes. */
uint64_t hidden_cell(enum hidden_kind kind, uint64_t key);

/* The cell of something the C library keeps, by a name that ends with a blank or a NUL. */
uint64_t hidden_named(const char *name);

/* The running thread observes the cell's value, or sets it. */
void hidden_read(uint64_t cell, uint64_t value, uint32_t site);
void hidden_write(uint64_t cell, uint64_t value, uint32_t site);
/*
 * It changes the state from one value to the next.  observed: the program gets to know something
 * that depends on the old one; otherwise only somebody who does so makes the cell worth following.
 */
void hidden_update(uint64_t cell, uint64_t from, uint64_t to, bool observed, uint32_t site);

/*
 * Where the state of a cell is kept for whoever has no better place; 0 at first.  To be announced
 * with undo_touch() before it is changed.
 */
uint64_t *hidden_state(uint64_t cell);

/* The same kept there: what it is now is observed; an operation changes it, observed or not. */
void hidden_look(uint64_t cell, uint32_t site);
void hidden_do(uint64_t cell, uint64_t operation, bool observed, uint32_t site);

/* The next state after an operation: a mixture of both that no other order gives. */
uint64_t hidden_mix(uint64_t state, uint64_t operation);

#endif
