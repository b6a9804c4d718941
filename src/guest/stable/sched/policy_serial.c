/*
 * One thread at a time: whoever has the turn keeps it while it computes, until it comes for its
 * next operation.  Everything is ordered, also what threads do by atomic operations, in binaries as
 * they are; nothing runs in parallel except calls to the outside.  Operations that only pass the
 * turn (yield, a look for a cancellation) let the others go on, so a loop that waits for memory
 * ends after the same number of them in every run.
 */
#include "guest/stable/sched/policy.h"

static void put(struct sched_thread *t)
{
	t->keep.batch = 0;
	t->keep.kept = true;
}

static bool keeps(struct sched_thread *t)
{
	put(t);
	return true;
}

/* Its turn lasted until here. */
static void arrive(struct sched_thread *t)
{
	if (!t->keep.kept || t->hold)
		return;
	t->keep.kept = false;
	sched_rotate(t);
}

const struct sched_policy policy_serial = {
	.put = put, .keeps = keeps, .arrive = arrive, .serial = true};
