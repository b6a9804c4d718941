#ifndef HEDDLE_RT_STABLE_ATOMIC_H
#define HEDDLE_RT_STABLE_ATOMIC_H

#include <stdbool.h>

/* Whether operations on the word at addr are operations of the schedule.  With the turn. */
bool atomic_is_ordered(const void *addr);

#endif
