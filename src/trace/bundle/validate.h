/*
 * The rules a bundle keeps beyond its encoding; what is above this room may rely on them.
 *
 *  - The thread table is not empty and entry i is thread i; the parent of a thread is a thread
 *    created before it (main has none).
 *  - Thread numbers in events, choices, threads and the failure index the thread table (or are
 *    "none" where that is allowed).
 *  - Site numbers are SITE_NONE or below the number of sites of all modules; so are the numbers in
 *    the site table itself.
 *  - Kinds, states and other enumerations have values that exist.
 *  - A choice RUN has arg >= 1.
 *  - In each thread tix grows strictly; only under TSO and PSO a WRITE may carry a smaller one, the
 *    tix of its ISSUE.  Gaps are allowed (markers that were not logged).
 *  - There is a failure if and only if the outcome says so.
 */
#ifndef HEDDLE_TRACE_VALIDATE_H
#define HEDDLE_TRACE_VALIDATE_H

#include "trace/bundle/bundle.h"

/* Everything but the events. */
int trace_validate_parts(const struct trace_bundle *b, struct err *e);

/* The events one after the other, in order. */
struct trace_validate {
	uint32_t threads, sites;
	bool buffered;	    /* TSO or PSO */
	uint64_t index;	    /* of the next event */
	uint64_t *next_tix; /* per thread: one above the largest tix so far */
};

/* b must have passed trace_validate_parts(). */
void trace_validate_init(struct trace_validate *v, const struct trace_bundle *b);
int trace_validate_event(struct trace_validate *v, const struct wire_event *event, struct err *e);
void trace_validate_fini(struct trace_validate *v);

#endif
