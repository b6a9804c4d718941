/*
 * Looks for executions that pass, as close to a failing one as there are.
 *
 * Candidates are the failing order with one thread's operations moved forward: for every pair that
 * conflicts, strictly and with whole critical sections (Machado, Lucia and Rodrigues, section 4);
 * for every thread that had not ended, to the beginning of every stretch of another one, and on as
 * far as it can.  Under TSO and PSO also with stores in time.  Every candidate is really run; what
 * counts is what happened.  When nothing passes on the same path, schedules are drawn.  The best
 * execution is then brought closer to the failing one from both ends.
 */
#ifndef HEDDLE_EXPLAIN_SEARCH_H
#define HEDDLE_EXPLAIN_SEARCH_H

#include "base/limit.h"
#include "explain/causal.h"
#include "explain/difference.h"
#include "explain/order.h"
#include "run/confirm/confirm.h"
#include "trace/elf/sites.h"

/* What an operation of interest got in a run. */
enum explain_held { HELD_SAME, HELD_OTHER, HELD_ABSENT };

/* An execution that a run showed, kept for testing claims on all of them; each once. */
struct explain_seen {
	bool failed; /* as the failing one */
	bool passed, same_path;
	size_t first; /* of enum explain_held, one for each operation of interest, in `held' */
	struct explain_exec *x; /* without markers */
	struct explain_causal causal;
};

struct explain_search {
	struct run_again again;
	const struct limit *limit;
	uint64_t max_runs;
	bool all; /* do not end at the first good one */
	const struct model_schedule
		*beside; /* only executions on the paths of this one; NULL: any */
	bool brief; /* in a moment: fewer runs */
	const struct explain_failing *failing;
	const struct trace_sites *sites; /* of the program, NULL: not known */
	/* What came out. */
	uint64_t runs, pairs; /* runs made; pairs tried */
	bool cut;	      /* candidates were left out: too many, or time was up */
	bool found;
	struct explain_exec best;
	struct explain_difference difference; /* of it */
	struct model_schedule schedule;	      /* that made it */
	/* Operations that get something from others; behind them, by number, those at which threads
	 * stood. */
	VEC(uint32_t) interest;
	VEC(struct explain_seen) seen; /* the failing one first */
	struct lookup by_print;
	VEC(uint8_t) held;
	uint64_t kept_events;
	bool forgot;	   /* executions were not kept: too many */
	bool exhausted;	   /* seen are all executions that there are */
	char not_all[128]; /* why they are not, or are not known to be */
	uint64_t nothing;  /* runs that came to nothing */
	char trouble[256]; /* why, the last time */
};

int explain_search(struct explain_search *s, struct err *e);
/* The place is in the user's code, as far as is known. */
bool explain_search_is_users(const struct explain_search *s, uint32_t site);
void explain_search_fini(struct explain_search *s);

#endif
