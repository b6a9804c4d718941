/*
 * Threads made by one loop have numbers: accesses to elements that depend on the number are apart
 * when the ranges of two different numbers are.
 */
#ifndef HEDDLE_ANALYZE_APART_H
#define HEDDLE_ANALYZE_APART_H

#include "analyze/flow.h"

/* Do two accesses never meet when two different threads of the same place make them? */
bool apart_by_number(struct flow *f, const struct access *a, const struct access *b);

#endif
