/*
 * Where bundles go: DIR/PROGRAM-N.heddle with the first number that is free, or exactly the name
 * given when it ends in ".heddle" (further ones get a number).
 */
#ifndef HEDDLE_CLI_OUT_H
#define HEDDLE_CLI_OUT_H

#include <stdbool.h>

#include "base/err.h"
#include "trace/bundle.h"

#define CLI_OUT_DEFAULT "heddle-out"

struct cli_out {
	char *dir;
	char *stem; /* name without number and ending */
	bool exact; /* the first bundle has no number */
};

/*
 * Finds out now whether a bundle can be written later, so that hours of exploration are not lost;
 * leaves nothing behind.  program is the path of the program.
 */
int cli_out_init(struct cli_out *o, const char *target, const char *program, struct err *e);
void cli_out_fini(struct cli_out *o);

/* Writes b; *path is where, the caller frees it. */
int cli_out_write(const struct cli_out *o, const struct trace_bundle *b, char **path,
		  struct err *e);

#endif
