/* A failing schedule run again, and made simpler as long as it fails in the same way. */
#ifndef HEDDLE_RUN_REFINE_H
#define HEDDLE_RUN_REFINE_H

#include "run/confirm/simplify.h"

/*
 * Confirms s, which failed with that key; r is the run of it then.  With simplify, fewer context
 * switches and late stores take its place.  ERR_MISMATCH: it did not fail in the same way.
 */
int run_refine(const struct run_again *again, uint64_t key, bool simplify, struct model_schedule *s,
	       struct run_result *r, struct err *e);

#endif
