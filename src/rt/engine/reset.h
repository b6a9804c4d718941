/*
 * The reset engine's way back: a snapshot of every writable mapping, the undo log for what
 * instrumented code and the runtime changed, the whole copy only after opaque code ran.
 */
#ifndef HEDDLE_RT_ENGINE_RESET_H
#define HEDDLE_RT_ENGINE_RESET_H

#include "rt/rt.h"

/* Makes the C library load what it loads lazily (the unwinder) before any snapshot. */
void reset_warm_up(void);
/* Takes the snapshot, starts the undo log and the system call filter. */
int reset_start(void);
/* Back to the snapshot. */
void reset_restore(void);
/* More slots, between runs, on reset and fork; retakes the snapshot. */
int reset_grow(uint32_t slots);

#endif
