/* From a run to a bundle. */
#ifndef HEDDLE_RUN_KEEP_H
#define HEDDLE_RUN_KEEP_H

#include "run/guest/guest.h"
#include "trace/bundle/bundle.h"

struct run_keep {
	const struct run_program *program;
	const char *tool_version;
	const struct wire_job *job;	 /* parameters the bundle names; NULL: those of the block */
	const struct run_result *result; /* for the captured output; may be NULL */
	const char *inputs;		 /* recording the inputs came from; may be NULL */
};

/*
 * How a bundle names the file that was the program's standard input: a note that begins so.  NULL
 * when there is none, because input was passed through.
 */
#define RUN_KEEP_INPUT "standard input: "
const char *run_keep_input(const struct trace_bundle *b);

/* Likewise the recording whose inputs answered the program's calls. */
#define RUN_KEEP_INPUTS "inputs from the recording: "
const char *run_keep_inputs(const struct trace_bundle *b);

/*
 * Fills *b, which must be zeroed, from the guest's last job, which must have had JOB_EVENTS.  The
 * caller writes it and ends it with trace_bundle_fini().
 */
int run_keep(struct trace_bundle *b, const struct run_guest *g, const struct run_keep *k,
	     struct err *e);

#endif
