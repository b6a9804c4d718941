/*
 * Signals that the program sends itself: where they find a thread is in no schedule.  Those a
 * thread sends itself come at once.
 */
#include <signal.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include "guest/stable/hook/hook.h"
#include "guest/stable/msg.h"
#include "guest/stable/os.h"
#include "guest/stable/real.h"

static void note(bool comes)
{
	if (comes && sched_self)
		msg_flag(STABLE_FLAG_SIGNALS);
}

static bool is_set(const struct timeval *t)
{
	return t->tv_sec || t->tv_usec;
}

HOOK_EXPORT unsigned alarm(unsigned seconds)
{
	real_ready();
	note(seconds > 0);
	return real.alarm(seconds);
}

HOOK_EXPORT int setitimer(__itimer_which_t which, const struct itimerval *restrict value,
			  struct itimerval *restrict old)
{
	real_ready();
	note(value && is_set(&value->it_value));
	return real.setitimer((int)which, value, old);
}

HOOK_EXPORT int timer_settime(timer_t timer, int flags, const struct itimerspec *restrict value,
			      struct itimerspec *restrict old)
{
	real_ready();
	note(value && (value->it_value.tv_sec || value->it_value.tv_nsec));
	return real.timer_settime(timer, flags, value, old);
}

HOOK_EXPORT int pthread_kill(pthread_t thread, int number)
{
	real_ready();
	note(number > 0 && !pthread_equal(thread, pthread_self()));
	return real.pthread_kill(thread, number);
}

/* With one thread it comes before the call returns. */
HOOK_EXPORT int kill(pid_t pid, int number)
{
	real_ready();
	note(number > 0 && (pid != sys_getpid() || sched.live > 1));
	return real.kill(pid, number);
}
