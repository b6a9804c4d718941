/*
 * What heddle check does with its findings beside the report: those that are known already are no
 * news, and files and CI systems get their own forms of them.
 */
#ifndef HEDDLE_CLI_SIDE_H
#define HEDDLE_CLI_SIDE_H

#include "explore/policy/races.h"
#include "report/ci/known.h"
#include "report/report.h"

enum cli_annotations { CLI_ANNOTATIONS_AUTO, CLI_ANNOTATIONS_GITHUB, CLI_ANNOTATIONS_OFF };

/* Values of the options; NULL or empty: not given. */
struct cli_side_opts {
	const char *suppressions, *baseline, *save_baseline, *junit;
	int annotations;
};

struct cli_side {
	const struct cli_side_opts *o;
	struct report_known known;
	struct findings all; /* known ones are suppressed */
	uint64_t known_count;
};

int cli_side_begin(struct cli_side *s, const struct cli_side_opts *o, struct err *e);
void cli_side_fini(struct cli_side *s);

/* Is every finding wanted, not only the first? */
bool cli_side_wants_all(const struct cli_side_opts *o);

/* Takes note of a failure; true when it is known. */
bool cli_side_failure(struct cli_side *s, const struct report_finding *f);

/* Takes note of recorded races, and takes those out of the log that are known. */
void cli_side_races(struct cli_side *s, struct check_race_log *log, enum finding_level level);

/* Writes the files and annotations; test: the case's name in JUnit; text: the report, may be NULL.
 */
int cli_side_end(struct cli_side *s, const struct report_summary *summary, const char *test,
		 const char *text, struct err *e);

#endif
