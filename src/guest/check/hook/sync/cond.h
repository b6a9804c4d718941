/*
 * Condition variables of the model.  A wait is two operations: COND_WAIT gives up the mutex,
 * COND_WAKE gets it back.  The second stands at the condition until a signal, a time limit or a
 * cancellation ends the sleep, and from then on at the mutex.
 */
#ifndef HEDDLE_RT_HOOK_COND_H
#define HEDDLE_RT_HOOK_COND_H

#include <time.h>

#include "guest/check/sched/core.h"

/* when may be NULL: no limit.  Results as pthread_cond_clockwait. */
int cond_wait(const void *c, const void *m, clockid_t clock, const struct timespec *when);
void cond_signal(const void *c);
void cond_broadcast(const void *c);
/* An initialised condition, and one about to be destroyed (waiters are a failure). */
void cond_init(const void *c);
void cond_fini(void *c);

#endif
