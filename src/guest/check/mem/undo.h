/*
 * The undo log of the reset engine: what memory held before it was changed.  On other engines
 * touching costs one test.
 *
 * Records lie one behind the other, each as its old bytes (padded to 8), the address, the length;
 * they are read backwards.  Memory that is dead after a run needs no record: the heap arenas and
 * the slots' stacks (a thread begins with a fresh copy of its slot's image), and the part of main's
 * stack below the snapshot.
 */
#ifndef HEDDLE_RT_MEM_UNDO_H
#define HEDDLE_RT_MEM_UNDO_H

#include "guest/check/rt.h"

extern int undo_on;
/* Set when code we do not see may have written anywhere; cleared when a run begins. */
extern int undo_opaque_seen;
/* Set when the run called a described function at a place for the first time; cleared likewise. */
extern int undo_doubtful;

/* Maps the log and begins to record; main_sp: main's stack below it is dead after a run. */
int undo_start(uint64_t main_sp);
void undo_record(const void *addr, size_t bytes);
/* Puts everything back, newest first, and empties the log. */
void undo_rollback(void);

/* Call before changing memory of the program or large state of the runtime. */
static inline void undo_touch(const void *addr, size_t bytes)
{
	if (undo_on)
		undo_record(addr, bytes);
}

/*
 * Code we do not see may have changed any memory: the next reset copies every writable mapping
 * back (slow) instead of only the undo log.
 */
static inline void undo_opaque(void)
{
	undo_opaque_seen = 1;
}

/*
 * A library function whose writes the description tells is about to be called at this place.  The
 * description may be wrong: after the first run with it, all memory is compared.
 */
void undo_doubt(uint32_t site);

#endif
