/* Stands in for the runtime around the modules under test: one thread, failures come back here. */
#ifndef HEDDLE_TESTS_SUPPORT_RT_H
#define HEDDLE_TESTS_SUPPORT_RT_H

#include <setjmp.h>

#include "guest/check/sched/thread.h"

extern struct rt_thread support_thread;
extern jmp_buf support_escape;
extern enum wire_failure_kind support_failure;

/* Runs the statement; evaluates to the failure it ended the run with, FAILURE_NONE when none. */
#define FAILURE_OF(statement)                                                                      \
	(setjmp(support_escape) == 0 ? (support_failure = FAILURE_NONE, (statement), FAILURE_NONE) \
				     : support_failure)

#endif
