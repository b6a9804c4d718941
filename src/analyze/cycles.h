/*
 * Orders of locks that go round: a thread takes B while it may hold A, another A while it may hold
 * B. Edges are acquisitions; a cycle needs threads that may run at the same time, one per edge, and
 * no lock that all of them hold besides.
 */
#ifndef HEDDLE_ANALYZE_CYCLES_H
#define HEDDLE_ANALYZE_CYCLES_H

#include "analyze/flow.h"
#include "model/analysis.h"

void cycles_find(struct flow *f, struct analysis *to);

#endif
