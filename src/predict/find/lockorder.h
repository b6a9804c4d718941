/*
 * The lock order of an execution: a graph over locks with an edge from each lock held to the one
 * requested.  The locks of a deadlock lie on a cycle of it, so in one strongly connected part.
 * Most programs have none with two locks, and nothing need be searched, however many orders there
 * are.
 */
#ifndef HEDDLE_PREDICT_LOCKORDER_H
#define HEDDLE_PREDICT_LOCKORDER_H

#include <stdint.h>

#include "predict/find/deadlock.h"

#define PREDICT_LOCKORDER_ALONE UINT32_MAX

/*
 * part[lock] becomes the number of the lock's strongly connected part, PREDICT_LOCKORDER_ALONE when
 * it is on no cycle with another lock.  Returns the number of parts.
 */
uint32_t predict_lockorder_parts(const struct predict_trace *t, const struct predict_deadlocks *d,
				 uint32_t *part);

#endif
