/*
 * All schedules with up to k delays, for k = 0, 1, 2, …: an answer for programs that no search can
 * exhaust, such as those with a hundred threads.
 *
 * Without a delay a thread goes on until it waits or ends; then the next one in the order of
 * creation does.  A delay passes over what would come next.  (Emmi, Qadeer, Rakamarić:
 * Delay-bounded scheduling, POPL 2011.)  With n choices in a run there are about n^k schedules with
 * k delays, however many threads there are, and all that is held is the path of the current one.
 *
 * The schedules are real runs, so nothing of this rests on the trees of explore/learn.
 */
#ifndef HEDDLE_EXPLORE_POLICY_BOUNDS_H
#define HEDDLE_EXPLORE_POLICY_BOUNDS_H

#include "run/fleet/campaign.h"

struct check_bounds {
	struct run_guest_opts guest_opts; /* of the guest; its limit is that of everything here */
	struct run_engine *engine;
	struct wire_job job; /* model, seed, max_steps, flags */
	bool keep_going;
	run_campaign_fn progress;
	void *arg;

	struct run_campaign campaign; /* what was run; findings know the number of their run */
	uint32_t done;	    /* bounds exhausted: all schedules with less than so many delays */
	uint64_t runs_done; /* schedules of the last of them; 0: not counted */
	bool all;	    /* no schedule has as many delays: there are no others */
	bool over;	    /* nothing is left to do, or nothing can be done */

	struct run_guest *guest; /* the rest is private */
	bool resumes;		 /* the guest is on its way through the current bound */
	uint64_t begun;		 /* runs when that began */
	uint32_t engine_before;	 /* and the engine */
};

/* b has what it is to be carried out with, and zeros. */
void check_bounds_fini(struct check_bounds *b);

/*
 * Goes on for about so many steps of the program, or until a limit is reached, something fails, or
 * b->over.  0, or the reason why the program could not be run at all.
 */
int check_bounds_go_on(struct check_bounds *b, uint64_t steps, struct err *e);

/* Something has failed, and one failure is enough. */
bool check_bounds_has_failed(const struct check_bounds *b);

#endif
