/* Start and end of the runtime in a process: what the wrappers ask of life/init.c, above them. */
#ifndef HEDDLE_RT_STABLE_INIT_H
#define HEDDLE_RT_STABLE_INIT_H

#include <stdbool.h>

/* Starts the runtime if it has not been; true when it schedules this process. */
bool init_runtime(void);
bool init_is_active(void);

/*
 * In the child of a fork, before any handler of the program: the C library forks by itself as well,
 * for daemon() say, so this hangs on its list of handlers.  Tolerates repetition.
 */
void process_begin_child(void);

/* The process ends in this thread: it takes the turn and keeps it. */
void init_process_exit(void);
/* Last words: totals into the control block, log closed.  Tolerates repetition. */
void init_finish(bool orderly);

#endif
