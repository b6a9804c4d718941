/*
 * Selectively uniform random walk (Zhao, Wolff, Mathur, Roychoudhury, ASPLOS 2025).
 *
 * A few objects are drawn for the run.  As if somebody had counted how often every thread will use
 * them (the runs before have shown it), every order of these uses is equally likely: the thread
 * whose use comes next is drawn with a weight of what is left to it, and threads that stand at
 * another use wait until it has had its own.  What a thread will create counts as its own until it
 * has.  Steps that use none of the objects happen in between, in any order.
 *
 * The set is drawn anew for each run: one object, a few of them, or all.
 */
#include "guest/check/sched/draw/know.h"
#include "guest/check/sched/state.h"

#define FEW 3
#define LONGEST_STRETCH 4 /* the running thread goes on with probability 1 - 2^-stretch at most */

static RT_RUN struct {
	uint16_t intended; /* tid of the thread whose use comes next */
	uint16_t has_intent;
	uint32_t stretch;
	uint32_t others; /* odds of what is not a step of a thread */
} walk;

static void choose_objects(void)
{
	uint32_t n = know_shared_count(), how_many = n;

	if (n == 0)
		return;
	switch (strategy_random_below(4)) {
	case 0:
		break;
	case 1:
		how_many = 2 + strategy_random_below(FEW - 1);
		break;
	default:
		how_many = 1;
	}
	for (uint32_t i = 0; i < how_many && i < n; i++)
		know_choose(how_many >= n ? i : strategy_random_below(n));
	know_count_uses();
}

static void begin(uint64_t seed)
{
	strategy_seed(seed);
	know_begin();
	choose_objects();
	walk.has_intent = 0;
	walk.stretch = strategy_random_below(2) ? strategy_random_below(LONGEST_STRETCH + 1) : 0;
	walk.others = strategy_draw_odds();
}

static uint32_t weight_of(const struct rt_thread *t)
{
	const struct know_thread *k = know_thread_of(t);

	if (t->state == THREAD_FINISHED || t->state == THREAD_GONE)
		return 0;
	return k ? k->left : 0;
}

/* Draws whose use comes next among the threads of the set; at least every one that stands at a use
   has a chance when among_ready. */
static void intend(const struct slot_set *set, bool among_ready)
{
	uint64_t total = 0, at;

	walk.has_intent = 0;
	SET_EACH(set, slot)
	{
		const struct rt_thread *t = sched.by_slot[slot];

		total += weight_of(t) ? weight_of(t) : among_ready;
	}
	if (total == 0)
		return;
	at = strategy_random_number() % total;
	SET_EACH(set, slot)
	{
		const struct rt_thread *t = sched.by_slot[slot];
		uint64_t w = weight_of(t) ? weight_of(t) : among_ready;

		if (at < w) {
			walk.intended = t->tid;
			walk.has_intent = 1;
			return;
		}
		at -= w;
	}
}

/* A child takes its part of its parent's chance to be the next. */
static void born(struct rt_thread *t)
{
	uint32_t child = weight_of(t), parent;

	if (!walk.has_intent || t->parent == THREAD_NONE || walk.intended != t->parent || !child)
		return;
	parent = weight_of(thread_by_tid(t->parent));
	if (strategy_random_number() % ((uint64_t)parent + child) < child)
		walk.intended = t->tid;
}

static bool is_intended(const struct rt_thread *t)
{
	return walk.has_intent && walk.intended == t->tid;
}

/* Threads that may go on without disturbing the order that was drawn. */
static uint32_t find_free(struct slot_set *free_now)
{
	uint32_t n = 0;

	*free_now = (struct slot_set){{0}};
	SET_EACH(&sched.enabled, slot)
	{
		const struct rt_thread *t = sched.by_slot[slot];

		if (is_intended(t) || !know_is_chosen(t->op)) {
			set_add(free_now, slot);
			n++;
		}
	}
	return n;
}

static struct rt_thread *pick_free(const struct slot_set *free_now, uint32_t n)
{
	if (walk.stretch && set_has(free_now, rt_current->slot) &&
	    sched.by_slot[rt_current->slot] == rt_current && !(rt_current->op->flags & OP_YIELD) &&
	    strategy_random_below(1u << walk.stretch) != 0)
		return rt_current;
	return sched.by_slot[set_nth(free_now, strategy_random_below(n))];
}

static void choose(struct action *a)
{
	struct slot_set free_now;
	uint32_t n;

	if (strategy_draw_others(walk.others, a))
		return;
	if (!walk.has_intent)
		intend(&sched.busy, false);
	n = find_free(&free_now);
	if (n == 0) {
		/* Who is meant cannot go on: somebody else's use comes first. */
		intend(&sched.enabled, true);
		n = find_free(&free_now);
	}
	RT_ASSERT(n > 0);
	*a = (struct action){CHOICE_RUN, 1, pick_free(&free_now, n)};
	if (know_is_chosen(a->thread->op))
		walk.has_intent = 0;
}

static void over(void)
{
	know_over();
}

const struct strategy strategy_surw = {
	.begin = begin,
	.choose = choose,
	.pick = strategy_random_below,
	.born = born,
	.over = over,
};
