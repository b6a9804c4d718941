/* The verdict of check: one sentence that says what was done and what it means, and the exit code.
 */
#ifndef HEDDLE_CLI_VERDICT_H
#define HEDDLE_CLI_VERDICT_H

#include "base/strbuf.h"
#include "report/report.h"
#include "run/fleet/campaign.h"

struct cli_verdict {
	const struct wire_job *job; /* the first one */
	const struct run_stats *stats;
	bool keep_going;
	uint64_t findings;		 /* confirmed and reported */
	uint64_t unconfirmed;		 /* seen, but not again */
	const char *why;		 /* not again */
	uint64_t left_out;		 /* seen when it was too late to look at them */
	const struct run_finding *first; /* NULL when none was seen */
	uint64_t known;			 /* findings that are no news */
	const char *unseen;		 /* what heddle did not see, NULL when nothing */
};

/* Fills everything in s that follows from v; s->text lives in text. */
void cli_verdict_check(const struct cli_verdict *v, struct report_summary *s, struct strbuf *text);

/* Adds how many findings were known, when there are any. */
void cli_verdict_known(uint64_t n, struct strbuf *to);

/* Adds how many failures were left out, when there are any. */
void cli_verdict_left_out(uint64_t n, struct strbuf *to);

#endif
