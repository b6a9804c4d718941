/*
 * The undo log of the reset engine: what memory held before it was changed.  On other engines
 * touching costs one test.
 */
#ifndef HEDDLE_RT_MEM_UNDO_H
#define HEDDLE_RT_MEM_UNDO_H

#include "rt/rt.h"

extern int undo_on;

void undo_record(const void *addr, size_t bytes);

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
void undo_opaque(void);

#endif
