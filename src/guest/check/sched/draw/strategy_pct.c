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
#include "guest/check/sched/draw/know.h"
#include "guest/check/sched/state.h"

#define MAX_CHANGES 64
#define FLUSH_ODDS 4
#define FIRST_LENGTH 4096 /* at most: the first run knows nothing of the length */

static RT_RUN struct {
	uint64_t change[MAX_CHANGES];
	uint32_t changes;
	uint64_t lowest; /* next priority below all others */
} pct;

/* As the host says, else as long as the runs of this job so far; the first one guesses. */
static uint64_t expected_length(void)
{
	if (rt_ctl->job.expected_steps)
		return rt_ctl->job.expected_steps;
	know_begin();
	if (know_length())
		return know_length();
	return FIRST_LENGTH >> strategy_random_below(9);
}

static void over(void)
{
	if (!rt_ctl->job.expected_steps)
		know_over();
}

static void begin(uint64_t seed)
{
	uint32_t depth = rt_ctl->job.bound ? rt_ctl->job.bound : 3;
	uint64_t length;

	strategy_seed(seed);
	length = expected_length();
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
	RT_ASSERT(pct.lowest > 0);
	t->priority = --pct.lowest;
}

static struct rt_thread *highest(void)
{
	struct rt_thread *best = NULL;

	SET_EACH(&sched.enabled, slot)
		if (!best || sched.by_slot[slot]->priority > best->priority)
			best = sched.by_slot[slot];
	RT_ASSERT(best != NULL);
	return best;
}

static void choose(struct action *a)
{
	if (strategy_draw_others(FLUSH_ODDS, a))
		return;
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
	.over = over,
};
