/*
 * Random bytes from a stream that belongs to the run and starts from its seed, so that a replay
 * hands out the same bytes in the same order.
 */
#ifndef HEDDLE_RT_HOOK_RANDOM_H
#define HEDDLE_RT_HOOK_RANDOM_H

#include <stddef.h>
#include <sys/types.h>

/* Fills all n bytes and records that it did; returns n. */
ssize_t random_fill(void *to, size_t n);
/* A run begins. */
void random_begin(void);

#endif
