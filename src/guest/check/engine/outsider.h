/*
 * Those who act in the process, or on it, without heddle: kernel threads that it did not start,
 * and child processes.  They are never part of the model; what they do is not seen, and whoever
 * waits for them is not in a deadlock.
 */
#ifndef HEDDLE_RT_ENGINE_OUTSIDER_H
#define HEDDLE_RT_ENGINE_OUTSIDER_H

#include "guest/check/rt.h"

/* Before control, a thread is started (1) or joined (-1). */
void outsider_early(int change);
/* Before the snapshot: looks for threads that are there already. */
void outsider_begin(void);
/* At the end of a run: what was noted of them is told to the host. */
void outsider_tell(void);
/* Who in this process could still act although no thread of the program can; NULL: nobody. */
const char *outsider_alive(void);

#endif
