/* Threads that wait for signals. */
#ifndef HEDDLE_RT_HOOK_SIGWAIT_H
#define HEDDLE_RT_HOOK_SIGWAIT_H

#include "guest/check/sched/thread.h"

/* Whether t stands in a wait for that signal. */
bool sigwait_is_wanted(const struct rt_thread *t, int number);

/* Whether anybody does; and have those that do look again. */
bool sigwait_anybody(void);
void sigwait_wake(void);

#endif
