/*
 * heddle hunt without its options and its words: runs that passed are gathered, paths and orders
 * that fail are asked for (heddle-hunt), and every one of them is run.
 */
#ifndef HEDDLE_CLI_HUNT_RUN_H
#define HEDDLE_CLI_HUNT_RUN_H

#include "cli/exec.h"
#include "cli/finding.h"
#include "hunt/counts.h"
#include "run/guest/inputs.h"
#include "trace/bundle/recording.h"

struct cli_hunt_found {
	struct cli_kept kept;
	char *passing; /* bundle of the run that it was derived from; NULL: none */
	uint64_t key;
	uint64_t tries, synthesised;
	uint32_t flips;
	bool by_search; /* by executions under control, not by paths */
};

struct cli_hunt {
	struct cli_exec exec;
	struct limit limit; /* of the command */
	struct cli_out out;
	char *dir;		      /* of this hunt: recordings and the store */
	char *store;		      /* file */
	char *program, *input;	      /* as it is run under control; its standard input */
	struct trace_recording first; /* run that passed */
	char *first_name;
	struct run_inputs inputs;
	uint32_t max_flips, max_traces, jobs;
	bool published;	   /* the order of the publication */
	VEC(char *) tried; /* lines of heddle-hunt about combinations, in that order */
	uint64_t build;
	VEC(char *) names;	   /* of distinct runs that passed */
	VEC(char *) failing;	   /* of some that failed */
	uint64_t recorded, failed; /* runs, and those of them that failed */
	uint64_t others;	   /* recordings of other builds, or damaged */
	char other_why[512];
	VEC(struct cli_hunt_found *) found;
	struct hunt_counts counts;
	char trouble[512]; /* why paths were not searched */
	bool exhaustive;   /* every behaviour was looked at under control */
	bool searched;
	bool may_spur;	      /* it has waits that may end for no reason: not looked at */
	char search_why[512]; /* why not */
	uint64_t unconfirmed;
};

/* Records runs of a program.  ERR_NOT_FOUND and so on when it cannot be run at all. */
int cli_hunt_record(struct cli_hunt *h, uint64_t runs, char **words, struct err *e);
/* Takes the recordings in a directory, or one recording. */
int cli_hunt_gather(struct cli_hunt *h, const char *dir, struct err *e);

/* Asks for orders that fail and runs them. */
int cli_hunt_paths(struct cli_hunt *h, struct run_guest *guest, struct err *e);

/* Looks at every behaviour by executions under control, while there is time. */
int cli_hunt_search(struct cli_hunt *h, struct run_guest *guest, struct err *e);

/* A failing run becomes a finding, once; true when it did or was one already. */
bool cli_hunt_take(struct cli_hunt *h, struct run_guest *guest, const struct run_finding *f,
		   struct cli_hunt_found like);

/* A run that passed, kept beside the last finding. */
int cli_hunt_keep_passing(struct cli_hunt *h, struct run_guest *guest, const struct run_result *r,
			  const struct wire_job *job, struct err *e);

#endif
