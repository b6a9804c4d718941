/*
 * Call stacks of a recording (model/calls.h) with the names of a trace: an event knows its innermost
 * frame, frames share their callers.
 */
#ifndef HEDDLE_PREDICT_STACKS_H
#define HEDDLE_PREDICT_STACKS_H

#include "model/calls.h"
#include "predict/read/trace.h"
#include "trace/bundle/bundle.h"

struct predict_stacks {
	struct calls calls;
};

/* Follows one event of the recording; returns the frame it happens in, 0 when unknown. */
uint32_t predict_stacks_follow(struct predict_stacks *s, struct predict_trace *t,
			       const struct trace_bundle *b, const struct wire_event *e);
void predict_stacks_fini(struct predict_stacks *s);

/* Name of a source site of the recording in t, PREDICT_NONE when its line is unknown. */
uint32_t predict_stacks_site(struct predict_trace *t, const struct trace_bundle *b, uint32_t site);

/* One line of a stack: func is at site (a name in t->sites or PREDICT_NONE). */
typedef void (*predict_stack_fn)(void *context, const char *func, uint32_t site);
/* Calls visit from the innermost function outwards; nothing when the stack is unknown. */
void predict_stacks_walk(const struct predict_trace *t, uint32_t event, predict_stack_fn visit,
			 void *context);

#endif
