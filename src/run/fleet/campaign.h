/*
 * A campaign: a strategy carried out on one or several guests until it has nothing left, a limit is
 * reached, or a failure was found (all distinct ones when asked to keep going).
 *
 * Each guest has a host thread.  A failure is ranked by (order, run inside the order); the campaign
 * ends only when no run of lower rank is left, so what is found first does not depend on the number
 * of guests or on timing, as long as no time limit cuts it off.
 */
#ifndef HEDDLE_RUN_CAMPAIGN_H
#define HEDDLE_RUN_CAMPAIGN_H

#include "run/guest/engine.h"
#include "run/fleet/strategy.h"

/* One distinct failure: the run of the lowest rank that showed it. */
struct run_finding {
	uint64_t key;	/* run_result_key() */
	uint64_t count; /* how many runs showed it */
	uint64_t order, run;
	struct wire_job job; /* that found it: seed is the one of the failing run */
	struct run_result result;
};

struct run_stats {
	uint64_t runs, failures, limits, assumes, total_steps, max_steps, ns;
	bool exhausted; /* a systematic search came to its end */
	bool not_all;	/* one did, and some schedules were not looked at */
	bool out_of_time;
	bool stopped;		  /* by the user */
	bool in_trouble;	  /* a guest gave no answer: reason */
	enum run_verdict verdict; /* of the job that made trouble */
	char reason[512];
};

/* Called from time to time from one of the host threads, under the campaign's lock. */
typedef void (*run_campaign_fn)(void *arg, const struct run_stats *s);

struct run_campaign_opts {
	struct run_guest_opts guest;
	struct run_engine *engine;
	struct run_guest *first; /* one that stays the caller's, instead of a new one; may be NULL */
	struct run_strategy *strategy;
	unsigned guests;
	uint64_t limit_ns; /* 0: none; guest.limit counts besides */
	bool keep_going;
	run_campaign_fn progress;
	void *arg;
};

struct run_campaign {
	struct run_stats stats;
	VEC(struct run_finding *) findings; /* lowest rank first */
};

#define RUN_CAMPAIGN_INIT                                                                          \
	{                                                                                          \
		.stats = {.runs = 0 }                                                              \
	}

/* 0, or the reason why the program could not be run at all. */
int run_campaign(struct run_campaign *c, const struct run_campaign_opts *o, struct err *e);
void run_campaign_fini(struct run_campaign *c);

#endif
