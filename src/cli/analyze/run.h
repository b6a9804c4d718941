/* heddle analyze without its words: asking heddle-analyze, and runs that confirm what it says. */
#ifndef HEDDLE_CLI_ANALYZE_RUN_H
#define HEDDLE_CLI_ANALYZE_RUN_H

#include "cli/exec.h"
#include "model/analysis.h"
#include "report/formats.h"

struct cli_analyze_opts {
	struct cli_exec_opts exec;
	bool report[REPORT_FORMATS]; /* formats asked for */
	bool json, all, races, alias, confirm;
	const char *schedule, *slice, *out;
};

/* What heddle-analyze says of the program. */
int cli_analyze_ask(const struct cli_analyze_opts *o, const char *program,
		    const struct limit *limit, struct analysis *a, struct err *e);

struct cli_analyze_confirmed {
	uint64_t findings, others; /* confirmed; failures and races that are no candidates */
	bool complete;		   /* every behaviour was looked at */
	char reason[512];	   /* why not */
};

/*
 * Looks at executions of the program and keeps those that show a candidate.  words: the program and
 * its arguments, ending with NULL.
 */
int cli_analyze_confirm(const struct cli_analyze_opts *o, char *const *words, struct analysis *a,
			struct cli_analyze_confirmed *out, struct err *e);

#endif
