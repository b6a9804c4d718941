/*
 * Threads of this process that the scheduler does not know: made by the C library for timers and
 * asynchronous files, or by a raw clone.  With the turn.
 */
#ifndef HEDDLE_STABLE_SCHED_FOREIGN_H
#define HEDDLE_STABLE_SCHED_FOREIGN_H

#include <stdbool.h>

/*
 * Whether there are any.  A thread of the schedule that has ended lives on for a moment: an unknown
 * thread is foreign when it is still there after a while.
 */
bool foreign_threads(void);

/* C libraries beside the one behind us (dlmopen): what goes through them is not seen. */
int foreign_libraries(void);

#endif
