/* Condition variables, for the C11 wrappers that build on them. */
#ifndef HEDDLE_RT_STABLE_COND_H
#define HEDDLE_RT_STABLE_COND_H

#include <pthread.h>
#include <stdint.h>
#include <time.h>

/* limit NULL: no limit. */
int cond_wait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock, const struct timespec *limit,
	      uintptr_t caller);
int cond_wake(pthread_cond_t *c, int all, uintptr_t caller);

#endif
