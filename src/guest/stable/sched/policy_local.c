/*
 * The default: critical sections are one turn, locks belong to threads (local.h), workers and those
 * who feed them are known (pool.h), and a thread that comes back from outside keeps the turn until
 * it leaves again, for at most VISIT_MAX operations, if it had many of them the last time: requests
 * of a server are served one after the other, not operation by operation.
 */
#include "guest/stable/sched/policy.h"
#include "guest/stable/sched/pool.h"

#define VISIT_MAX 32
#define VISIT_DENSE 4

static bool keeps(struct sched_thread *t)
{
	if (++t->keep.batch >= SCHED_BATCH_MAX)
		return false;
	t->keep.kept = true;
	return true;
}

/* Outside critical sections: whether t keeps the turn all the same. */
static bool goes_on(struct sched_thread *t)
{
	t->local.visit += t->local.visit < VISIT_DENSE;
	if (__builtin_expect(t->local.stays > 0, 0)) {
		t->local.stays--;
		return true;
	}
	return !pool_passes(t);
}

static void put(struct sched_thread *t)
{
	bool yields = t->keep.batch == SCHED_BATCH_MAX;

	if (policy_keeps_section(t)) {
		t->keep.kept = true;
		return;
	}
	t->keep.batch = 0;
	t->keep.kept = !yields && goes_on(t);
	if (!t->keep.kept)
		sched_rotate(t);
}

/* Its beginning is an operation that needs no turn. */
static void born(struct sched_thread *t)
{
	__atomic_fetch_add(&t->word, SCHED_AHEAD, __ATOMIC_ACQ_REL);
}

static void back(struct sched_thread *t)
{
	t->local.stays = t->local.visit >= VISIT_DENSE ? VISIT_MAX : 0;
	t->local.visit = 0;
}

const struct sched_policy policy_local = {
	.put = put, .keeps = keeps, .born = born, .back = back, .local = true};
