/*
 * Front end for recordings of heddle: events of a bundle as a trace.
 *
 * Beyond the obvious, so that no reordering is accepted that the program cannot do:
 *   - a signal that woke a waiter comes after that waiter began to wait;
 *   - the failed attempt to take a lock is a read of its state, which the sections of that lock
 *     write; the same with a semaphore, which posting and taking update;
 *   - input and output on a descriptor, and readings of the clock, keep their order;
 *   - the handler of a signal runs after the signal was sent;
 *   - freeing a block writes everything in it;
 *   - accesses meet by the byte (places.h): one to several variables is one step of several events,
 *     and so is what a library function does;
 *   - with branch markers recorded, a branch is also assumed where no marker says that something
 *     depends on what was read: before every access whose address is not that of a named variable,
 *     at calls through pointers and out of instrumented code, where a thread begins, ends, sleeps,
 *     writes to a descriptor, gets or frees memory.
 *
 * Only executions under sequential consistency without lost events are taken.
 */
#ifndef HEDDLE_PREDICT_BUNDLE_H
#define HEDDLE_PREDICT_BUNDLE_H

#include <stdbool.h>

#include "base/err.h"
#include "predict/read/trace.h"
#include "trace/bundle/bundle.h"

/* By event of the trace: the event of the bundle it stands for, PREDICT_NONE for an added one. */
struct predict_origin {
	VEC_FIELDS(uint32_t);
};

struct predict_bundle_opts {
	bool strict;   /* what would be repaired is an error */
	bool branches; /* take over branch markers, when there are any */
};

int predict_bundle_trace(const struct trace_bundle *b, const struct predict_bundle_opts *o,
			 struct predict_trace **out, struct predict_origin *origin, struct err *e);

#endif
