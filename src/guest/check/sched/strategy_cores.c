/*
 * Simulated cores, for `heddle record --backend=sim': each core has a queue of threads and gives the
 * first of them a slice of steps; at every step a core is drawn that does one.  A thread that blocks
 * or whose slice is over goes to the end of its queue, and before another one runs on the core its
 * stores reach memory, as a switch does on a machine.  Stores of running threads reach memory now and
 * then.  New threads go to the core with the fewest.
 */
#include "guest/check/mem/buffer.h"
#include "guest/check/sched/state.h"

#define MAX_CORES 64
#define LONGEST_SLICE 48
#define FLUSH_ODDS 6
#define SPURIOUS_ODDS 256

static RT_RUN struct {
	uint32_t cores;
	uint32_t load[MAX_CORES];  /* threads that were given to the core */
	uint32_t slot[MAX_CORES];  /* on the core now, as slot + 1 */
	uint32_t left[MAX_CORES];  /* steps of its slice */
	uint8_t core[WIRE_MAX_LIVE]; /* by slot, as core + 1 */
} machine;

static void begin(uint64_t seed)
{
	strategy_seed(seed);
	machine.cores = rt_ctl->job.bound;
	if (machine.cores == 0 || machine.cores > MAX_CORES)
		machine.cores = 4;
}

static uint32_t core_of(uint32_t slot)
{
	uint32_t best = 0;

	if (machine.core[slot])
		return machine.core[slot] - 1u;
	for (uint32_t c = 1; c < machine.cores; c++)
		if (machine.load[c] < machine.load[best])
			best = c;
	machine.load[best]++;
	machine.core[slot] = (uint8_t)(best + 1);
	return best;
}

/* The next thread of a core that can go on, after the one that is there; 0: none, else slot + 1. */
static uint32_t next_on(uint32_t core)
{
	uint32_t n = sched.words * 64, from = machine.slot[core];

	for (uint32_t i = 0; i < n; i++) {
		uint32_t slot = (from + i) % n;

		if (set_has(&sched.enabled, slot) && core_of(slot) == core)
			return slot + 1;
	}
	return 0;
}

static bool keeps(uint32_t core)
{
	uint32_t slot = machine.slot[core];

	return slot && machine.left[core] && set_has(&sched.enabled, slot - 1) &&
	       core_of(slot - 1) == core && !(sched.by_slot[slot - 1]->op->flags & OP_YIELD);
}

/* Under PSO stores to different places overtake each other: any queue may be next. */
static void flush(struct action *a, uint32_t slot)
{
	struct rt_thread *t = sched.by_slot[slot];
	uint32_t n = buffer_choices(t->buffer, (enum wire_model)sched.model);

	*a = (struct action){CHOICE_FLUSH, n > 1 ? strategy_random_below(n) : 0, t};
}

/* One step of a core; false when nothing on it can go on. */
static bool step(uint32_t core, struct action *a)
{
	uint32_t old = machine.slot[core], slot;

	if (!keeps(core)) {
		slot = next_on(core);
		if (!slot)
			return false;
		if (old && old != slot && set_has(&sched.buffered, old - 1)) {
			flush(a, old - 1);
			return true;
		}
		machine.slot[core] = slot;
		machine.left[core] = 1 + strategy_random_below(LONGEST_SLICE);
	}
	slot = machine.slot[core] - 1;
	if (set_has(&sched.buffered, slot) && !strategy_random_below(FLUSH_ODDS)) {
		flush(a, slot);
		return true;
	}
	machine.left[core]--;
	*a = (struct action){CHOICE_RUN, 1, sched.by_slot[slot]};
	return true;
}

static void choose(struct action *a)
{
	uint32_t start = strategy_random_below(machine.cores);
	uint32_t runs = set_count(&sched.enabled), without = action_count_without_timeouts();

	if (runs && action_draw_spurious(SPURIOUS_ODDS, a))
		return;
	for (uint32_t i = 0; i < machine.cores; i++)
		if (step((start + i) % machine.cores, a))
			return;
	/* Nobody can run: stores on their way, then waits that expire. */
	if (without > runs)
		action_nth(runs + strategy_random_below(without - runs), a);
	else
		action_nth(without + strategy_random_below(set_count(&sched.timed)), a);
}

const struct strategy strategy_cores = {
	.begin = begin,
	.choose = choose,
	.pick = strategy_random_below,
};
