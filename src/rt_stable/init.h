/* Start and end of the runtime in a process. */
#ifndef HEDDLE_RT_STABLE_INIT_H
#define HEDDLE_RT_STABLE_INIT_H

#include <stdbool.h>

/* Starts the runtime if it has not been; true when it schedules this process. */
bool init_runtime(void);
bool init_is_active(void);

/* The process ends in this thread: it takes the turn and keeps it. */
void init_process_exit(void);
/* Last words: totals into the control block, log closed.  Tolerates repetition. */
void init_finish(bool orderly);

#endif
