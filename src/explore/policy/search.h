/*
 * heddle check's exhaustive search: every behaviour of a program, by learning its threads.
 */
#ifndef HEDDLE_CHECK_SEARCH_H
#define HEDDLE_CHECK_SEARCH_H

#include "explore/policy/source.h"
#include "explore/published/explore.h"
#include "run/fleet/campaign.h"

struct check_race {
	uint32_t threads[2], sites[2], sizes[2];
	uint32_t tids[2], tix[2]; /* the two events in an execution along the path */
	uint64_t address;
	bool writes[2], atomic[2];
	struct model_schedule path; /* brings the two together, one right after the other */
};

struct check_stats {
	struct product_stats product;
	struct explore_stats explore; /* check_explore() only */
	uint64_t learned;	      /* runs of the program; check_search() has no others */
	uint64_t executions, diverged, events, restarts;
	uint64_t guest_ns, total_ns;
	uint64_t bytes; /* of the trees */
};

/* Called now and then; non-zero ends the search. */
typedef int (*check_progress_fn)(void *arg, const struct check_stats *s);

struct check_opts {
	struct run_engine *engine;
	struct run_guest *guest;
	const struct run_guest_opts *guest_opts; /* of the others, when there are several */
	unsigned jobs;				 /* guests at the same time; 0 and 1: one */
	struct wire_job job; /* engine-independent: model, seed, max_steps, flags */
	bool all;	     /* go on after a failure */
	bool races;
	bool stop_on_race;
	uint32_t loop_bound;
	/* classic and se: which reads keep their values; see explore/published/explore.h. */
	enum explore_static static_deps;
	bool (*depends)(void *arg, uint32_t read_site, uint32_t event_site);
	void *depends_arg;
	int64_t preemptions; /* -1: no bound */
	uint64_t max_executions;
	const struct limit *limit; /* may be NULL */
	check_progress_fn progress;
	void *arg;
};

struct check_result {
	struct check_stats stats;
	bool complete;	   /* everything was looked at */
	char reason[512];  /* why not */
	bool unmodelled;   /* because the program does something that is not modelled */
	bool out_of_memory; /* because the limit on memory was reached */
	bool input;	   /* the program read from outside */
	bool may_spur;	   /* it has waits or weak compare and swaps */
	bool cut_short;	   /* see struct product_stats: none but those were there */
	VEC(struct run_finding *) findings;
	VEC(struct check_race) races;
	uint64_t unconfirmed; /* failures thought through that no run showed */
};

/* 0 with *out filled in, or the reason why the program could not be run at all. */
int check_search(const struct check_opts *o, struct check_result *out, struct err *e);
void check_result_fini(struct check_result *r);

#endif
