/*
 * Hints for programs without source: soft barriers at call sites.  A hints file (setting HINTS) has
 * lines "soba MODULE+0xOFFSET THREADS [TIMEOUT]"; after the operation whose call returns to that
 * address, the thread waits in a soft barrier of so many threads, as if soba_wait() stood there.
 * "pcs MODULE+0xOFFSET" makes that one operation a section of its own: the locking and the
 * releasing call of an object both need a line. "heddle stable --profile" prints such lines.
 */
#ifndef HEDDLE_RT_STABLE_SITE_H
#define HEDDLE_RT_STABLE_SITE_H

#include <stdbool.h>

#include "guest/stable/hook/hook.h"

/* Reads the file of the settings; true when there are hints. */
bool site_init(void);

/*
 * What the wrappers ask: whether the operation that t begins at t->pc[0] is outside the schedule; and
 * at the end of an operation of t, without the turn.
 */
extern const struct hook_sites site_hooks;

#endif
