/*
 * What comes from outside, for a guest: the input log of a recording in the form of wire/feed.h.
 */
#ifndef HEDDLE_RUN_INPUTS_H
#define HEDDLE_RUN_INPUTS_H

#include "base/err.h"
#include "base/vec.h"
#include "trace/bundle/recording.h"

struct run_inputs {
	VEC_FIELDS(char);
};

/* Appends nothing when the recording has no log. */
void run_inputs_make(struct run_inputs *x, const struct trace_recording *r);

/* The same from the directory of a recording. */
int run_inputs_read(struct run_inputs *x, const char *dir, struct err *e);

#endif
