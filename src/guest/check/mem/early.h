/*
 * Blocks that were allocated before control began (by constructors of global objects, say).  They are
 * the C library's and stay where they are for ever; one that the program gives back in a run is dead
 * for the rest of it, like any other.
 *
 * Tolerates: runs under control.
 */
#ifndef HEDDLE_RT_MEM_EARLY_H
#define HEDDLE_RT_MEM_EARLY_H

#include "guest/check/rt.h"

extern uint32_t early_dead; /* how many were given back in this run */

/* The block is given back; ends the run when it was before. */
void early_free(uint64_t addr, uint64_t bytes, uint32_t site);

/* Cold part of early_check(): ends the run when one of the bytes is in a dead block. */
void early_check_slow(uint64_t addr, uint64_t bytes, uint32_t site, bool write);

static inline void early_check(uint64_t addr, uint64_t bytes, uint32_t site, bool write)
{
	if (unlikely(early_dead))
		early_check_slow(addr, bytes, site, write);
}

#endif
