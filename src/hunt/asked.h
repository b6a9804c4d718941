/*
 * Many questions about one execution, answered side by side: each process takes a share of them on
 * a copy of everything, so that nothing of the executor or the solver has to be safe for threads.
 * Answers are the same, and in the same order, with any number of processes.
 */
#ifndef HEDDLE_HUNT_ASKED_H
#define HEDDLE_HUNT_ASKED_H

#include "hunt/query.h"

struct hunt_asked {
	struct hunt_question q; /* its limit is replaced */
	struct hunt_reply r;	/* to be freed with hunt_reply_fini() */
	uint64_t took_ns;
};

struct hunt_ask_opts {
	unsigned jobs;		   /* processes; 1: this one */
	uint64_t question_ns;	   /* for each */
	const struct limit *limit; /* of all */
};

/* What a process that died leaves open is SOLVE_UNKNOWN. */
void hunt_ask_all(const struct hunt_exec *x, const struct hunt_ask_opts *o,
		  struct hunt_asked *items, size_t n);

#endif
