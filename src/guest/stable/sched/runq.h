/*
 * The run queue: who has the turn after whom.  Its head has the turn.  Only the holder of the turn
 * calls these; see sched.h for the idea and pool.h for who is preferred and deferred.
 */
#ifndef HEDDLE_RT_STABLE_RUNQ_H
#define HEDDLE_RT_STABLE_RUNQ_H

#include "guest/stable/sched/check.h"
#include "guest/stable/sched/sched.h"

void runq_append(struct sched_thread *t);
/*
 * A woken thread stands at its operation: with the policy "local" it goes in front of those that
 * may still compute, after the holder and those woken before it.  Not for ever: two threads that
 * wake each other must not keep the others from their turns.
 */
void runq_enter_woken(struct sched_thread *t);
/* The head is deferred: another is head, or it is no longer deferred. */
void runq_pass_over(struct sched_thread *head);

/* The head is about to leave its place. */
static inline void runq_leave_head(struct sched_thread *t)
{
	if (sched.woken == t)
		sched.woken = NULL;
	t->favoured = false;
}

static inline void runq_rotate(void)
{
	struct sched_thread *t = sched.head;
	runq_leave_head(t);
	if (!t->rq_next)
		return;
	SCHED_ASSERT(sched.tail != t && !sched.tail->rq_next);
	sched.head = t->rq_next;
	sched.tail->rq_next = t;
	sched.tail = t;
	t->rq_next = NULL;
}

static inline void runq_pop(void)
{
	struct sched_thread *t = sched.head;
	runq_leave_head(t);
	sched.head = t->rq_next;
	SCHED_ASSERT(t->in_rq && !t->waiting);
	if (!sched.head)
		sched.tail = NULL;
	t->in_rq = false;
}

#endif
