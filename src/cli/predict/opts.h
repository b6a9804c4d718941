/* The options of heddle predict. */
#ifndef HEDDLE_CLI_PREDICT_OPTS_H
#define HEDDLE_CLI_PREDICT_OPTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "cli/options.h"
#include "cli/print.h"
#include "predict/find/analysis.h"

/* Of --model, besides enum predict_model: branch when branches are recorded, cdsr otherwise. */
#define CLI_PREDICT_MODEL_AUTO 3

enum cli_predict_versus { VERSUS_NO, VERSUS_Z3, VERSUS_ORDER };

struct cli_predict_opts {
	int model, format, convert, versus;
	const char *find, *stages, *ask, *suppressions, *output, *save, *seed, *env;
	uint64_t lookahead, budget, question_ns, time_ns, limit, distance, show, questions;
	bool report[REPORT_FORMATS]; /* formats asked for */
	bool table, all, strict_targets, strict, json, witness, stats, confirm;
};

extern const struct cli_options cli_predict_options;

/* What the analysis has to know of them; ERR_USAGE for a word that is none. */
int cli_predict_configure(const struct cli_predict_opts *o, struct predict_opts *a, struct err *e);

#endif
