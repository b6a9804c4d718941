/*
 * The recorded failure by executions under control: no model of any library is needed, and what comes
 * out is a real failing run.
 *
 * Rounds of growing length, each with schedules that follow the recorded times more and more loosely
 * (guide.h) and with schedules drawn by the guest's own strategies, under SC first, then TSO, PSO.
 * Runs that fail in another way are counted and passed over.
 */
#ifndef HEDDLE_REPRO_SEARCH_H
#define HEDDLE_REPRO_SEARCH_H

#include "repro/search/match.h"
#include "run/fleet/campaign.h"
#include "run/confirm/confirm.h"

struct repro_search_stats {
	uint64_t runs, guided, stamps; /* executions; of them along times; stamps followed at best */
	uint64_t bits;		       /* recorded bits that the best execution agrees with */
	uint64_t limits;	       /* runs that a limit of steps ended */
	uint32_t model;		       /* enum wire_model being tried */
	uint64_t troubles;	       /* executions that gave no answer */
	bool in_trouble;	       /* the guest gave no answer: reason */
	char reason[512];
};

struct repro_search_opts {
	struct run_engine *engine;
	struct run_guest *guest;
	const char *program; /* whose points are known; NULL: the recorded ways are not looked at */
	struct wire_job job; /* seed, max_steps, flags */
	struct repro_match *match;
	struct run_finding *near; /* the first failure that is only near; count 0: none yet */
	enum repro_near *near_why;
	bool models[MODEL_COUNT]; /* by enum wire_model: to be tried */
	uint64_t first_ns; /* length of the first round, for each way */
	uint64_t rounds;   /* 0: until the limit */
	const struct limit *limit;
	void (*progress)(void *arg, const struct repro_search_stats *s);
	void *arg;
};

/* 1 with *out filled in (to be freed by run_result_free), 0: not within the limits; or an error. */
int repro_search(const struct repro_search_opts *o, struct run_finding *out,
		 struct repro_search_stats *stats, struct err *e);

#endif
