/*
 * Round robin: each thread runs for a quantum of steps, then the next one in turn.
 *
 * The quantum is drawn once per run, so that some runs alternate strictly, step by step, which
 * hardly any random walk does for long; the first turn of each thread is cut short by a random
 * amount or prolonged, so that runs with the same quantum differ in where the switches fall.
 */
#include "guest/check/sched/state.h"

#define LONGEST_QUANTUM 16
#define SPURIOUS_ODDS 64

static RT_RUN struct {
	uint32_t quantum;
	uint32_t left; /* steps of the running thread's turn */
} turn;

static void begin(uint64_t seed)
{
	strategy_seed(seed);
	turn.quantum = 1 + strategy_random_below(LONGEST_QUANTUM);
	turn.left = 0;
}

/* The length of its first turn, until it has had it. */
static void born(struct rt_thread *t)
{
	t->priority = 1 + strategy_random_below(2 * turn.quantum);
}

static void begin_turn(struct rt_thread *t)
{
	RT_ASSERT(t != NULL && turn.quantum > 0);
	turn.left = (t->priority ? (uint32_t)t->priority : turn.quantum) - 1;
	t->priority = 0;
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

	/* Stores reach memory at the end of a turn, as likely as not. */
	if (without > runs && (runs == 0 || (turn.left == 0 && strategy_random_below(2)))) {
		action_nth(runs + strategy_random_below(without - runs), a);
		return;
	}
	if (runs == 0) {
		action_nth(without + strategy_random_below(set_count(&sched.timed)), a);
		return;
	}
	if (action_draw_spurious(SPURIOUS_ODDS, a))
		return;
	if (own && turn.left > 0 && !(rt_current->op->flags & OP_YIELD)) {
		turn.left--;
		*a = (struct action){ CHOICE_RUN, 1, rt_current };
		return;
	}
	*a = (struct action){ CHOICE_RUN, 1, next_in_turn() };
	begin_turn(a->thread);
}

const struct strategy strategy_rr = {
	.begin = begin,
	.choose = choose,
	.pick = strategy_random_below,
	.born = born,
};
