/*
 * The call stack of an event, from the markers of its thread before it (a run with JOB_MARKERS): INTO
 * names a call, ENTER and LEAVE frame what happens inside a function.
 */
#ifndef HEDDLE_REPORT_STACK_H
#define HEDDLE_REPORT_STACK_H

#include "base/vec.h"
#include "trace/bundle.h"

struct report_frame {
	const char *func; /* the bundle's */
	uint32_t site;	  /* where in it: of the event, or of the call of the next frame */
};

struct report_stack {
	VEC_FIELDS(struct report_frame); /* innermost first */
};

/* Fills it; empty when the run had no markers.  To be ended with vec_free(). */
void report_stack_of(const struct trace_bundle *b, size_t event, struct report_stack *out);

#endif
