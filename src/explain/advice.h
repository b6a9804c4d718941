/*
 * What can be done about a failure, and how far that is known to help.
 *
 * Advice is a restriction of schedules: these lines without anybody in between, this before that,
 * locks taken one pair at a time, a store that is not late.  It is tested on drawn schedules that
 * keep to it, fences by running the program as if it had them: none of these may fail in the same
 * way.
 */
#ifndef HEDDLE_EXPLAIN_ADVICE_H
#define HEDDLE_EXPLAIN_ADVICE_H

#include "explain/search.h"
#include "model/explanation.h"

/* Adds to out->advice; out has its flows.  runs: schedules to draw. */
int explain_advise(struct explain_search *s, uint64_t runs, struct explanation *out, struct err *e);

/* Draws schedules and counts those that keep to each advice, and how many of them fail. */
int explain_advice_test(struct explain_search *s, uint64_t runs, struct explanation *out,
			struct err *e);

/* Does the execution keep to the advice?  a: not a fence, not about wake-ups. */
bool explain_keeps_to(const struct explain_exec *x, const struct explanation_advice *a);

#endif
