/* A small recording with something in every part: two threads, one of them failed an assertion. */
#ifndef HEDDLE_TESTS_SUPPORT_RECORDING_H
#define HEDDLE_TESTS_SUPPORT_RECORDING_H

#include "trace/bundle/recording.h"

/* Fills *r, which must be zeroed; always the same contents. */
void support_recording_fill(struct trace_recording *r);

#endif
