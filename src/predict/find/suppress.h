/*
 * Suppressions in the style of ThreadSanitizer: lines "kind:pattern" with kind race, deadlock
 * (or mutex), atomicity, order, or * for any.  The pattern (base/pattern.h) is looked for in the
 * names, source locations and functions on the stacks of a finding's events.
 */
#ifndef HEDDLE_PREDICT_SUPPRESS_H
#define HEDDLE_PREDICT_SUPPRESS_H

#include "base/err.h"
#include "predict/find/analysis.h"

/* Marks the findings the file suppresses; *count how many. */
int predict_suppress(const char *path, const struct predict_trace *t, struct predict_result *r,
		     uint64_t *count, struct err *e);
/* The same from text. */
int predict_suppress_text(const char *text, size_t bytes, const struct predict_trace *t,
			  struct predict_result *r, uint64_t *count, struct err *e);
#endif
