/* Threads begin, end, are found and hold locks. */
#ifndef HEDDLE_RT_SCHED_THREAD_H
#define HEDDLE_RT_SCHED_THREAD_H

#include <pthread.h>

#include "guest/check/sched/core.h"

/*
 * New thread parked at its BEGIN.  Ends the run when no slot or table entry is left.  An inner one
 * is ours (a timer that sleeps): it is not among the children its parent's other threads are
 * numbered by, which are the same where no such thread exists, in a native run.
 */
struct rt_thread *thread_new(void *(*start)(void *), void *arg, uint32_t site, bool inner);
/* Its pthread_t, the same that pthread_self() gives inside it. */
pthread_t thread_handle(const struct rt_thread *t);
/* NULL when no live or unjoined thread has that handle. */
struct rt_thread *thread_by_handle(pthread_t handle);
/*
 * Ends the current thread: destructors (hook_thread_end()), END event, wakes joiners
 * (sched_wake of the thread's own address), never returns.
 */
_Noreturn void thread_end(void *result);
/* Hidden state: what the thread has left for whoever joins it. */
uint64_t thread_result_cell(const struct rt_thread *t);
/* The thread was joined or detached and ended: its slot may be used again. */
void thread_release(struct rt_thread *t);

/* Locks held, for deadlock reports; remove ignores what is not there. */
void thread_hold(struct rt_thread *t, uint64_t addr, uint32_t site, enum wire_obj kind);
void thread_unhold(struct rt_thread *t, uint64_t addr);

#endif
