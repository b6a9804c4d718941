/*
 * Running a known schedule again: to confirm a failure with its events, to try an edited schedule,
 * to replay a recording.
 */
#ifndef HEDDLE_RUN_CONFIRM_H
#define HEDDLE_RUN_CONFIRM_H

#include "run/guest/engine.h"

struct run_again {
	struct run_engine *engine;
	struct run_guest *guest;
	struct wire_job job; /* of the original run: its seed feeds the program's random numbers */
	/* What is the same failure beside its key; NULL: the key says it all. */
	bool (*same)(void *arg, const struct run_result *r);
	void *arg;
};

/* Whether r failed with this key, and in the same way. */
bool run_again_same(const struct run_again *a, const struct run_result *r, uint64_t key);

/*
 * One run along n choices.  flags are added to those of the original job that concern the program
 * itself (JOB_NATURE).
 */
int run_again(const struct run_again *a, uint32_t flags, const struct wire_choice *choices,
	      size_t n, struct run_result *r, struct err *e);

/* The job that run_again() posts. */
struct wire_job run_again_job(const struct wire_job *original, uint32_t flags, size_t n);

/*
 * One execution that is made even when the guest's limit is reached: without it what was found
 * would be lost.  As run_engine_job().
 */
int run_last(const struct run_again *a, const struct wire_job *job,
	     const struct wire_choice *choices, struct run_result *r, struct err *e);

/*
 * The same as run_again() with events and to the letter, made even when the limit is reached; r
 * must then show the failure with this key.  Returns 0, ERR_MISMATCH when it did not (r tells what
 * happened instead), or an error.
 */
int run_confirm(const struct run_again *a, const struct wire_choice *choices, size_t n,
		uint64_t key, struct run_result *r, struct err *e);

#endif
