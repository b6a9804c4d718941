/*
 * Pairs of accesses that nothing keeps apart.
 *
 * Two accesses race when they may touch the same byte, one writes, not both are atomic, their
 *threads may run at the same time (flow.h), and no lock is held at both that one of them holds for
 *itself. A lock is the same at both when
 *	- it is the only mutex its pointers can mean, or
 *	- it lies as far from the one access as from the other: where they meet, so do their locks,
 *or
 *	- it lies at the same place of the same block as they do.
 *
 * What a thread that may run beside itself makes and hands to nobody, each of them has for itself.
 */
#ifndef HEDDLE_ANALYZE_RACES_H
#define HEDDLE_ANALYZE_RACES_H

#include "analyze/flow.h"
#include "analyze/schedule.h"
#include "model/analysis.h"

/*
 * all: pairs that are impossible, too.  With a schedule (NULL: none) pairs that it orders are
 * impossible and always listed, as far as they were possible without.
 */
void races_find(struct flow *f, const struct schedule *s, bool all, struct analysis *to);

#endif
