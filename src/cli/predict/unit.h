/* One execution that heddle predict looks at, and everything computed from it. */
#ifndef HEDDLE_CLI_PREDICT_UNIT_H
#define HEDDLE_CLI_PREDICT_UNIT_H

#include "base/err.h"
#include "base/strbuf.h"
#include "cli/predict/input.h"
#include "cli/predict/opts.h"
#include "model/prediction.h"
#include "predict/find/publish.h"
#include "predict/find/stats.h"
#include "predict/find/versus.h"

struct cli_predict_unit {
	struct cli_predict_source source;
	struct predict_engine *engine;
	struct predict_opts opts; /* of the analysis, as it was done */
	struct predict_asks asks;
	struct predict_result result;
	struct predict_table table;
	struct prediction_versus versus;
	struct prediction page;
	struct strbuf ended; /* how the execution ended */
	VEC(char *) failure; /* and, line by line, what is known of its failure */
};

/*
 * Loads argv[0] (*used words) and analyses it as the options say.  *u is zeroed; it needs
 * cli_predict_unit_fini() in any case.
 */
int cli_predict_unit_load(struct cli_predict_unit *u, const struct cli_predict_opts *o,
			  const struct predict_opts *analysis, int argc, char **argv, int *used,
			  struct err *e);
/* Makes the page of all that was computed. */
void cli_predict_unit_publish(struct cli_predict_unit *u, const struct cli_predict_opts *o);
void cli_predict_unit_fini(struct cli_predict_unit *u);

#endif
