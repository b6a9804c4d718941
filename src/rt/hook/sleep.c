/* Sleeps: operations that only end by their time limit, which the scheduler may let come early. */
#include "rt/hook/sleep.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

#include "rt/hook/call.h"
#include "rt/hook/cancel.h"
#include "rt/os/real.h"
#include "rt/rec/rec.h"

void sleep_for(uint64_t ns)
{
	struct rt_op op = call_op(EVENT_SLEEP, rt_self(), call_never_ready);

	op.flags = OP_YIELD | OP_CANCEL;
	op.value = ns;
	call_expires_after(&op, ns);
	sched_step(&op);
	rec_event(EVENT_SLEEP, op.site, 0, ns, 0);
	cancel_point();
}

RT_EXPORT int nanosleep(const struct timespec *duration, struct timespec *remaining)
{
	if (!rt_controlled())
		return REAL(nanosleep)(duration, remaining);
	if (!call_time_valid(duration) || duration->tv_sec < 0) {
		errno = EINVAL;
		return -1;
	}
	sleep_for(call_interval(duration));
	return 0;
}

RT_EXPORT int clock_nanosleep(clockid_t clock, int flags, const struct timespec *when,
			      struct timespec *remaining)
{
	uint64_t now, end;

	if (!rt_controlled())
		return REAL(clock_nanosleep)(clock, flags, when, remaining);
	if (!call_time_valid(when) || when->tv_sec < 0 || clock == CLOCK_THREAD_CPUTIME_ID)
		return EINVAL;
	end = call_interval(when);
	if (!(flags & TIMER_ABSTIME)) {
		sleep_for(end);
		return 0;
	}
	now = sched_now();
	now += clock == CLOCK_REALTIME || clock == CLOCK_TAI ? SCHED_EPOCH_NS : SCHED_BOOT_NS;
	sleep_for(end > now ? end - now : 0);
	return 0;
}

RT_EXPORT int usleep(useconds_t us)
{
	if (!rt_controlled())
		return REAL(usleep)(us);
	sleep_for((uint64_t)us * 1000);
	return 0;
}

RT_EXPORT unsigned int sleep(unsigned int seconds)
{
	if (!rt_controlled())
		return REAL(sleep)(seconds);
	sleep_for((uint64_t)seconds * UINT64_C(1000000000));
	return 0;
}
