/*
 * Systematic depth-first search over schedules, bounded by preemptions or delays.
 *
 * The path of the current run lies in the control block's scratch area and outlives the run.  A run
 * repeats the path and extends it with first alternatives; afterwards the deepest node with another
 * alternative within the bound moves on to it, and what lies below is forgotten.
 *
 * Alternatives of a node, in order: the default (go on with the running thread, else the next one
 * in turn), then the other enabled threads in turn, then flushes, then timeouts, then spurious ends,
 * which are never free.
 * Cost of the k-th: with a preemption bound, 1 for leaving a thread that could go on, 0 otherwise;
 * with a delay bound, k.
 */
#include "guest/check/mem/buffer.h"
#include "guest/check/sched/state.h"

struct node {
	uint16_t taken, count; /* alternative on the path, how many there are */
	uint16_t cost;	       /* spent before this node */
	uint16_t free;	       /* the first `free' alternatives cost nothing */
};

struct search {
	uint64_t depth;	    /* nodes of the path */
	uint32_t truncated; /* a run went deeper than the area is large */
	uint32_t uneven;    /* a run did not come to the choices that the one before had */
	struct node path[];
};

static RT_RUN struct {
	uint64_t at; /* depth of the run so far */
	uint32_t cost;
} walk;

static struct search *search(void)
{
	return (struct search *)((char *)rt_ctl + rt_ctl->scratch.offset);
}

static uint64_t room(void)
{
	return (rt_ctl->scratch.bytes - sizeof(struct search)) / sizeof(struct node);
}

static uint32_t cost_of(const struct node *n, uint32_t alternative)
{
	if (rt_ctl->job.flags & JOB_DELAY_BOUND)
		return alternative;
	return alternative >= n->free;
}

static void begin(uint64_t seed)
{
	struct search *s = search();

	strategy_seed(seed);
	if (!(rt_ctl->job.flags & JOB_DFS_RESUME) && rt_ctl->result.runs == 0) {
		s->depth = 0;
		s->truncated = s->uneven = 0;
	}
	walk.at = 0;
	walk.cost = 0;
}

/* Takes the path's alternative among count, or extends the path. */
static uint32_t follow(uint32_t count, uint32_t free)
{
	struct search *s = search();
	struct node *n = &s->path[walk.at];

	RT_ASSERT(count > 0 && count <= UINT16_MAX && free <= count);
	if (walk.at >= room()) {
		s->truncated = 1;
		return 0;
	}
	if (walk.at == s->depth) {
		*n = (struct node){ 0, (uint16_t)count, (uint16_t)walk.cost, (uint16_t)free };
		s->depth++;
	}
	RT_ASSERT(walk.at < s->depth && n->cost == (uint16_t)walk.cost);
	s->uneven |= n->count != count || n->free != free;
	walk.at++;
	walk.cost += cost_of(n, n->taken);
	return n->taken < count ? n->taken : 0;
}

static bool is_candidate(uint32_t slot, bool others_first)
{
	return set_has(&sched.enabled, slot) && !(others_first && slot == rt_current->slot);
}

/* The nth enabled thread in turn, beginning with the running one unless it yields. */
static struct rt_thread *in_turn(uint32_t n)
{
	uint32_t slots = sched.words * 64;
	bool yields = (rt_current->op->flags & OP_YIELD) && set_count(&sched.enabled) > 1;

	for (uint32_t i = 0; i < slots; i++) {
		uint32_t slot = (rt_current->slot + i) % slots;

		if (is_candidate(slot, yields) && n-- == 0)
			return sched.by_slot[slot];
	}
	return rt_current;
}

static void choose(struct action *a)
{
	uint32_t runs = set_count(&sched.enabled), total = action_count(), n;
	bool own = set_has(&sched.enabled, rt_current->slot) &&
		   sched.by_slot[rt_current->slot] == rt_current &&
		   !(rt_current->op->flags & OP_YIELD);

	if (total == 1) {
		action_nth(0, a);
		return;
	}
	n = follow(total, own ? 1 : runs ? runs : total - action_count_spurious());
	if (n < runs)
		*a = (struct action){ CHOICE_RUN, 1, in_turn(n) };
	else
		action_nth(n, a);
}

static uint32_t pick(uint32_t n)
{
	return follow(n, n);
}

/* Moves the path on to the next schedule. */
static void over(void)
{
	struct search *s = search();

	RT_ASSERT(s->depth <= room());
	while (s->depth > 0) {
		struct node *n = &s->path[s->depth - 1];

		RT_ASSERT(n->taken < n->count);

		if (n->taken + 1u < n->count &&
		    n->cost + cost_of(n, n->taken + 1u) <= rt_ctl->job.bound) {
			n->taken++;
			return;
		}
		s->depth--;
	}
	rt_ctl->result.exhausted = s->truncated || s->uneven ? EXHAUSTED_SOME : EXHAUSTED_ALL;
	if (s->uneven)
		rt_note("depth-first search: the program depends on something that is not controlled; "
			"not exhaustive");
	if (s->truncated)
		rt_note("depth-first search: runs were deeper than %lu choices; not exhaustive",
			room());
}

const struct strategy strategy_dfs = {
	.begin = begin,
	.choose = choose,
	.pick = pick,
	.over = over,
};
