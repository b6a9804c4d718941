/* The policies that need no state of their own: rr, batch and fcfs. */
#include "guest/stable/sched/policy.h"
#include "guest/stable/sched/runq.h"

/* Round robin: one operation, one turn. */
static void put_one(struct sched_thread *t)
{
	t->keep.batch = 0;
	t->keep.kept = false;
	sched_rotate(t);
}

const struct sched_policy policy_rr = {.put = put_one};

/* Round robin in which a critical section is one turn. */
static void put_section(struct sched_thread *t)
{
	t->keep.kept = policy_keeps_section(t);
	if (t->keep.kept)
		return;
	t->keep.batch = 0;
	sched_rotate(t);
}

const struct sched_policy policy_batch = {.put = put_section};

/* First come, first served: every operation is outside the schedule until it has the turn. */
static void put_outside(struct sched_thread *t)
{
	__atomic_add_fetch(&sched.nondet, 1, __ATOMIC_ACQ_REL);
	runq_pop();
	__atomic_store_n(&t->word, SCHED_NONDET, __ATOMIC_RELEASE);
	sched_pass_turn(t);
}

const struct sched_policy policy_fcfs = {.put = put_outside};
