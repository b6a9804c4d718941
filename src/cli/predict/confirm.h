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
#include "cli/predict/input.h"
#include "predict/find/analysis.h"

/*
 * Runs every feasible finding and writes into it what came of that.  With dir, the run of each one
 * that got there is kept as DIR/KIND-N.heddle, which heddle replay takes.  What the limit leaves no
 * time for is not run.
 */
int cli_predict_confirm(const struct cli_predict_source *s, const char *dir,
			const struct limit *limit, struct predict_result *r, struct err *e);

#endif
