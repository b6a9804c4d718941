/*
 * heddle reproduce without its options and its words: from a recording to a failing run of the
 * program under control, by the ways there are.
 */
#ifndef HEDDLE_CLI_REPRODUCE_RUN_H
#define HEDDLE_CLI_REPRODUCE_RUN_H

#include "cli/exec.h"
#include "solve/strace/solve.h"
#include "repro/search/search.h"

enum cli_reproduce_method { REPRODUCE_AUTO, REPRODUCE_SOLVE, REPRODUCE_SEARCH };

struct cli_reproduce {
	struct cli_exec exec;
	struct trace_recording recording;
	struct repro_match match;
	int method;	/* enum cli_reproduce_method */
	bool by_core;
	bool models[MODEL_COUNT]; /* that may be tried */
	bool more_steps; /* than a run may have, when runs are cut off: nobody said how many */
	/* Out: */
	struct run_finding found;
	bool is_found;
	struct run_finding near; /* not quite the recorded failure */
	enum repro_near near_why;
	enum repro_near is_near; /* found is that one */
	const char *way; /* "solve", "search"; NULL: none */
	bool complete[MODEL_COUNT]; /* by model: every behaviour was looked at */
	struct repro_search_stats stats;
	struct strace_counts counts;
	uint64_t solve_ns, search_ns;
	uint64_t events; /* of the symbolic traces */
	struct strbuf why; /* why it was not reproduced, or not solved */
};

/*
 * The program of the recording, ready to be run under control: itself when it was built for that,
 * else built anew from the bitcode it keeps, beside the bundles in `dir'.  *path is owned by the
 * caller.  ERR_NOT_FOUND: it is gone, or keeps no bitcode; ERR_MISMATCH: it is another build.
 */
int cli_reproduce_program(const struct trace_recording *r, const char *dir, char **path,
			  struct err *e);

/* Standard input as it was recorded, as a file beside the bundles; *path NULL when there is none. */
int cli_reproduce_stdin(const struct trace_recording *r, const char *dir, char **path,
			struct err *e);

/*
 * Computes a schedule from the recording in `dir' and runs it; x->is_found, or x->why says why not.
 * Takes no longer than ns.  An error only when the program cannot be run.
 */
int cli_reproduce_solve(struct cli_reproduce *x, struct run_guest *guest, const char *dir,
			uint64_t ns, struct err *e);

/* Until it fails as recorded or a limit is reached.  0, or why nothing could be run at all. */
int cli_reproduce_run(struct cli_reproduce *x, struct run_guest *guest, const char *dir,
		      struct err *e);

#endif
