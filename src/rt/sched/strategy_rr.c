/* Round robin: each thread runs for a quantum of steps drawn anew at every switch. */
#include "rt/sched/state.h"

#define LONGEST_QUANTUM 16

static RT_RUN uint32_t left;

static void begin(uint64_t seed)
{
	strategy_seed(seed);
	left = 0;
}

/* The next enabled slot after the running one, round the corner. */
static struct rt_thread *next_in_turn(void)
{
	uint32_t n = sched.words * 64;

	for (uint32_t i = 1; i <= n; i++) {
		uint32_t slot = (rt_current->slot + i) % n;

		if (set_has(&sched.enabled, slot))
			return sched.by_slot[slot];
	}
	return NULL;
}

static void choose(struct action *a)
{
	uint32_t runs = set_count(&sched.enabled), without = action_count_without_timeouts();
	bool own = set_has(&sched.enabled, rt_current->slot) &&
		   sched.by_slot[rt_current->slot] == rt_current;

	if (without > runs && (runs == 0 || left == 0)) {
		action_nth(runs + strategy_random_below(without - runs), a);
		left = left ? left : 1;
		return;
	}
	if (runs == 0) {
		action_nth(without + strategy_random_below(set_count(&sched.timed)), a);
		return;
	}
	if (own && left > 0 && !(rt_current->op->flags & OP_YIELD)) {
		left--;
		*a = (struct action){ CHOICE_RUN, 1, rt_current };
		return;
	}
	left = strategy_random_below(LONGEST_QUANTUM);
	*a = (struct action){ CHOICE_RUN, 1, next_in_turn() };
}

const struct strategy strategy_rr = {
	.begin = begin,
	.choose = choose,
	.pick = strategy_random_below,
};
