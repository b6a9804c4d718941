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
struct repro_block {
	uint32_t event;
	uint32_t by; /* locks: the event that took what it wants; else REPRO_NONE */
};

struct repro_sim {
	const struct repro_strace *t;
	bool buffered;	  /* loads may see stores of their own thread that are not in memory yet */
	uint32_t *source; /* by read: part that wrote what it returned, REPRO_NONE: the beginning */
	uint64_t *value;  /* by read */
	uint64_t *written; /* by part */
	uint32_t *picked;  /* by event: the signal that woke a WAKE; REPRO_NONE */
	uint32_t *woken;   /* by event: the WAIT that a SIGNAL ended; REPRO_NONE */
	VEC(struct repro_block) blocks;
	VEC(uint32_t) broken; /* conditions that are false */
	/* Scratch. */
	uint32_t *last; /* by cell */
	bool *done;	/* by event */
	struct repro_objects *objects;
};

void repro_sim_init(struct repro_sim *s, const struct repro_strace *t, bool buffered);
void repro_sim_fini(struct repro_sim *s);

/* order holds every event once. */
void repro_sim_run(struct repro_sim *s, const uint32_t *order);

/* The order is a run, and it fails as asked. */
static inline bool repro_sim_good(const struct repro_sim *s)
{
	return s->blocks.count == 0 && s->broken.count == 0;
}

#endif
