/*
 * A strategy decides which action comes next.  It looks at the sets of slots in sched/state.h and
 * answers with one action; it never changes scheduler state.
 *
 * Determinism: the same seed and the same program give the same answers.  State of a run is RT_RUN;
 * state over runs (DFS) lies in the control block's scratch area.
 */
#ifndef HEDDLE_RT_SCHED_STRATEGY_H
#define HEDDLE_RT_SCHED_STRATEGY_H

#include "rt/rt.h"

struct action {
	enum choice_kind kind; /* RUN, FLUSH or TIMEOUT */
	uint32_t arg;	       /* FLUSH: which of the thread's committable stores */
	struct rt_thread *thread;
};

struct strategy {
	/* A run begins. */
	void (*begin)(uint64_t seed);
	/* At least one action is possible: which? */
	void (*choose)(struct action *a);
	/* One of n > 1 alternatives. */
	uint32_t (*pick)(uint32_t n);
	/* A thread was created; may be NULL. */
	void (*born)(struct rt_thread *t);
	/* After a run, in the process that lives on; may be NULL. */
	void (*over)(void);
};

extern const struct strategy strategy_random, strategy_pct, strategy_rr, strategy_dfs,
	strategy_replay, strategy_batch;

/* How many actions are possible now, and the nth of them in a fixed order: runs, flushes,
   timeouts, each by slot. */
uint32_t action_count(void);
void action_nth(uint32_t n, struct action *a);
/* Runs and flushes only. */
uint32_t action_count_without_timeouts(void);
/* The action taken when nobody says otherwise: stores reach memory at once, the running thread goes
   on (not when anew), else the lowest-numbered one, timeouts last. */
void action_default(struct action *a, bool anew);

/* The generator of the run, seeded by strategy_seed(). */
void strategy_seed(uint64_t seed);
uint64_t strategy_random_number(void);
uint32_t strategy_random_below(uint32_t n);

#endif
