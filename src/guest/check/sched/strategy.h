/*
 * A strategy decides which action comes next.  It looks at the sets of slots in sched/state.h and
 * answers with one action; it never changes scheduler state.
 *
 * Determinism: the same seed and the same program give the same answers.  State of a run is RT_RUN;
 * state over runs (DFS) lies in the control block's scratch area.
 */
#ifndef HEDDLE_RT_SCHED_STRATEGY_H
#define HEDDLE_RT_SCHED_STRATEGY_H

#include "guest/check/rt.h"

struct action {
	enum choice_kind kind; /* RUN, FLUSH, TIMEOUT or SPURIOUS */
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
	strategy_replay, strategy_batch, strategy_cores, strategy_surw, strategy_pos,
	strategy_feedback, strategy_mix, strategy_turns;

/* How many actions are possible now, and the nth of them in a fixed order: runs, flushes,
   timeouts, spurious ends, each by slot. */
uint32_t action_count(void);
/* The last of them alone; none unless the job wants them. */
uint32_t action_count_spurious(void);
/* Draws one of these, now and then, one time in `odds'. */
bool action_draw_spurious(uint32_t odds, struct action *a);
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
/*
 * Now and then something that is not a step of a thread: a store that reaches memory (one time in
 * `odds'; 0: never), a timeout, a spurious end; always when no thread can go on.
 */
bool strategy_draw_others(uint32_t odds, struct action *a);
/* How seldom stores reach memory in a run: delays are to be of every length. */
uint32_t strategy_draw_odds(void);

#endif
