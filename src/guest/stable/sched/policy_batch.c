/* Round robin in which a critical section is one turn. */
#include "guest/stable/sched/policy.h"

static void put(struct sched_thread *t)
{
	t->keep.kept = policy_keeps_section(t);
	if (t->keep.kept)
		return;
	t->keep.batch = 0;
	sched_rotate(t);
}

const struct sched_policy policy_batch = {.put = put};
