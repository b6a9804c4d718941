/* What the interposers offer to the scheduler and the engines. */
#ifndef HEDDLE_RT_HOOK_HOOK_H
#define HEDDLE_RT_HOOK_HOOK_H

#include "rt/sched/thread.h"

/* Thread-local destructors and key destructors of the ending thread, in its own context. */
void hook_thread_end(struct rt_thread *t);
/*
 * Calls t->start(t->arg) for the current thread t and returns the thread's result, stored in
 * t->result too, both when the routine returns and when pthread_exit or a cancellation unwinds it.
 */
void *hook_call_start(struct rt_thread *t);
/* Value of rt_thread.cleanup for a start routine of C11, which returns int. */
#define HOOK_START_C11 ((void *)1)
/*
 * What exit() does before the process goes: thread-local destructors of the calling thread, then
 * handlers registered with atexit and friends, newest first; also those that objects of the
 * program registered before main.
 */
void hook_run_atexit(int status);
/* Called when a run begins, after the snapshot has been restored. */
void hook_run_begin(void);

#endif
