/*
 * Atomic instructions in the code of a program: a preloaded library does not see them, so what they
 * decide (who takes the next item of a counter) is not part of a schedule.
 */
#ifndef HEDDLE_STABLE_ATOMICS_H
#define HEDDLE_STABLE_ATOMICS_H

#include "wire/stable.h"

/*
 * Counts the program, its libraries and those of processes that it started, of a run that had
 * several threads at once and let them compute at once, as loose (wire/stable_loose.def) when they
 * have such instructions, or system calls in their own machine code that may be futexes. Operations
 * whose answer nobody looks at, and the C and C++ library, do not count.  Files that cannot be read
 * count for nothing.
 */
void stable_atomics_note(struct stable_ctl *ctl);

#endif
