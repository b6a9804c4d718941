/* From a failing run of a campaign to a bundle and a report. */
#ifndef HEDDLE_CLI_FINDING_H
#define HEDDLE_CLI_FINDING_H

#include "cli/exec.h"
#include "cli/out.h"
#include "report/report.h"
#include "run/campaign.h"

struct cli_finding {
	struct cli_exec *exec;
	const struct cli_out *out;
	struct report *report;
	struct run_guest *guest; /* for running it again */
	bool simplify;
};

/*
 * Runs the failing schedule again with events, makes it simpler, keeps it as a bundle and adds it
 * to the report, under TSO and PSO with what weak memory has to do with it.  ERR_MISMATCH: the same
 * schedule did not fail in the same way; nothing is kept.
 */
int cli_finding_add(const struct cli_finding *c, const struct run_finding *f, struct err *e);

#endif
