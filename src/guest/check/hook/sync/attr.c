/*
 * Functions that only write to memory the caller names: attribute objects and small answers.  The
 * real ones do it; the undo log hears of the memory first, so that the call need not count as
 * opaque.
 */
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

#include "guest/check/mem/undo.h"
#include "guest/check/sched/core.h"
#include "guest/os/real.h"

/* The first parameter of each is called `at' and is what it writes to. */
#define WRITES(name, parameters, arguments)                                                        \
	RT_EXPORT int name parameters                                                              \
	{                                                                                          \
		if (rt_controlled())                                                               \
			undo_touch(at, sizeof(*at));                                               \
		return REAL(name) arguments;                                                       \
	}

WRITES(pthread_attr_init, (pthread_attr_t * at), (at))
WRITES(pthread_attr_destroy, (pthread_attr_t * at), (at))
WRITES(pthread_attr_setdetachstate, (pthread_attr_t * at, int state), (at, state))
WRITES(pthread_attr_setstacksize, (pthread_attr_t * at, size_t n), (at, n))
WRITES(pthread_attr_setguardsize, (pthread_attr_t * at, size_t n), (at, n))
WRITES(pthread_attr_setscope, (pthread_attr_t * at, int scope), (at, scope))
WRITES(pthread_mutexattr_init, (pthread_mutexattr_t * at), (at))
WRITES(pthread_mutexattr_destroy, (pthread_mutexattr_t * at), (at))
WRITES(pthread_mutexattr_settype, (pthread_mutexattr_t * at, int type), (at, type))
WRITES(pthread_mutexattr_setrobust, (pthread_mutexattr_t * at, int robust), (at, robust))
WRITES(pthread_mutexattr_setprotocol, (pthread_mutexattr_t * at, int protocol), (at, protocol))
WRITES(pthread_mutexattr_setpshared, (pthread_mutexattr_t * at, int shared), (at, shared))
WRITES(pthread_condattr_init, (pthread_condattr_t * at), (at))
WRITES(pthread_condattr_destroy, (pthread_condattr_t * at), (at))
WRITES(pthread_condattr_setclock, (pthread_condattr_t * at, clockid_t clock), (at, clock))
WRITES(pthread_condattr_setpshared, (pthread_condattr_t * at, int shared), (at, shared))
WRITES(pthread_barrierattr_init, (pthread_barrierattr_t * at), (at))
WRITES(pthread_barrierattr_destroy, (pthread_barrierattr_t * at), (at))
WRITES(rand_r, (unsigned int *at), (at))

RT_EXPORT int pthread_attr_setstack(pthread_attr_t *at, void *stack, size_t n)
{
	if (rt_controlled()) {
		undo_touch(at, sizeof(*at));
		/* Whether that memory lives as long as the thread is not seen. */
		rt_unseen(sched_take_site(),
			  "a stack given by the program (pthread_attr_setstack)");
	}
	return REAL(pthread_attr_setstack)(at, stack, n);
}

RT_EXPORT int pthread_attr_getdetachstate(const pthread_attr_t *attr, int *at)
{
	if (rt_controlled())
		undo_touch(at, sizeof(*at));
	return REAL(pthread_attr_getdetachstate)(attr, at);
}

RT_EXPORT int pthread_attr_getstacksize(const pthread_attr_t *restrict attr, size_t *restrict at)
{
	if (rt_controlled())
		undo_touch(at, sizeof(*at));
	return REAL(pthread_attr_getstacksize)(attr, at);
}

RT_EXPORT int pthread_mutexattr_gettype(const pthread_mutexattr_t *restrict attr, int *restrict at)
{
	if (rt_controlled())
		undo_touch(at, sizeof(*at));
	return REAL(pthread_mutexattr_gettype)(attr, at);
}

RT_EXPORT int pthread_mutexattr_getrobust(const pthread_mutexattr_t *attr, int *at)
{
	if (rt_controlled())
		undo_touch(at, sizeof(*at));
	return REAL(pthread_mutexattr_getrobust)(attr, at);
}

RT_EXPORT int clock_getres(clockid_t clock, struct timespec *at)
{
	if (rt_controlled() && at)
		undo_touch(at, sizeof(*at));
	return REAL(clock_getres)(clock, at);
}
