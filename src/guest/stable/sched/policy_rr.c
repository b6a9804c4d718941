/* Round robin: one operation, one turn. */
#include "guest/stable/sched/policy.h"

static void put(struct sched_thread *t)
{
	t->keep.batch = 0;
	t->keep.kept = false;
	sched_rotate(t);
}

const struct sched_policy policy_rr = {.put = put};
