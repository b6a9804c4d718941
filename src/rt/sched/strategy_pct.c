/*
 * Probabilistic concurrency testing (Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010).
 *
 * Threads get distinct random priorities; the highest enabled one runs.  At d - 1 steps drawn
 * uniformly from the expected length the running thread's priority drops below all others.  A bug
 * of depth d shows with probability at least 1 / (n * k^(d-1)).
 *
 * Deviations: a thread that yields or spins drops below the others as well, otherwise a busy wait
 * at high priority never ends; a pending store reaches memory with probability 1/4 per step, so
 * that delays are of every length; a timeout only when nothing else is possible, or 1 in 64.
 */
#include "rt/sched/state.h"

#define MAX_CHANGES 64
#define FLUSH_ODDS 4
#define TIMEOUT_ODDS 64

static RT_RUN struct {
	uint64_t change[MAX_CHANGES];
	uint32_t changes;
	uint64_t lowest; /* next priority below all others */
} pct;

static void begin(uint64_t seed)
{
	uint64_t length = rt_ctl->job.expected_steps ? rt_ctl->job.expected_steps : 100;
	uint32_t depth = rt_ctl->job.bound ? rt_ctl->job.bound : 3;

	strategy_seed(seed);
	pct.changes = depth - 1 < MAX_CHANGES ? depth - 1 : MAX_CHANGES;
	for (uint32_t i = 0; i < pct.changes; i++)
		pct.change[i] = 1 + strategy_random_number() % length;
	pct.lowest = UINT64_C(1) << 32;
}

static void born(struct rt_thread *t)
{
	t->priority = (UINT64_C(1) << 33) + (strategy_random_number() >> 16);
}

static void demote(struct rt_thread *t)
{
	t->priority = --pct.lowest;
}

static struct rt_thread *highest(void)
{
	struct rt_thread *best = NULL;

	SET_EACH(&sched.enabled, slot)
		if (!best || sched.by_slot[slot]->priority > best->priority)
			best = sched.by_slot[slot];
	return best;
}

static void choose(struct action *a)
{
	uint32_t runs = set_count(&sched.enabled), without = action_count_without_timeouts();

	if (without > runs && (runs == 0 || strategy_random_below(FLUSH_ODDS) == 0)) {
		action_nth(runs + strategy_random_below(without - runs), a);
		return;
	}
	if (set_any(&sched.timed) && (runs == 0 || strategy_random_below(TIMEOUT_ODDS) == 0)) {
		action_nth(without + strategy_random_below(set_count(&sched.timed)), a);
		return;
	}
	if (rt_current->op->flags & OP_YIELD)
		demote(rt_current);
	for (uint32_t i = 0; i < pct.changes; i++)
		if (pct.change[i] == sched.steps)
			demote(rt_current);
	*a = (struct action){ CHOICE_RUN, 1, highest() };
}

const struct strategy strategy_pct = {
	.begin = begin,
	.choose = choose,
	.pick = strategy_random_below,
	.born = born,
};
