#include "guest/stable/sched/runq.h"

#include "guest/stable/conf.h"
#include "guest/stable/sched/policy.h"

#define FAVOURS_MAX 64 /* threads in front of their turn, one after the other */

void runq_append(struct sched_thread *t)
{
	SCHED_ASSERT(!t->in_rq && !t->waiting && !sched.head == !sched.tail);
	t->rq_next = NULL;
	t->in_rq = true;
	if (sched.tail)
		sched.tail->rq_next = t;
	else
		sched.head = t;
	sched.tail = t;
}

static bool may_favour(void)
{
	return sched_policy->local && sched.head && sched.favours < FAVOURS_MAX;
}

static void enter_in_front(struct sched_thread *t)
{
	struct sched_thread *before = sched.woken ? sched.woken : sched.head;
	SCHED_ASSERT(before && before->in_rq && before != t && !t->waiting);
	t->in_rq = t->favoured = true;
	t->rq_next = before->rq_next;
	before->rq_next = t;
	if (!t->rq_next)
		sched.tail = t;
	sched.woken = t;
	sched.favours++;
}

void runq_enter_woken(struct sched_thread *t)
{
	if (may_favour())
		enter_in_front(t);
	else
		runq_append(t);
}

bool sched_prefer(struct sched_thread *t)
{
	if (!t->in_rq || t == sched.head || t->favoured || !may_favour())
		return false;
	struct sched_thread *before = sched.head;
	while (before->rq_next != t)
		before = before->rq_next;
	SCHED_ASSERT(t->rq_next || sched.tail == t);
	before->rq_next = t->rq_next;
	if (sched.tail == t)
		sched.tail = before;
	sched_defer(t, 0);
	enter_in_front(t);
	return true;
}

void sched_defer(struct sched_thread *t, uint32_t rounds)
{
	t->work.defer = rounds;
	t->deferred = rounds > 0;
}

/* When everybody is deferred, as many rounds pass at once as the least has left. */
void runq_pass_over(struct sched_thread *head)
{
	struct sched_thread *t;
	uint32_t least = head->work.defer;
	SCHED_ASSERT(head == sched.head && head->deferred);
	for (t = head; t && t->deferred; t = t->rq_next)
		least = t->work.defer < least ? t->work.defer : least;
	SCHED_ASSERT(least > 0 || t);
	if (t) {
		sched_defer(head, head->work.defer - 1);
		runq_rotate();
		return;
	}
	for (t = head; t; t = t->rq_next)
		sched_defer(t, t->work.defer - least);
}
