/*
 * A slice: the code that may decide whether a line is reached and with which values.
 *
 * From the line backwards, in bodies (whole.h), so that every way of calls is apart:
 *	- what a value is computed from;
 *	- writes to memory that a read may see, of any thread; with a schedule only those it does
 *not put behind the read;
 *	- branches that decide whether something runs, calls that lead there, creations of threads;
 *	- calls before it that may not come back, with what decides that;
 *	- in library calls: what they are given, the memory they read, and earlier calls that use
 *the same state of the library; attempts to lock: whoever uses the same lock.
 *
 * Loops and waits are taken to end.  Code that no thread of the schedule comes to is in no slice.
 */
#ifndef HEDDLE_ANALYZE_SLICE_SLICE_H
#define HEDDLE_ANALYZE_SLICE_SLICE_H

#include "analyze/flow.h"
#include "analyze/schedule.h"
#include "model/analysis.h"

/* target: "FILE:LINE".  ERR_USAGE when no code is there; s: NULL: under every schedule. */
int slice_find(struct flow *f, const struct schedule *s, const char *target, struct analysis *to,
	       struct err *e);

#endif
