/* Signals that threads send to one another and wait for. */
#ifndef HEDDLE_RT_HOOK_SIGWAIT_H
#define HEDDLE_RT_HOOK_SIGWAIT_H

#include "rt/sched/thread.h"

/* Whether t stands in a wait for that signal. */
bool sigwait_is_wanted(const struct rt_thread *t, int number);
/* The signal stays pending for t until it takes it. */
void sigwait_send(struct rt_thread *t, int number);

#endif
