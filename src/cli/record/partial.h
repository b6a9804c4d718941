/* heddle record --partial: orders of accesses to some elements instead of a recording. */
#ifndef HEDDLE_CLI_RECORD_PARTIAL_H
#define HEDDLE_CLI_RECORD_PARTIAL_H

#include "cli/out.h"
#include "coop/profile_file.h"
#include "record/live.h"

struct cli_partial {
	struct coop_profile profile;
	const char *program; /* borrowed */
	bool dynamic;	     /* one build for all profiles, in which elements are switched off */
};

/*
 * Reads the profile and has the program built for it, once: *derived is owned by the caller.
 * p->dynamic is to be set before.  ERR_MISMATCH: the profile is of another build.
 */
int cli_partial_begin(struct cli_partial *p, const char *path, const char *program, char **derived,
		      struct err *e);
void cli_partial_fini(struct cli_partial *p);

/* Writes the log of a run; r is what else is known of it.  *path is owned by the caller. */
int cli_partial_keep(const struct cli_partial *p, const struct record_live *live,
		     const struct trace_recording *r, const struct cli_out *out, char **path,
		     struct err *e);

#endif
