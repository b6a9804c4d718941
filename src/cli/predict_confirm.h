/*
 * Confirms predictions by running the program along their witnesses.
 *
 * One step of a schedule is one event of the recording (memory, synchronisation, life cycle), so a
 * witness becomes a schedule event by event.  That this holds for the recording at hand is checked
 * on its own schedule first.  A finding is confirmed when the program did exactly the predicted
 * events up to the state asked for, and for a deadlock is then stuck in it.
 */
#ifndef HEDDLE_CLI_PREDICT_CONFIRM_H
#define HEDDLE_CLI_PREDICT_CONFIRM_H

#include "base/err.h"
#include "base/strbuf.h"
#include "cli/predict_input.h"
#include "predict/analysis.h"

/*
 * Runs every feasible finding and appends a line for each to text.  *failed counts those that did
 * not get there.
 */
int cli_predict_confirm(const struct cli_predict_source *s, const struct predict_result *r,
			struct strbuf *text, uint64_t *failed, struct err *e);

#endif
