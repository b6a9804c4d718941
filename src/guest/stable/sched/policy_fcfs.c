/* First come, first served: every operation is outside the schedule until it has the turn. */
#include "guest/stable/sched/policy.h"
#include "guest/stable/sched/runq.h"

static void put(struct sched_thread *t)
{
	__atomic_add_fetch(&sched.nondet, 1, __ATOMIC_ACQ_REL);
	runq_pop();
	__atomic_store_n(&t->word, SCHED_NONDET, __ATOMIC_RELEASE);
	sched_pass_turn(t);
}

const struct sched_policy policy_fcfs = {.put = put};
