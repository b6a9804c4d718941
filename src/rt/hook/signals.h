/* Signals for one thread, under control. */
#ifndef HEDDLE_RT_HOOK_SIGNALS_H
#define HEDDLE_RT_HOOK_SIGNALS_H

#include "rt/sched/thread.h"

/*
 * The signal reaches thread t.  One that is blocked, or that t waits for, stays pending for it; a
 * handler runs at once, in the sender's context and outside control; otherwise the process gets it.
 */
void signals_send(struct rt_thread *t, int number);

#endif
