/*
 * What heddle check tries, in which order, and when it stops.
 *
 * With a strategy: schedules drawn by it.  Without: every behaviour.  A few hundred schedules of a
 * mixture of strategies come first, because shallow failures show in milliseconds; then schedules are
 * drawn beside the search, always the same part of its work, until it is done or one fails; and when
 * the search cannot hold the program, many schedules after all.  A search that lasts, or ends without
 * an answer, gets another beside it: all schedules with up to k delays (bounds.h).
 */
#ifndef HEDDLE_EXPLORE_POLICY_PLAN_H
#define HEDDLE_EXPLORE_POLICY_PLAN_H

#include "explore/policy/search.h"

#define CHECK_EXHAUSTIVE STRATEGY_REPLAY /* no way to draw schedules: all of them */
#define CHECK_RUNS_DEFAULT 10000 /* schedules drawn at random, unless somebody says otherwise */
#define CHECK_PREEMPTIONS_DEFAULT 2
#define CHECK_ANY (-1)
#define CHECK_NO_BOUND UINT64_MAX

enum check_algorithm {
	CHECK_LEARN,  /* the others follow in the order of enum explore_algorithm */
	CHECK_OTHERS,
};

/* What the user wants. */
struct check_plan {
	int strategy;  /* enum wire_strategy or CHECK_EXHAUSTIVE */
	int algorithm; /* enum check_algorithm, or CHECK_ANY: learn, and schedules drawn beside it */
	bool keep_going, races, stop_on_race;
	uint64_t runs;	      /* to draw; 0: a number that suits the strategy */
	uint64_t time_ns;     /* 0: a minute for a search, none for what is drawn */
	uint64_t depth;	      /* of PCT */
	uint64_t preemptions; /* of a search; CHECK_NO_BOUND */
	uint64_t loop_bound, max_executions;
	int static_deps; /* enum explore_static */
	unsigned jobs;
};

/* What it is carried out with; borrowed. */
struct check_means {
	const struct run_program *program;
	struct run_engine *engine;
	struct run_guest_opts *guest;
	struct wire_job job;
	const struct limit *limit;
	/* About to draw so many schedules (0: not known); that is over. */
	void (*draws)(void *arg, uint64_t runs);
	void (*drawn)(void *arg);
	run_campaign_fn draw_progress;
	check_progress_fn search_progress;
	void *arg;
};

struct check_outcome {
	struct run_campaign campaign; /* what was drawn */
	struct wire_job job;	      /* as it was drawn last, or is searched */
	bool is_exhaustive;	      /* result is filled in */
	struct check_result result;
	struct {
		uint64_t runs; /* 0: none were made */
		uint32_t done; /* all schedules with less than so many delays were run */
		uint64_t schedules; /* those of the last bound; 0: not counted */
		bool all;	    /* and none has more */
	} delays;
	uint64_t ns; /* all in all: what was drawn, and the search */
	bool has_drawn; /* schedules were drawn before the search, and after it when it got stuck */
};

/* 0 with *out filled in, or the reason why the program could not be run at all. */
int check_carry_out(const struct check_plan *plan, const struct check_means *means,
		    struct check_outcome *out, struct err *e);
void check_outcome_fini(struct check_outcome *out);

/* How many runs are drawn when the user says nothing: 0 until a time limit. */
uint64_t check_plan_runs(const struct check_plan *plan);
/* "learn", "classic", … */
const char *check_plan_algorithm(const struct check_plan *plan);

#endif
