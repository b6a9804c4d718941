/*
 * The reset engine's way back: a snapshot of every writable mapping, the undo log for what
 * instrumented code and the runtime changed, the whole copy only after opaque code ran.
 *
 * What a process has, and how it comes back (tests/restored has each of them):
 *
 *   memory, streams, environment, locale,    snapshot: they lie in private writable mappings
 *   errno, hidden state of the C library
 *   heap and stacks of threads               begin anew (mem/heap.h, slots)
 *   offset and flags of descriptors 0, 1, 2  engine.c, after runs that were opaque
 *   regular files opened for reading         files.h: closed after the run
 *   mask of signals                          reset_restore()
 *   everything else the kernel keeps         a system call the filter does not let through: the
 *   (descriptors, mappings, break, actions   engine steps down.  filter.c lists what only asks,
 *   of signals, timers, limits, directory,   and nothing else is let through
 *   umask, children, …)
 */
#ifndef HEDDLE_RT_ENGINE_RESET_H
#define HEDDLE_RT_ENGINE_RESET_H

#include "guest/check/rt.h"

/* Makes the C library load what it loads lazily (the unwinder) before any snapshot. */
void reset_warm_up(void);
/* Takes the snapshot, starts the undo log and the system call filter. */
int reset_start(void);
/* Back to the snapshot. */
void reset_restore(void);
/* More slots, between runs, on reset and fork; retakes the snapshot. */
int reset_grow(uint32_t slots);

#endif
