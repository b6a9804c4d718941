#include "rt/hook/call.h"

#define NS_PER_S UINT64_C(1000000000)
#define NS_MAX (UINT64_MAX / 2)

bool call_never_ready(struct rt_thread *t, const struct rt_op *op)
{
	return false;
}

uint64_t call_interval(const struct timespec *interval)
{
	if (interval->tv_sec < 0)
		return 0;
	if ((uint64_t)interval->tv_sec >= NS_MAX / NS_PER_S)
		return NS_MAX;
	return (uint64_t)interval->tv_sec * NS_PER_S + (uint64_t)interval->tv_nsec;
}

void call_expires_at(struct rt_op *op, clockid_t clock, const struct timespec *when)
{
	uint64_t start = clock == CLOCK_REALTIME ? SCHED_EPOCH_NS : SCHED_BOOT_NS;
	uint64_t now = start + sched_now();
	uint64_t end = call_interval(when);

	call_expires_after(op, end > now ? end - now : 0);
}

void call_expires_after(struct rt_op *op, uint64_t ns)
{
	op->timed = 1;
	op->size = SYNC_TIMED;
	op->deadline = sched_now() + (ns < NS_MAX ? ns : NS_MAX);
}
