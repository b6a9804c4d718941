/*
 * Failures by which a batch need not be ended any more (JOB_SKIP_KNOWN, struct wire_known): what
 * tells one from another.  The host calls two failures the same by kind and place, by the status of
 * an exit, by the places of stuck threads; what is equal here is equal there.
 */
#ifndef HEDDLE_RT_ENGINE_KNOWN_H
#define HEDDLE_RT_ENGINE_KNOWN_H

#include "guest/check/rt.h"

/* The failure in the control block, never seen before. */
void known_describe(struct wire_known *k);
bool known_same(const struct wire_known *a, const struct wire_known *b);

#endif
