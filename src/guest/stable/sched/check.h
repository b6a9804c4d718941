/*
 * Invariants of the scheduler.  A broken one never takes the program down: it goes on, and heddle is
 * told that something happened beside the schedule, so that no answer rests on it.
 */
#ifndef HEDDLE_RT_STABLE_CHECK_H
#define HEDDLE_RT_STABLE_CHECK_H

#include "guest/stable/msg.h"

#define SCHED_ASSERT(x)                                                                            \
	(__builtin_expect(!!(x), 1) ? (void)0 : msg_broken(__func__, #x))

#endif
