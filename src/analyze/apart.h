/*
 * Threads made by one loop have numbers: accesses to elements that depend on the number are apart
 *when the ranges of two different numbers are.
 *
 * Addresses become sums over
 *	- the number of the thread: the phi of the loop that makes it, which another thread has not,
 *	- numbers of loops inside the thread, between start and bound,
 *	- what all of these threads see alike: what main computed before, memory that nobody writes
 *	  while they run, and what is computed from that.
 * What a thread loads from the element of an array it was given is what the loop that made it
 *stored there, when nothing else does.  Everything else may be anything, for each of the two.
 *
 * Whether two sums may be of the same byte, with different numbers, is asked of Z3
 *(solve/integers.h), so that `p + number * chunk + i' and `i * threads + number' are decided alike.
 *No answer: they may.
 */
#ifndef HEDDLE_ANALYZE_APART_H
#define HEDDLE_ANALYZE_APART_H

#include "analyze/flow.h"

/* Do two accesses never meet when two different threads of the same place make them? */
bool apart_by_number(struct flow *f, const struct access *a, const struct access *b);

#endif
