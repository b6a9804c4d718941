/*
 * Where bundles go: DIR/PROGRAM-N.heddle with the first number that is free, or exactly the name
 * given when it ends in ".heddle" (further ones get a number).
 */
#ifndef HEDDLE_CLI_OUT_H
#define HEDDLE_CLI_OUT_H

#include <stdbool.h>

#include "base/err.h"
#include "trace/bundle/bundle.h"

#define CLI_OUT_DEFAULT "heddle-out"

struct cli_out {
	char *dir;
	char *stem; /* name without number and ending */
	bool exact; /* the first bundle has no number */
	const char *ending;
};

/*
 * Finds out now whether a bundle can be written later, so that hours of exploration are not lost;
 * leaves nothing behind.  program is the path of the program.
 */
int cli_out_init(struct cli_out *o, const char *target, const char *program, struct err *e);
/* The same for other things than bundles; ending with its dot. */
int cli_out_init_ending(struct cli_out *o, const char *target, const char *program,
			const char *ending, struct err *e);
void cli_out_fini(struct cli_out *o);

/* Writes b; *path is where, the caller frees it. */
int cli_out_write(const struct cli_out *o, const struct trace_bundle *b, char **path,
		  struct err *e);
/* The first name that is free now. */
int cli_out_place(const struct cli_out *o, char **path, struct err *e);
/* Writes anything: write() gets a name that is free, and says ERR_EXISTS when it is no longer. */
typedef int (*cli_out_write_fn)(void *arg, const char *name, struct err *e);
int cli_out_put(const struct cli_out *o, cli_out_write_fn write, void *arg, char **path,
		struct err *e);

#endif
