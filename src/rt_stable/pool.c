#include "rt_stable/pool.h"

#include "rt_stable/conf.h"
#include "rt_stable/thread.h"
#include "rt_stable/waitq.h"

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
		t->pool = &pools[i];
		return;
	}
}

bool pool_takes_items(const struct sched_thread *t)
{
	return t->queue && t->pool && t->pool->made > 1 && (t->shares || !t->pool->shares);
}

/* Remembers what t waits for, and whether others of its pool do. */
static void note_cond(struct sched_thread *t, void *cond)
{
	if (t->queue_cond == cond)
		return;
	t->queue_cond = cond;
	if (!t->pool)
		return;
	for (struct sched_thread *other = sched.all; other; other = other->all_next) {
		if (other == t || other->pool != t->pool || other->queue_cond != cond)
			continue;
		other->shares = t->shares = t->pool->shares = true;
	}
}

void pool_waits(struct sched_thread *t, void *cond)
{
	if (conf.policy != CONF_LOCAL)
		return;
	bool again = t->waker_known && t->queue_cond == cond;
	note_cond(t, cond);
	struct sched_thread *waker = again ? thread_by_id(t->waker) : NULL;
	if (waker && waker != t && !pool_is_worker(waker) && sched_prefer(waker))
		waker->supplies = SUPPLY_TURNS;
}

/* Others wait for what t has signalled. */
static bool is_wanted(const struct sched_thread *t, void *cond)
{
	return conf.policy == CONF_LOCAL && sched.waiting && waitq_first(cond) &&
	       !pool_is_worker(t);
}

uint32_t pool_wake(struct sched_thread *t, void *cond, bool all)
{
	uint32_t woken = 0;
	struct sched_thread *waiter;
	while (sched.waiting && (all || !woken) && (waiter = waitq_first(cond)) != NULL) {
		waiter->waker = t->tid;
		waiter->waker_known = true;
		waiter->waker_waits = t->queue_cond == cond;
		sched_wake(waiter, 0);
		woken++;
	}
	/* Who is at a barrier is no worker, whether it comes last or not. */
	if (woken && t->queue_cond == cond)
		t->queue = NULL;
	if (woken)
		t->supplies = is_wanted(t, cond) ? SUPPLY_TURNS : 0;
	return woken;
}

void pool_woken(struct sched_thread *t, pthread_mutex_t *m)
{
	if (conf.policy == CONF_LOCAL)
		t->queue = t->waker_waits ? NULL : m;
}

void pool_forget(void *object)
{
	for (struct sched_thread *t = sched.all; t; t = t->all_next) {
		if (t->queue == object)
			t->queue = NULL;
		if (t->queue_cond == object)
			t->queue_cond = NULL;
	}
}

static void end_item(struct sched_thread *t)
{
	t->item_ends = false;
	t->item_short = t->item_turns <= ITEM_TURNS;
	t->item_turns = 0;
}

bool pool_passes(struct sched_thread *t)
{
	if (t->item_ends) {
		end_item(t);
	} else if (t->queue && !t->meets && t->item_turns <= ITEM_TURNS) {
		t->item_turns++;
		if (t->item_short && t->item_turns <= ITEM_TURNS)
			return false;
	}
	if (pool_is_worker(t))
		sched_defer(t, POOL_DEFER);
	return !pool_keeps_supplying(t);
}
