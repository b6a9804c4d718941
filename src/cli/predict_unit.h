/* One execution that heddle predict looks at, and everything computed from it. */
#ifndef HEDDLE_CLI_PREDICT_UNIT_H
#define HEDDLE_CLI_PREDICT_UNIT_H

#include "base/err.h"
#include "base/strbuf.h"
#include "cli/predict_input.h"
#include "cli/predict_opts.h"
#include "predict/render.h"
#include "predict/versus.h"

struct cli_predict_unit {
	struct cli_predict_source source;
	struct predict_engine *engine;
	struct predict_opts opts; /* of the analysis, as it was done */
	struct predict_asks asks;
	struct predict_result result;
	struct predict_table table;
	struct predict_versus versus;
	struct predict_report report;
	struct strbuf ended; /* how the execution ended */
};

/*
 * Loads argv[0] (*used words) and analyses it as the options say.  *u is zeroed; it needs
 * cli_predict_unit_fini() in any case.
 */
int cli_predict_unit_load(struct cli_predict_unit *u, const struct cli_predict_opts *o,
			  const struct predict_opts *analysis, int argc, char **argv, int *used,
			  struct err *e);
void cli_predict_unit_fini(struct cli_predict_unit *u);

#endif
