/*
 * Lives of memory in a recording: a heap block between malloc and the malloc that reuses it, a
 * thread's stack between the first use by one thread and by the next.  Everything else is life 0.
 */
#ifndef HEDDLE_PREDICT_LIVES_H
#define HEDDLE_PREDICT_LIVES_H

#include <stdint.h>

#include "trace/bundle/bundle.h"

/* life_of[i] becomes the life of the address of event i at that moment. */
void predict_lives_follow(const struct trace_bundle *b, uint64_t *life_of);

#endif
