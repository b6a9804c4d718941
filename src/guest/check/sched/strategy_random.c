/*
 * Random walks of several kinds.  One run in two chooses uniformly among the possible actions; the
 * others draw a character for the run: how likely the running thread goes on, and a speed for each
 * thread.  A uniform walk keeps threads in step and almost never sees one overtake another by many
 * steps; a walk with speeds does.
 *
 * Timeouts and spurious ends are chosen seldom while anything else is possible, and more seldom each time: a server
 * that runs for millions of steps must not live through years of virtual time.
 */
#include "guest/check/sched/state.h"

#define TIMEOUT_ODDS 32
#define SPURIOUS_ODDS 16
#define MOST_EARLY 20 /* doublings of the odds */
#define LONGEST_STRETCH 6 /* the running thread goes on with probability 1 - 2^-stretch at most */
#define SPEEDS 5	  /* weights 1, 4, 16, … */

static RT_RUN struct {
	uint32_t stretch; /* 0: the running thread has no privilege */
	bool weighted;
	uint32_t early; /* timeouts chosen although something else was possible */
	uint32_t spurious; /* operations ended for no reason */
} walk;

static void begin(uint64_t seed)
{
	strategy_seed(seed);
	walk.weighted = strategy_random_below(2);
	walk.early = walk.spurious = 0;
	walk.stretch = walk.weighted ? strategy_random_below(LONGEST_STRETCH + 1) : 0;
}

static void born(struct rt_thread *t)
{
	t->priority = walk.weighted ? UINT64_C(1) << 2 * strategy_random_below(SPEEDS) : 1;
}

static bool current_goes_on(void)
{
	return walk.stretch && set_has(&sched.enabled, rt_current->slot) &&
	       sched.by_slot[rt_current->slot] == rt_current &&
	       !(rt_current->op->flags & OP_YIELD) && strategy_random_below(1u << walk.stretch) != 0;
}

/* Draws a thread by its speed; flushes count as one slow action each. */
static void choose_weighted(uint32_t runs, uint32_t without, struct action *a)
{
	uint32_t total = without - runs, at;

	SET_EACH(&sched.enabled, slot)
		total += (uint32_t)sched.by_slot[slot]->priority;
	RT_ASSERT(without >= runs && total > 0);
	at = strategy_random_below(total);
	SET_EACH(&sched.enabled, slot) {
		struct rt_thread *t = sched.by_slot[slot];

		if (at < t->priority) {
			*a = (struct action){ CHOICE_RUN, 1, t };
			return;
		}
		at -= (uint32_t)t->priority;
	}
	action_nth(runs + at, a);
}

static void choose(struct action *a)
{
	uint32_t without = action_count_without_timeouts();

	if (unlikely(set_any(&sched.timed)) &&
	    (without == 0 || strategy_random_below((uint32_t)TIMEOUT_ODDS << walk.early) == 0)) {
		uint32_t timed = set_count(&sched.timed);

		walk.early += without != 0 && walk.early < MOST_EARLY;
		action_nth(without + strategy_random_below(timed), a);
	} else if (action_draw_spurious((uint32_t)SPURIOUS_ODDS << walk.spurious, a)) {
		walk.spurious += walk.spurious < MOST_EARLY;
	} else if (without == 1) {
		action_nth(0, a);
	} else if (!walk.weighted) {
		action_nth(strategy_random_below(without), a);
	} else if (current_goes_on()) {
		*a = (struct action){ CHOICE_RUN, 1, rt_current };
	} else {
		choose_weighted(set_count(&sched.enabled), without, a);
	}
}

const struct strategy strategy_random = {
	.begin = begin,
	.choose = choose,
	.pick = strategy_random_below,
	.born = born,
};
