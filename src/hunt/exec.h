/*
 * One combination of paths, executed without knowing what shared reads return.
 *
 * Where the combination says how a thread goes on, it goes that way; behind that it is free: points
 * go as they were seen to go in recorded runs, loops are left after a few rounds, attempts succeed,
 * and a thread ends where an address is needed that nobody knows yet.  What came from outside comes
 * from the recorded run that the combination was made from.
 */
#ifndef HEDDLE_HUNT_EXEC_H
#define HEDDLE_HUNT_EXEC_H

#include "hunt/path.h"
#include "symex/follow/source.h"

/* How a point went when it was seen last. */
struct hunt_seen {
	uint64_t point, way;
};

struct hunt_program {
	struct symex_program *p;
	VEC(struct hunt_seen) seen;
	/* What is shared in one combination is so in all: its branches may be flipped anywhere. */
	struct sharing *known; /* NULL: each for itself */
};

struct hunt_exec {
	struct symex_trace trace;
	struct hunt_paths paths; /* as they were taken; item i is thread i of the trace */
	bool beyond[64];	 /* thread i took ways that nobody had told it */
	bool loops;		 /* a thread was ended because it went round too often */
};

struct hunt_exec_opts {
	struct hunt_program *program;
	struct follow_source *run;	/* recorded run that inputs come from */
	const struct hunt_paths *paths; /* NULL: those of the recorded run */
	uint32_t max_rounds;		/* of a free point, in one way */
	uint64_t max_instructions;
	const struct limit *limit;
};

/* 0 with *out filled in, or ERR_LIMIT with the reason. */
int hunt_execute(const struct hunt_exec_opts *o, struct hunt_exec *out, struct err *e);
void hunt_exec_fini(struct hunt_exec *x);

#endif
