/*
 * The search for a failure that nobody has seen: from the paths of recorded runs that passed, over
 * schedules and branches.
 *
 * A combination of paths is executed (exec.h).  Of every place of it where a thread could go
 * another way (a branch on shared memory, an address, the outcome of an attempt) it is asked
 * whether some order of the combination brings the thread there with such values (query.h).  If so,
 * the combination with that thread's path flipped there is the next one, free behind the flip; if
 * not, that place is done with for this combination.  A branch whose other way ends in a failure
 * without asking anything else is an *assertion*: its flip is the failure itself.
 *
 * Every execution of the program is reached like that: as long as it stays on the paths of a
 * combination nothing is left to find, and where it leaves them first, the question about that
 * place is answered yes by the execution itself.  So when no combination is left and no question
 * was left open, every assertion holds under every schedule (sequential consistency, this input).
 *
 * Combinations with fewer flips come first, of these the ones whose flip stands nearer to the end
 * of its thread.  Machado, "Finding and fixing concurrency bugs", chapter 5; deviations: infeasible
 * flips are not tried, and the order is by flips from the recorded run.
 */
#ifndef HEDDLE_HUNT_SEARCH_H
#define HEDDLE_HUNT_SEARCH_H

#include "base/limit.h"
#include "hunt/counts.h"
#include "hunt/exec.h"
#include "hunt/query.h"
#include "trace/bundle/recording.h"

/* What a failure was found by. */
struct hunt_found {
	uint32_t site;	      /* where the thread failed */
	uint32_t flips;	      /* branches that go another way than in the recorded run */
	uint64_t tries;	      /* combinations executed that no run showed, until this one */
	uint64_t synthesised; /* of them with a path that no run showed */
	char what[256];
	const struct model_schedule *schedule;
};

struct hunt_search_opts {
	const char *program; /* built to be run under control, with bitcode */
	uint32_t max_flips;  /* 0: no bound */
	uint32_t max_traces; /* paths per flip, where there are several */
	unsigned jobs;	     /* processes that answer questions; 0 and 1: this one alone */
	bool published;	     /* the order of the publication (published.c) */
	const struct limit *limit;
	/* A failure the search expects: true when a real run showed it. */
	bool (*confirm)(void *arg, const struct hunt_found *f);
	/* A schedule of the run that the last confirmed failure was derived from.  May be NULL. */
	void (*passes)(void *arg, const struct model_schedule *schedule);
	/* A pair was proved before; and now.  May be NULL. */
	bool (*known)(void *arg, const struct hunt_key *pair);
	/* place: where the assertion stands */
	void (*proved)(void *arg, const struct hunt_key *pair, const char *place);
	/* A combination was looked at: "flips\tsource\tresult\tpaths".  May be NULL. */
	void (*tried)(void *arg, const char *what);
	void *arg;
};

struct hunt_search;

int hunt_search_new(const struct hunt_search_opts *o, struct hunt_search **out, struct err *e);
void hunt_search_free(struct hunt_search *s);

/* A recorded run that passed; r stays the caller's until the end.  ERR_MISMATCH: another build. */
int hunt_search_add(struct hunt_search *s, const struct trace_recording *r, struct err *e);

/* Until nothing is left or the limit is reached. */
void hunt_search_run(struct hunt_search *s, struct hunt_counts *out);

#endif
