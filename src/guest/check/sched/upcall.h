/*
 * What the scheduler asks of the interposers, which lie above it: here is what it expects, they have
 * the functions.
 */
#ifndef HEDDLE_RT_SCHED_UPCALL_H
#define HEDDLE_RT_SCHED_UPCALL_H

#include "guest/check/sched/thread.h"

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
/* Ends the current thread when it has been cancelled and accepts it now, unwinding its stack. */
void cancel_point(void);
/* Runs the handlers of the signals that have reached the current thread. */
void hook_signals(void);
/* Signals that came from outside and that nobody has looked at, as bits; takes them in. */
extern uint64_t hook_signals_came;
void hook_take_signals(void);
/* Who outside the program's threads may bring what they wait for in memory; NULL: nobody. */
const char *hook_who_is_outside(void);
/* Called when a run begins, after the snapshot has been restored. */
void hook_run_begin(void);

#endif
