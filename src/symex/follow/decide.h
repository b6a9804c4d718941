/*
 * What a recorded path leaves open, decided and taken back: where an access through a pointer that
 * was read from shared memory went, and how attempts ended (trylock, a wait with a limit, who ran the
 * routine of a once, whether a division failed).
 *
 * Decisions are a stack.  An attempt gets its first outcome when the executor asks; an address stops
 * its thread, is computed from an order of what is known so far, and the paths are executed again.
 * When an order does not exist the last decision takes its next outcome, or an address that was not
 * tried yet; when nothing is left, there is none with any decision.  The executor makes a condition
 * of every address, so a wrong one cannot lead to a wrong answer, only to a later contradiction.
 *
 * A decision is known by its thread, the number of events before it, its place, and which question of
 * that kind it is there.
 */
#ifndef HEDDLE_SYMEX_FOLLOW_DECIDE_H
#define HEDDLE_SYMEX_FOLLOW_DECIDE_H

#include "base/vec.h"
#include "symex/symex.h"

struct follow_decision {
	uint32_t thread, tix, site, nth;
	bool is_address, is_open; /* open: an address to be computed */
	uint8_t kind;		  /* of an attempt: enum event_kind */
	uint8_t alternative;	  /* its outcome, counted */
	expr_id expr;		  /* open: in the pool of the last trace; 0: not asked for there */
	uint64_t value;
	VEC(uint64_t) tried; /* addresses */
};

struct follow_decide {
	VEC(struct follow_decision) stack;
	VEC(struct follow_decision) asked; /* in this execution, to count questions at one place */
	uint64_t conflicts;
};

/* What an attempt of this kind may come to, and how many that are; 0: it is no matter of choice. */
unsigned follow_outcomes(unsigned kind, uint64_t out[2]);

void follow_decide_fini(struct follow_decide *d);

/* A new execution begins. */
void follow_decide_restart(struct follow_decide *d);

/* Of ADDRESS: STOP when it has to be computed first.  fails: assume this address, the thread failed. */
enum symex_answer follow_decide_address(struct follow_decide *d, const struct symex_question *q,
				       const uint64_t *fails, uint64_t *out);
/* Of OUTCOME: NONE for what is no matter of choice. */
enum symex_answer follow_decide_outcome(struct follow_decide *d, const struct symex_question *q,
				       uint64_t *out);

/* Whether something has to be computed before the threads can go on. */
bool follow_decide_waits(const struct follow_decide *d);

/* There is no order with these decisions, or with them thread `only' leaves its path. */
bool follow_decide_again(struct follow_decide *d, uint32_t only);

#endif
