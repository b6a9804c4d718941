/*
 * What exploration needs of the program: run it under a prefix, see what happened.
 *
 * A prefix is a sequence of events by name.  The executor performs them in that order: a write of
 * the prefix reaches memory at its place, writes that come earlier in program order but not in the
 * prefix stay in the store buffer of their thread.  After the prefix, buffered writes reach memory
 * first, thread by thread in program order; then the lowest thread that can run does so until it
 * blocks or ends, its writes reaching memory at once.
 *
 * Equal prefixes give equal runs.  Threads are numbered alike in all runs of a program.
 */
#ifndef HEDDLE_EXPLORE_EXECUTOR_H
#define HEDDLE_EXPLORE_EXECUTOR_H

#include <stddef.h>

#include "base/err.h"
#include "solve/history.h"

enum explore_outcome {
	EXPLORE_ENDED,	  /* every thread came to its end */
	EXPLORE_STUCK,	  /* some did not, and none can run: deadlock */
	EXPLORE_FAILED,	  /* an assertion or a crash ended it early */
	EXPLORE_LIMITED,  /* a step or loop bound ended it early */
	EXPLORE_DIVERGED, /* the prefix did not fit */
	EXPLORE_ASSUMED,  /* an assumption does not hold: it does not count, what it read does */
};

struct explore_run {
	enum explore_outcome outcome;
	size_t prefix;		      /* leading events that are the prefix */
	struct solve_history history; /* complete, prefix included */
	/*
	 * The operation each thread stands at in the end, unless a limit stops it: most are blocked.
	 * One that reads has the value it would find, and writes nothing.  A join comes last, and
	 * may be missing when the other thread does not end.
	 */
	struct solve_history pending;
	uint64_t failure;	      /* FAILED: names the failure; 0 otherwise */
	uint64_t marks;		      /* failures the program survived, counted */
};

/* An event by where it stands: the n-th of its thread at a site, counted from 0. */
struct explore_soft_step {
	uint32_t thread, site, instance;
};

struct explore_executor {
	unsigned model; /* enum wire_model */
	/* Fills *out, reusing its buffers. */
	int (*execute)(struct explore_executor *x, const struct solve_step *prefix, size_t n,
		       struct explore_run *out, struct err *e);
	/*
	 * Optional.  Performs the prefix, then the soft steps: a thread runs through what it does
	 * before the event a step names, and a step is passed over when its thread comes to the
	 * event of a later one first.  out->prefix counts everything up to the last step.  DIVERGED
	 * only when the last step was not performed.
	 */
	int (*execute_soft)(struct explore_executor *x, const struct solve_step *prefix, size_t n,
			    const struct explore_soft_step *steps, size_t m,
			    struct explore_run *out, struct err *e);
	/* The value an object has before anything is written to it. */
	uint64_t (*initial)(struct explore_executor *x, uint64_t object);
};

static inline void explore_run_fini(struct explore_run *r)
{
	vec_free(&r->history);
	vec_free(&r->pending);
}

#endif
