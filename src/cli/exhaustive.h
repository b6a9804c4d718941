/* The exhaustive search of heddle check: its line on the terminal, its figures, its verdict. */
#ifndef HEDDLE_CLI_EXHAUSTIVE_H
#define HEDDLE_CLI_EXHAUSTIVE_H

#include "cli/exec.h"
#include "explore/policy/plan.h"
#include "explore/policy/races.h"
#include "report/report.h"

enum cli_races { CLI_RACES_ERROR, CLI_RACES_WARN, CLI_RACES_OFF };

struct cli_exhaustive {
	const struct check_plan *plan;
	struct check_outcome *outcome;
	struct report_search search;
	struct check_race_log races;
	VEC(struct report_race) rows; /* of them, for the report */
	uint64_t left_out; /* failures seen when it was too late to look at them */
	uint64_t known;	   /* findings that are no news */
	bool races_fail;   /* a race is a failure */
	bool progress_shown;
	uint64_t next_ns;
	bool quiet;
};

/* A check_progress_fn's work. */
void cli_exhaustive_progress(struct cli_exhaustive *x, const struct check_stats *s);
/* Wipes the line, and takes down the figures of the outcome. */
void cli_exhaustive_end(struct cli_exhaustive *x);

/* A failure did not come back when it was to be kept. */
void cli_exhaustive_doubt(struct cli_exhaustive *x, const char *why);

/*
 * The verdict: findings is how many were confirmed.  s->model is set; s->text lives in text.
 */
void cli_exhaustive_verdict(struct cli_exhaustive *x, uint64_t findings, struct report_summary *s,
			    struct strbuf *text);

void cli_exhaustive_fini(struct cli_exhaustive *x);

#endif
