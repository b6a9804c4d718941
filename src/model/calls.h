/*
 * Call stacks of a recording with markers (JOB_MARKERS: heddle run --markers, every run heddle
 * predict makes, every recorded race): INTO names a call, ENTER and LEAVE frame what happens inside
 * a function.  Frames form a tree that shares its callers; an event knows its innermost frame.
 *
 * A function that is left without LEAVE (an exception, longjmp) stays on the stack until something
 * happens in a function further out.
 */
#ifndef HEDDLE_MODEL_CALLS_H
#define HEDDLE_MODEL_CALLS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"
#include "trace/bundle/bundle.h"

struct calls_frame {
	uint32_t parent;  /* the caller's frame, 0: not known */
	uint32_t call;	  /* site where the caller calls it, SITE_NONE when unknown */
	const char *func; /* the bundle's */
};

struct calls_thread {
	uint32_t frame; /* innermost one */
	uint32_t call;	/* site of a call that may lead into the next frame */
	bool direct;	/* that call names its function: where it leads depends on nothing */
};

struct calls {
	VEC(struct calls_frame) frames;	  /* frame number n is frames[n - 1] */
	VEC(struct calls_thread) threads; /* by thread of the recording */
};

/* Follows the next event of the bundle; returns the frame it happens in, 0 when unknown. */
uint32_t calls_follow(struct calls *c, const struct trace_bundle *b, const struct wire_event *e);
/* Whether the last event of the thread was a call that names its function. */
bool calls_direct(const struct calls *c, uint32_t tid);
void calls_fini(struct calls *c);

/* One line of a stack. */
struct calls_place {
	const char *func; /* the bundle's */
	uint32_t site;	  /* where in it: of the event, or of the call of the next frame */
};

struct calls_stack {
	VEC_FIELDS(struct calls_place); /* innermost first */
};

/* The stack of one event; empty when the run had no markers.  To be ended with vec_free(). */
void calls_stack_of(const struct trace_bundle *b, size_t event, struct calls_stack *out);

#endif
