/*
 * The replay oracle: candidates are carried out on guests that let threads come to elements in
 * their orders only (STRATEGY_TURNS), several at a time.  What a run showed is all that counts: a
 * candidate is good when the program really failed as the logs say.
 */
#ifndef HEDDLE_COOP_ORACLE_H
#define HEDDLE_COOP_ORACLE_H

#include "coop/turns.h"
#include "run/fleet/fleet.h"
#include "run/guest/engine.h"

enum coop_verdict {
	COOP_FAILED,  /* in the way that is looked for */
	COOP_PASSED,  /* it ended otherwise */
	COOP_STUCK,   /* the orders do not go together, or it never ended */
	COOP_TROUBLE, /* no answer */
};

/* So many candidates are tried at a time, however many guests there are: what is learned is the
 * same. */
#define COOP_AT_A_TIME 4u

struct coop_attempt {
	struct coop_turn_block block;
	struct wire_job job;
	struct run_result result;
	int rc;
	struct err e;
};

struct coop_oracle {
	struct run_fleet fleet;
	struct run_engine *engine;
	unsigned guests;
	size_t count; /* attempts under way */
	struct coop_attempt attempts[COOP_AT_A_TIME];
};

/* first stays the caller's.  After an error only coop_oracle_fini() may follow. */
int coop_oracle_init(struct coop_oracle *o, struct run_engine *engine, struct run_guest *first,
		     const struct run_guest_opts *opts, struct err *e);
void coop_oracle_fini(struct coop_oracle *o);

/*
 * Adds a candidate to those to be carried out; job says seed, limits and what a failure is.  At
 * most COOP_AT_A_TIME.
 */
void coop_oracle_add(struct coop_oracle *o, const struct coop_elements *x, const struct coop_set *s,
		     const struct coop_candidate *c, const struct wire_job *job);
/* Carries them out; attempts[0..count) have the results.  The next coop_oracle_add() begins anew.
 */
int coop_oracle_run(struct coop_oracle *o, struct err *e);

/*
 * Of an attempt that got stuck: the two elements, as the program numbers them; they may be one.
 * False: not known.
 */
bool coop_oracle_clash(const struct coop_attempt *a, uint32_t *element, uint32_t *other);

#endif
