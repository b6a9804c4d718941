/* Mutexes, for the wrappers that build on them (condition variables, C11). */
#ifndef HEDDLE_RT_STABLE_MUTEX_H
#define HEDDLE_RT_STABLE_MUTEX_H

#include <pthread.h>

#include "guest/stable/sched/sched.h"

/* With the turn: pthread_mutex_trylock, with EDEADLK where a lock would report it. */
int mutex_try(void *mutex);
/* Kernel id of the thread that holds a robust mutex, 0 = nobody. */
int mutex_robust_owner(const pthread_mutex_t *m);
/* Outside the schedule: pthread_mutex_lock. */
int mutex_block(void *mutex);
/* With the turn: unlocks and wakes the first waiter. */
int mutex_release(pthread_mutex_t *m);
/* Locks of the runtime's own, under another name in the log. */
int mutex_lock_as(pthread_mutex_t *m, uintptr_t caller, uint16_t op);
int mutex_unlock_as(pthread_mutex_t *m, uintptr_t caller, uint16_t op);
int mutex_lock(pthread_mutex_t *m, uintptr_t caller);
int mutex_unlock(pthread_mutex_t *m, uintptr_t caller);
int mutex_trylock(pthread_mutex_t *m, uintptr_t caller);
int mutex_timedlock(pthread_mutex_t *m, clockid_t clock, const struct timespec *limit,
		    uintptr_t caller);

#endif
