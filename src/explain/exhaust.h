/*
 * All executions of a program, from those that were seen.
 *
 * Of two operations whose order can matter and that nothing else orders, the second one is brought
 * before the first, with all that does not come after the first; a guest goes on from there.  The
 * same for what threads stood at when an execution ended, for an end that cut others off, and for
 * whom a signal wakes.  When no execution that was seen has a reversal that was not tried, all were
 * seen: whichever other execution there were, the one that has most in common with it has a
 * reversal with still more (the closure that optimal partial order reduction keeps for its tree;
 * Abdulla et al., POPL 2014), without a tree, because executions are told apart by their prints.
 *
 * That holds under sequential consistency for programs of reads, writes, locks, conditions,
 * semaphores, barriers and threads.  Whatever else an execution did makes the answer "not all",
 * with the reason.
 */
#ifndef HEDDLE_EXPLAIN_EXHAUST_H
#define HEDDLE_EXPLAIN_EXHAUST_H

#include "explain/search.h"

/* Fills s->seen further, and s->exhausted or s->not_all. */
int explain_exhaust(struct explain_search *s, struct err *e);

#endif
