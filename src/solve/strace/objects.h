/*
 * Synchronisation objects while a symbolic trace is carried out in some order; private to sim.c.
 */
#ifndef HEDDLE_SOLVE_STRACE_OBJECTS_H
#define HEDDLE_SOLVE_STRACE_OBJECTS_H

#include "solve/strace/sim.h"

/* What becomes of a sleeper in the trace: whom a signal wakes first so that most can go on. */
enum repro_sleeper_use {
	SLEEPER_WAKES,	 /* its WAKE is in the trace */
	SLEEPER_ENDS,	 /* the trace ends before, woken or not */
	SLEEPER_STUCK,	 /* sleeps for ever */
	SLEEPER_EXPIRES, /* its EXPIRE is in the trace */
};

struct repro_sleeper {
	uint32_t thread, wait; /* the WAIT event */
	uint32_t by;	       /* the signal that woke it, REPRO_NONE: asleep */
	uint8_t use;	       /* enum repro_sleeper_use */
	uint32_t rank;	       /* of its WAKE */
};

struct repro_object {
	uint64_t name;
	uint8_t family;		      /* enum repro_family */
	bool dead;		      /* it went wrong: what follows means nothing */
	uint32_t owner, depth, taken; /* mutex, rwlock: thread that writes, how often, event */
	struct repro_list readers;    /* events */
	uint64_t tokens, arrived, round;
	uint32_t state; /* once: 0 fresh, 1 running, 2 done */
	bool set;	/* tokens is valid */
	VEC(struct repro_sleeper) sleepers;
};

enum repro_family {
	FAMILY_NONE,
	FAMILY_LOCK,
	FAMILY_CONDITION,
	FAMILY_BARRIER,
	FAMILY_SEMAPHORE,
	FAMILY_ONCE,
};

struct repro_objects {
	VEC(struct repro_object) items;
	uint32_t *of;	      /* by event: its object (conditions: the condition), REPRO_NONE */
	uint32_t *mutex;      /* by event: the mutex of WAIT and WAKE */
	uint64_t *round;      /* by thread: of the barrier it arrived at */
	const uint32_t *rank; /* by event */
	uint32_t *wake;	      /* by WAIT event: its WAKE or EXPIRE, REPRO_NONE */
};

enum repro_family repro_family(enum repro_op op);

struct repro_objects *repro_objects_new(const struct repro_strace *t);
void repro_objects_free(struct repro_objects *o);
void repro_objects_reset(struct repro_objects *o, const uint32_t *rank);

/* Event e happens; false when it cannot: *by as in struct repro_block. */
bool repro_objects_do(struct repro_objects *o, struct repro_sim *s, uint32_t e, uint32_t *by);

/* Whether all threads of t->stuck wait for ever in the end. */
bool repro_objects_stuck(const struct repro_objects *o, const struct repro_strace *t);

#endif
