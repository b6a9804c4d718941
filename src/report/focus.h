/*
 * Which events of an execution a person needs to see.
 *
 * An execution has thousands of events, a screen has some thirty lines.  Every event gets a score,
 * and the best ones are shown in their order:
 *
 *   100  the failure itself
 *    95  the last operations of the thread that failed
 *    90  the last operation of every thread that had not ended
 *    85  what made the object of the failure: its allocation, its release; locks held in a deadlock
 *    80  what a preempted thread did last before and first after, when there are few preemptions
 *    75  direct conflicts (report/sharing.h) about memory that the failing thread read last
 *    60  direct conflicts about any memory
 *    50  synchronisation handed from one thread to another
 *    40  a synchronisation operation after which another thread ran
 *    30  threads created and joined
 *    20  any other access to shared memory
 *     0  everything else: never shown
 *
 * Among equals the later one wins.
 */
#ifndef HEDDLE_REPORT_FOCUS_H
#define HEDDLE_REPORT_FOCUS_H

#include <stddef.h>

#include "trace/bundle/bundle.h"

struct report_focus {
	VEC(size_t) events; /* indices into b->events, ascending */
};

/* Chooses at most max events.  *f must be zeroed; end it with report_focus_fini(). */
void report_focus_choose(struct report_focus *f, const struct trace_bundle *b, size_t max);
void report_focus_fini(struct report_focus *f);

#endif
