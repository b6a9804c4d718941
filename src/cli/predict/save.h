/* The witnesses of heddle predict as files. */
#ifndef HEDDLE_CLI_PREDICT_SAVE_H
#define HEDDLE_CLI_PREDICT_SAVE_H

#include "base/err.h"
#include "predict/find/analysis.h"

/* Writes DIR/KIND-N.trace for every feasible finding. */
int cli_predict_save(const char *dir, const struct predict_result *r, const struct predict_trace *t,
		     struct err *e);

#endif
