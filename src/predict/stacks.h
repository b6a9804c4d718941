/*
 * Call stacks of a recording with markers (heddle run --markers, and every run heddle predict
 * makes): INTO names a call site, ENTER and LEAVE frame what happens inside a function.  Frames
 * form a tree that shares its callers; an event knows its innermost frame.
 *
 * A function that is left without LEAVE (an exception, longjmp) stays on the stack until something
 * happens in a function further out.
 */
#ifndef HEDDLE_PREDICT_STACKS_H
#define HEDDLE_PREDICT_STACKS_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "predict/trace.h"
#include "trace/bundle.h"

struct predict_stack_thread {
	uint32_t frame; /* innermost one */
	uint32_t call;	/* site of a call that may lead into the next frame */
	bool direct;	/* that call names its function: where it leads depends on nothing */
};

struct predict_stacks {
	VEC_FIELDS(struct predict_stack_thread); /* by thread of the recording */
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
/* The same as lines "indent func  site", and where the thread was created. */
void predict_stacks_render(const struct predict_trace *t, uint32_t event, const char *indent,
			   struct strbuf *to);

#endif
