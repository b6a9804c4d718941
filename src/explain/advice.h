/*
 * What can be done about a failure, and how far that is known to help.
 *
 * Advice is a restriction of schedules: these lines without anybody in between, this before that,
 * locks taken one pair at a time, a store that is not late.  A restriction is looked for that keeps
 * out every failing execution that was seen and lets passing ones through.  Then it is enforced on
 * drawn schedules: what breaks it is moved until it is kept, fences are given to the guest, signals
 * wake all.  None of these may fail in the same way.  When all executions of the program were seen
 * (exhaust.h), that is a proof.
 */
#ifndef HEDDLE_EXPLAIN_ADVICE_H
#define HEDDLE_EXPLAIN_ADVICE_H

#include "explain/causal.h"
#include "explain/search.h"
#include "model/explanation.h"

/* Adds to out->advice; out has its flows.  runs: schedules to draw. */
int explain_advise(struct explain_search *s, uint64_t runs, struct explanation *out, struct err *e);

/*
 * Does the execution keep to the advice, or one that is equal but for the order of what nothing
 * depends on?  a: not a fence; of wake-ups: one about a region.
 */
bool explain_keeps_to(const struct explain_causal *c, const struct explanation_advice *a);

#endif
