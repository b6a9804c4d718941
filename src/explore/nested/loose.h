/* What of an execution was in no schedule, and decided by nobody. */
#ifndef HEDDLE_EXPLORE_NESTED_LOOSE_H
#define HEDDLE_EXPLORE_NESTED_LOOSE_H

#include "explore/nested/exec.h"

/*
 * Adds it in words; nothing when everything was.  sections: performance-critical sections are being
 * decided, and count as such.
 */
void nested_loose_of(const struct nested_run *run, bool sections, struct strbuf *to);

#endif
