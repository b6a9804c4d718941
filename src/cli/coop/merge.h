/* What the parts of heddle coop merge share. */
#ifndef HEDDLE_CLI_COOP_MERGE_H
#define HEDDLE_CLI_COOP_MERGE_H

#include "cli/coop/coop.h"
#include "cli/finding.h"
#include "coop/elements.h"
#include "coop/merge.h"
#include "coop/oracle.h"
#include "coop/relax.h"
#include "repro/search/match.h"
#include "run/guest/compare.h"

/* Logs that failed in one way. */
struct merge_group {
	const char *signature; /* borrowed */
	uint64_t logs;
};

struct merge {
	const struct cli_coop_opts *o;
	const char *program; /* as the user gave it */
	char *derived;	     /* built for running it under control, when it was not */
	struct coop_elements elements;
	struct cli_coop_files files;
	VEC(struct merge_group) groups; /* most logs first */
	const char *signature;		/* the failure that is looked for; NULL: no log has one */
	VEC(const struct coop_log *) failed, passed;
	struct coop_set set;
	bool *near;		  /* per element: accessed where it failed */
	struct coop_merge *merge; /* by the heuristic */
	struct coop_merge *solve; /* of AUTO: logs alone, in turn with the others; NULL otherwise */
	uint64_t turn;		  /* candidates that were asked for */
	struct coop_relax relax;  /* of AUTO */
	uint64_t round;
	struct coop_candidate *under_way[COOP_AT_A_TIME];
	const char *way[COOP_AT_A_TIME]; /* which heuristic they are of */
	const char *heuristic;
	struct cli_exec exec;
	bool begun;
	struct trace_recording failure; /* the signature, for comparing */
	struct repro_match match;
	struct cli_out out;
	/* Out: */
	uint64_t attempts, fails, passes, stuck, limits, troubles;
	struct run_finding found;
	bool is_found, is_kept;
	struct cli_kept kept;
	uint64_t replays, replayed, begin_ns;
	char reason[512]; /* of trouble, or why what was found does not count */
};

/* Prints what came out; returns the exit code. */
int cli_coop_merge_say(const struct merge *m);

#endif
