/* The verdict of check: one sentence that says what was done and what it means, and the exit code.
 */
#ifndef HEDDLE_CLI_VERDICT_H
#define HEDDLE_CLI_VERDICT_H

#include "base/strbuf.h"
#include "report/report.h"
#include "run/campaign.h"

struct cli_verdict {
	const struct wire_job *job; /* the first one */
	const struct run_stats *stats;
	bool keep_going;
	uint64_t findings;		 /* confirmed and reported */
	uint64_t unconfirmed;		 /* seen, but not again */
	const char *why;		 /* not again */
	const struct run_finding *first; /* NULL when none was seen */
};

/* Fills everything in s that follows from v; s->text lives in text. */
void cli_verdict_check(const struct cli_verdict *v, struct report_summary *s, struct strbuf *text);

#endif
