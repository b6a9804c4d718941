/* From a failing run of a campaign to a bundle and a report. */
#ifndef HEDDLE_CLI_FINDING_H
#define HEDDLE_CLI_FINDING_H

#include "cli/side.h"
#include "cli/exec.h"
#include "cli/out.h"
#include "model/weak.h"
#include "report/report.h"
#include "run/fleet/campaign.h"

struct cli_finding {
	struct cli_exec *exec;
	const struct cli_out *out;
	struct report *report;
	struct run_guest *guest; /* for running it again */
	struct cli_side *side;	 /* for what is known; NULL: nothing is */
	bool simplify;
	const char *note;   /* for the bundle; NULL: none */
	const char *inputs; /* recording that answers the program's calls; NULL: none */
	/* As in struct run_again. */
	bool (*same)(void *arg, const struct run_result *r);
	void *arg;
};

/*
 * What weak memory has to do with a failing run of x, whose job says the rest.  r: the execution as
 * run_hasten() leaves it.
 */
void cli_finding_advise(struct cli_exec *x, const struct run_again *again,
			const struct run_result *r, struct model_weak *out);

/* A failure that was run again and kept. */
struct cli_kept {
	struct trace_bundle bundle;
	char *path; /* of the bundle */
	struct model_weak weak;
};

/*
 * Runs the failing schedule again with events, makes it simpler and keeps it as a bundle, under TSO
 * and PSO with what weak memory has to do with it.  ERR_MISMATCH: the same schedule did not fail in
 * the same way; nothing is kept.
 */
int cli_finding_keep(const struct cli_finding *c, const struct run_finding *f, struct cli_kept *out,
		     struct err *e);
void cli_kept_fini(struct cli_kept *k);

/* The same, and adds it to the report unless it is known. */
int cli_finding_add(const struct cli_finding *c, const struct run_finding *f, struct err *e);

#endif
