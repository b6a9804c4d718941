/* Uniform over what is possible; timeouts seldom while anything else is. */
#include "rt/sched/state.h"

#define TIMEOUT_ODDS 32

static void choose(struct action *a)
{
	uint32_t without = action_count_without_timeouts();

	if (unlikely(set_any(&sched.timed)) &&
	    (without == 0 || strategy_random_below(TIMEOUT_ODDS) == 0)) {
		uint32_t timed = set_count(&sched.timed);

		action_nth(without + strategy_random_below(timed), a);
		return;
	}
	action_nth(without == 1 ? 0 : strategy_random_below(without), a);
}

const struct strategy strategy_random = {
	.begin = strategy_seed,
	.choose = choose,
	.pick = strategy_random_below,
};
