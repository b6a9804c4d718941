/* Enumeration of the actions that are possible, and the generator strategies draw from. */
#include "rt/mem/buffer.h"
#include "rt/sched/state.h"

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
	return action_count_without_timeouts() + set_count(&sched.timed);
}

static bool nth_flush(uint32_t *n, struct action *a)
{
	SET_EACH(&sched.buffered, slot) {
		struct rt_thread *t = sched.by_slot[slot];
		uint32_t here = buffer_choices(t->buffer, (enum wire_model)sched.model);

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
	*a = (struct action){ CHOICE_TIMEOUT, 1, sched.by_slot[set_nth(&sched.timed, n)] };
}

static struct rt_thread *lowest_tid(const struct slot_set *set)
{
	struct rt_thread *best = NULL;

	SET_EACH(set, slot)
		if (!best || sched.by_slot[slot]->tid < best->tid)
			best = sched.by_slot[slot];
	return best;
}

void action_default(struct action *a, bool anew)
{
	bool own = !anew && set_has(&sched.enabled, rt_current->slot) &&
		   sched.by_slot[rt_current->slot] == rt_current &&
		   !(rt_current->op->flags & OP_YIELD);

	if (set_any(&sched.buffered))
		*a = (struct action){ CHOICE_FLUSH, 0, lowest_tid(&sched.buffered) };
	else if (own)
		*a = (struct action){ CHOICE_RUN, 1, rt_current };
	else if (set_any(&sched.enabled))
		*a = (struct action){ CHOICE_RUN, 1, lowest_tid(&sched.enabled) };
	else
		*a = (struct action){ CHOICE_TIMEOUT, 1, lowest_tid(&sched.timed) };
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
	/* Multiply-shift: the bias is below n / 2^32 and the same in every run. */
	return (uint32_t)((strategy_random_number() >> 32) * n >> 32);
}
