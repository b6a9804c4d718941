/* What the interposers offer to the scheduler and the engines. */
#ifndef HEDDLE_RT_HOOK_HOOK_H
#define HEDDLE_RT_HOOK_HOOK_H

#include "rt/sched/thread.h"

/* Thread-local destructors and key destructors of the ending thread, in its own context. */
void hook_thread_end(struct rt_thread *t);
/* Handlers registered with atexit and friends during the run, newest first. */
void hook_run_atexit(int status);
/* Called when a run begins, after the snapshot has been restored. */
void hook_run_begin(void);

#endif
