/*
 * Synchronisation objects while a symbolic trace is carried out in some order; private to sim.c.
 */
#ifndef HEDDLE_SOLVE_STRACE_OBJECTS_H
#define HEDDLE_SOLVE_STRACE_OBJECTS_H

#include "solve/strace/sim.h"

/* What becomes of a sleeper in the trace: whom a signal wakes first so that most can go on. */
enum strace_sleeper_use {
	SLEEPER_WAKES,	 /* its WAKE is in the trace */
	SLEEPER_ENDS,	 /* the trace ends before, woken or not */
	SLEEPER_STUCK,	 /* sleeps for ever */
	SLEEPER_EXPIRES, /* its EXPIRE is in the trace */
};

struct strace_sleeper {
	uint32_t thread, wait; /* the WAIT event */
	uint32_t by;	       /* the signal that woke it, STRACE_NONE: asleep */
	uint8_t use;	       /* enum strace_sleeper_use */
	uint32_t rank;	       /* of its WAKE */
};

struct strace_object {
	uint64_t name;
	uint8_t family;		      /* enum strace_family */
	bool dead;		      /* it went wrong: what follows means nothing */
	uint32_t owner, depth, taken; /* mutex, rwlock: thread that writes, how often, event */
	struct strace_list readers;   /* events */
	uint64_t tokens, arrived, round;
	uint32_t state; /* once: 0 fresh, 1 running, 2 done */
	bool set;	/* tokens is valid */
	VEC(struct strace_sleeper) sleepers;
};

enum strace_family {
	FAMILY_NONE,
	FAMILY_LOCK,
	FAMILY_CONDITION,
	FAMILY_BARRIER,
	FAMILY_SEMAPHORE,
	FAMILY_ONCE,
};

struct strace_objects {
	VEC(struct strace_object) items;
	uint32_t *of;	      /* by event: its object (conditions: the condition), STRACE_NONE */
	uint32_t *mutex;      /* by event: the mutex of WAIT and WAKE */
	uint64_t *round;      /* by thread: of the barrier it arrived at */
	const uint32_t *rank; /* by event */
	uint32_t *wake;	      /* by WAIT event: its WAKE or EXPIRE, STRACE_NONE */
};

enum strace_family strace_family(enum strace_op op);

struct strace_objects *strace_objects_new(const struct strace *t);
void strace_objects_free(struct strace_objects *o);
void strace_objects_reset(struct strace_objects *o, const uint32_t *rank);

/* Event e happens; false when it cannot: *by as in struct strace_block. */
bool strace_objects_do(struct strace_objects *o, struct strace_sim *s, uint32_t e, uint32_t *by);

/* Whether all threads of t->stuck wait for ever in the end. */
bool strace_objects_stuck(const struct strace_objects *o, const struct strace *t);

#endif
