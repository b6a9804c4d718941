/*
 * Carries out a symbolic trace in a given order: which write every read sees, what all values are,
 * and what does not go: a lock taken while somebody has it, a condition that is false.
 *
 * This is the meaning of a trace.  The solver only proposes orders.
 */
#ifndef HEDDLE_SOLVE_STRACE_SIM_H
#define HEDDLE_SOLVE_STRACE_SIM_H

#include "solve/strace/strace.h"

/* A synchronisation event that cannot happen where it stands. */
struct strace_block {
	uint32_t event;
	uint32_t by; /* locks: the event that took what it wants; else STRACE_NONE */
};

struct strace_sim {
	const struct strace *t;
	bool buffered; /* loads may see stores of their own thread that are not in memory yet */
	uint32_t
		*source; /* by read: part that wrote what it returned, STRACE_NONE: the beginning */
	uint64_t *value; /* by read */
	uint64_t *written; /* by part */
	uint32_t *picked;  /* by event: the signal that woke a WAKE; STRACE_NONE */
	uint32_t *woken;   /* by event: the WAIT that a SIGNAL ended; STRACE_NONE */
	VEC(struct strace_block) blocks;
	VEC(uint32_t) broken; /* conditions that are false */
	/* Scratch. */
	uint32_t *last; /* by cell */
	bool *done;	/* by event */
	struct strace_objects *objects;
};

void strace_sim_init(struct strace_sim *s, const struct strace *t, bool buffered);
void strace_sim_fini(struct strace_sim *s);

/* order holds every event once. */
void strace_sim_run(struct strace_sim *s, const uint32_t *order);

/* The order is a run, and it fails as asked. */
static inline bool strace_sim_good(const struct strace_sim *s)
{
	return s->blocks.count == 0 && s->broken.count == 0;
}

#endif
