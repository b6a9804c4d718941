/*
 * Hints for programs without source: soft barriers at call sites.  A hints file (setting HINTS) has
 * lines "soba MODULE+0xOFFSET THREADS [TIMEOUT]"; after the operation whose call returns to that
 * address, the thread waits in a soft barrier of so many threads, as if soba_wait() stood there.
 * "heddle stable --profile" prints such lines.
 */
#ifndef HEDDLE_RT_STABLE_SITE_H
#define HEDDLE_RT_STABLE_SITE_H

#include <stdbool.h>

#include "rt_stable/sched.h"

/* Reads the file of the settings; true when there are hints. */
bool site_init(void);

/* At the end of an operation of t, without the turn. */
void site_check(struct sched_thread *t);

#endif
