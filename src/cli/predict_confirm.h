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
 * Runs every feasible finding and writes into it what came of that.  With dir, the run of each one
 * that got there is kept as DIR/KIND-N.heddle, which heddle replay takes.
 */
int cli_predict_confirm(const struct cli_predict_source *s, const char *dir,
			struct predict_result *r, struct err *e);

/* A line for each finding that was run, and how many got there. */
void cli_predict_confirm_render(const struct predict_trace *t, const struct predict_result *r,
				struct strbuf *to);

#endif
