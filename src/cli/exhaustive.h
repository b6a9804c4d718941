/* The exhaustive search of heddle check: options to verdict. */
#ifndef HEDDLE_CLI_EXHAUSTIVE_H
#define HEDDLE_CLI_EXHAUSTIVE_H

#include "check/search.h"
#include "cli/exec.h"
#include "cli/finding.h"
#include "report/report.h"

enum cli_algorithm {
	CLI_LEARN, /* the others follow in the order of enum explore_algorithm */
	CLI_OTHERS,
};

enum cli_races { CLI_RACES_ERROR, CLI_RACES_WARN, CLI_RACES_OFF };

struct cli_exhaustive_opts {
	int algorithm; /* enum cli_algorithm, CLI_OTHERS + enum explore_algorithm */
	int races;     /* enum cli_races */
	bool all;
	uint64_t loop_bound, max_executions, limit_ns;
	uint64_t preemptions; /* CLI_EXEC_UNSET: no bound */
	uint64_t jobs;
	int static_deps; /* enum explore_static */
};

struct cli_exhaustive {
	struct check_result result;
	struct report_search search;
	VEC(struct report_race) races;
	VEC(struct trace_bundle *) bundles; /* of the races */
	VEC(char *) dirs;
	uint64_t drawn; /* schedules tried because the search could not go on */
	bool progress_shown;
	uint64_t next_ns;
	bool quiet;
};

/* Searches; findings are in x->result. */
int cli_exhaustive_run(struct cli_exhaustive *x, struct cli_exec *exec, struct run_guest *guest,
		       const struct cli_exhaustive_opts *o, struct err *e);

/* Makes a recording of each race and its words. */
int cli_exhaustive_races(struct cli_exhaustive *x, const struct cli_finding *ctx, struct err *e);

/* A failure did not come back when it was to be kept. */
void cli_exhaustive_doubt(struct cli_exhaustive *x, const char *why);

/*
 * The verdict: findings is how many were confirmed.  s->model is set; s->text lives in text.
 */
void cli_exhaustive_verdict(struct cli_exhaustive *x, const struct cli_exhaustive_opts *o,
			    uint64_t findings, struct report_summary *s, struct strbuf *text);

void cli_exhaustive_fini(struct cli_exhaustive *x);

#endif
