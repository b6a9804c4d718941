/* Where heddle predict gets its execution from: a trace file, a bundle, or a program it runs. */
#ifndef HEDDLE_CLI_PREDICT_INPUT_H
#define HEDDLE_CLI_PREDICT_INPUT_H

#include <stdbool.h>

#include "base/err.h"
#include "predict/read.h"
#include "predict/trace.h"

struct cli_predict_input {
	enum predict_format format;
	bool strict;
};

/*
 * Loads argv[0]; *used is how many words that took: one for a file, all for a program with its
 * arguments.  The trace is settled and the caller's.
 */
int cli_predict_load(const struct cli_predict_input *in, int argc, char **argv,
		     struct predict_trace **out, int *used, struct err *e);

#endif
