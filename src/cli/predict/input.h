/* Where heddle predict gets its execution from: a trace file, a bundle, or a program it runs. */
#ifndef HEDDLE_CLI_PREDICT_INPUT_H
#define HEDDLE_CLI_PREDICT_INPUT_H

#include <stdbool.h>

#include "base/err.h"
#include "base/limit.h"
#include "predict/read/bundle.h"
#include "predict/read/read.h"
#include "predict/read/trace.h"

struct cli_predict_input {
	enum predict_format format;
	bool strict;
	bool branches;	    /* take branches over, when they are recorded */
	bool must_branches; /* nothing can be said without them */
	const char *seed;   /* of that run */
	const char *env;    /* variables that it gets as they are (cli/exec.h); may be NULL */
	const struct limit *limit;
};

/* What was loaded; the bundle is there unless it came from a trace file. */
struct cli_predict_source {
	struct predict_trace *t;
	bool has_bundle;
	bool ran;      /* the program was run just now */
	bool unmarked; /* and there was no room for markers */
	struct trace_bundle bundle;
	struct predict_origin origin;
};

/*
 * Loads argv[0]; *used is how many words that took: one for a file, all for a program with its
 * arguments.  *out must be zeroed and needs cli_predict_source_fini(), also after an error.
 */
int cli_predict_load(const struct cli_predict_input *in, int argc, char **argv,
		     struct cli_predict_source *out, int *used, struct err *e);
void cli_predict_source_fini(struct cli_predict_source *s);

#endif
