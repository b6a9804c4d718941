#include "guest/stable/sched/policy.h"

#include "guest/stable/conf.h"

static const struct sched_policy *const policies[] = {
	[CONF_RR] = &policy_rr,	      [CONF_BATCH] = &policy_batch, [CONF_LOCAL] = &policy_local,
	[CONF_FENCE] = &policy_fence, [CONF_FCFS] = &policy_fcfs,   [CONF_SERIAL] = &policy_serial,
};

const struct sched_policy *sched_policy;

void policy_choose(void)
{
	sched_policy = policies[conf.policy];
}
