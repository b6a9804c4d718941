/* Soft barriers, for the hints at call sites.  Called with the turn. */
#ifndef HEDDLE_RT_STABLE_SOBA_H
#define HEDDLE_RT_STABLE_SOBA_H

#include <stdbool.h>
#include <stdint.h>

#include "guest/stable/sched/sched.h"

/* Names a group; timeout <= 0 for the default.  Whoever waits in a group of that key is released.
 */
void soba_prepare(void *key, int threads, int timeout, uintptr_t site);
/* Without the turn: true when t need not wait in the group this time. */
bool soba_skip(struct sched_thread *t, void *key);
/* Waits in the group; nothing when there is none. */
void soba_arrive(struct sched_thread *t, void *key);

#endif
