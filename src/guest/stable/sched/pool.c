#include "guest/stable/sched/pool.h"

#include "guest/stable/conf.h"
#include "guest/stable/sched/threads.h"
#include "guest/stable/sched/waitq.h"
#include "guest/stable/sched/policy.h"

#define POOLS 64       /* start functions; threads with others are never workers */
#define POOL_DEFER 64  /* rounds */
#define ITEM_TURNS 4   /* operations between items for which the turn is kept */
#define SUPPLY_TURNS 4 /* operations for which one who is waited for keeps it */

struct pool {
	uintptr_t start;
	uint32_t made;
	bool shares; /* some of them wait for the same condition variable */
};

static struct pool pools[POOLS]; /* in the order of their first threads */

void pool_enlist(struct sched_thread *t, uintptr_t start)
{
	for (int i = 0; i < POOLS; i++) {
		if (pools[i].start && pools[i].start != start)
			continue;
		pools[i].start = start;
		pools[i].made++;
		t->work.pool = &pools[i];
		return;
	}
}

bool pool_takes_items(const struct sched_thread *t)
{
	return t->work.queue && t->work.pool && t->work.pool->made > 1 && (t->work.shares || !t->work.pool->shares);
}

/* Remembers what t waits for, and whether others of its pool do. */
static void note_cond(struct sched_thread *t, void *cond)
{
	if (t->work.queue_cond == cond)
		return;
	t->work.queue_cond = cond;
	if (!t->work.pool)
		return;
	for (struct sched_thread *other = sched.all; other; other = other->all_next) {
		if (other == t || other->work.pool != t->work.pool || other->work.queue_cond != cond)
			continue;
		other->work.shares = t->work.shares = t->work.pool->shares = true;
	}
}

void pool_waits(struct sched_thread *t, void *cond)
{
	if (!sched_policy->local)
		return;
	bool again = t->work.waker_known && t->work.queue_cond == cond;
	note_cond(t, cond);
	struct sched_thread *waker = again ? threads_by_id(t->work.waker) : NULL;
	if (waker && waker != t && !pool_is_worker(waker) && sched_prefer(waker))
		waker->work.supplies = SUPPLY_TURNS;
}

/* Others wait for what t has signalled. */
static bool is_wanted(const struct sched_thread *t, void *cond)
{
	return sched_policy->local && sched.waiting && waitq_first(cond) &&
	       !pool_is_worker(t);
}

uint32_t pool_wake(struct sched_thread *t, void *cond, bool all)
{
	uint32_t woken = 0;
	struct sched_thread *waiter;
	while (sched.waiting && (all || !woken) && (waiter = waitq_first(cond)) != NULL) {
		waiter->work.waker = t->tid;
		waiter->work.waker_known = true;
		waiter->work.waker_waits = t->work.queue_cond == cond;
		sched_wake(waiter, 0);
		woken++;
	}
	/* Who is at a barrier is no worker, whether it comes last or not. */
	if (woken && t->work.queue_cond == cond)
		t->work.queue = NULL;
	if (woken)
		t->work.supplies = is_wanted(t, cond) ? SUPPLY_TURNS : 0;
	return woken;
}

void pool_woken(struct sched_thread *t, pthread_mutex_t *m)
{
	if (sched_policy->local)
		t->work.queue = t->work.waker_waits ? NULL : m;
}

void pool_forget(void *object)
{
	for (struct sched_thread *t = sched.all; t; t = t->all_next) {
		if (t->work.queue == object)
			t->work.queue = NULL;
		if (t->work.queue_cond == object)
			t->work.queue_cond = NULL;
	}
}

static void end_item(struct sched_thread *t)
{
	t->work.item_ends = false;
	t->work.item_short = t->work.item_turns <= ITEM_TURNS;
	t->work.item_turns = 0;
}

bool pool_passes(struct sched_thread *t)
{
	if (t->work.item_ends) {
		end_item(t);
	} else if (t->work.queue && !t->work.meets && t->work.item_turns <= ITEM_TURNS) {
		t->work.item_turns++;
		if (t->work.item_short && t->work.item_turns <= ITEM_TURNS)
			return false;
	}
	if (pool_is_worker(t))
		sched_defer(t, POOL_DEFER);
	return !pool_keeps_supplying(t);
}
