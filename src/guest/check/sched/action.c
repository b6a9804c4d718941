/* Enumeration of the actions that are possible, and the generator strategies draw from. */
#include "guest/check/mem/buffer.h"
#include "guest/check/sched/state.h"

#define TIMEOUT_ODDS 64
#define SPURIOUS_ODDS 64
#define LONGEST_STAY 64 /* steps in a row in which a thread's sleeps are passed over */

static uint32_t flush_count(void)
{
	uint32_t n = 0;

	SET_EACH(&sched.buffered, slot)
		n += buffer_choices(sched.by_slot[slot]->buffer, (enum wire_model)sched.model);
	return n;
}

uint32_t action_count_without_timeouts(void)
{
	return set_count(&sched.enabled) + flush_count();
}

uint32_t action_count(void)
{
	return action_count_without_timeouts() + set_count(&sched.timed) + action_count_spurious();
}

uint32_t action_count_spurious(void)
{
	return rt_ctl->job.flags & JOB_SPURIOUS ? set_count(&sched.spurious) : 0;
}

bool action_draw_spurious(uint32_t odds, struct action *a)
{
	uint32_t n = action_count_spurious();

	if (likely(n == 0) || strategy_random_below(odds) != 0)
		return false;
	*a = (struct action){ CHOICE_SPURIOUS, 1,
			      sched.by_slot[set_nth(&sched.spurious, strategy_random_below(n))] };
	return true;
}

static bool nth_flush(uint32_t *n, struct action *a)
{
	SET_EACH(&sched.buffered, slot) {
		struct rt_thread *t = sched.by_slot[slot];
		uint32_t here = buffer_choices(t->buffer, (enum wire_model)sched.model);

		RT_ASSERT(here > 0);
		if (*n < here) {
			*a = (struct action){ CHOICE_FLUSH, *n, t };
			return true;
		}
		*n -= here;
	}
	return false;
}

void action_nth(uint32_t n, struct action *a)
{
	uint32_t runs = set_count(&sched.enabled);

	if (n < runs) {
		*a = (struct action){ CHOICE_RUN, 1, sched.by_slot[set_nth(&sched.enabled, n)] };
		return;
	}
	n -= runs;
	if (nth_flush(&n, a))
		return;
	if (n < set_count(&sched.timed)) {
		*a = (struct action){ CHOICE_TIMEOUT, 1, sched.by_slot[set_nth(&sched.timed, n)] };
		return;
	}
	n -= set_count(&sched.timed);
	RT_ASSERT(n < action_count_spurious());
	*a = (struct action){ CHOICE_SPURIOUS, 1, sched.by_slot[set_nth(&sched.spurious, n)] };
}

static struct rt_thread *lowest_tid(const struct slot_set *set)
{
	struct rt_thread *best = NULL;

	SET_EACH(set, slot)
		if (!best || sched.by_slot[slot]->tid < best->tid)
			best = sched.by_slot[slot];
	RT_ASSERT(best != NULL);
	return best;
}

/* Who wants to know what the thread does next lets its sleeps be short. */
static bool sleeps_on(const struct rt_thread *t)
{
	return (rt_ctl->job.flags & JOB_STAY) && sched.stretch < LONGEST_STAY &&
	       set_has(&sched.timed, t->slot) && sched.by_slot[t->slot] == t &&
	       t->op->kind == EVENT_SLEEP;
}

void action_default(struct action *a, bool anew)
{
	bool own = !anew && set_has(&sched.enabled, rt_current->slot) &&
		   sched.by_slot[rt_current->slot] == rt_current &&
		   !(rt_current->op->flags & OP_YIELD);

	if (set_any(&sched.buffered))
		*a = (struct action){ CHOICE_FLUSH, 0, lowest_tid(&sched.buffered) };
	else if (!anew && sleeps_on(rt_current))
		*a = (struct action){ CHOICE_TIMEOUT, 1, rt_current };
	else if (own)
		*a = (struct action){ CHOICE_RUN, 1, rt_current };
	else if (set_any(&sched.enabled))
		*a = (struct action){ CHOICE_RUN, 1, lowest_tid(&sched.enabled) };
	else
		*a = (struct action){ CHOICE_TIMEOUT, 1, lowest_tid(&sched.timed) };
}

bool strategy_draw_others(uint32_t odds, struct action *a)
{
	uint32_t runs = set_count(&sched.enabled), without = action_count_without_timeouts();

	if (without > runs && (runs == 0 || (odds && strategy_random_below(odds) == 0))) {
		action_nth(runs + strategy_random_below(without - runs), a);
		return true;
	}
	if (unlikely(set_any(&sched.timed)) &&
	    (without == 0 || strategy_random_below(TIMEOUT_ODDS) == 0)) {
		action_nth(without + strategy_random_below(set_count(&sched.timed)), a);
		return true;
	}
	return action_draw_spurious(SPURIOUS_ODDS, a);
}

uint32_t strategy_draw_odds(void)
{
	return 2u << 2 * strategy_random_below(4);
}

static RT_RUN uint64_t generator[2];

static uint64_t mix(uint64_t *x)
{
	uint64_t z = *x += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

void strategy_seed(uint64_t seed)
{
	generator[0] = mix(&seed);
	generator[1] = mix(&seed);
}

/* xoroshiro128+ */
uint64_t strategy_random_number(void)
{
	uint64_t a = generator[0], b = generator[1], sum = a + b;

	b ^= a;
	generator[0] = (a << 24 | a >> 40) ^ b ^ b << 16;
	generator[1] = b << 37 | b >> 27;
	return sum;
}

uint32_t strategy_random_below(uint32_t n)
{
	RT_ASSERT(n > 0);
	/* Multiply-shift: the bias is below n / 2^32 and the same in every run. */
	return (uint32_t)((strategy_random_number() >> 32) * n >> 32);
}
