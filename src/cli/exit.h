/* Exit codes of heddle, and how a command ends when something went wrong. */
#ifndef HEDDLE_CLI_EXIT_H
#define HEDDLE_CLI_EXIT_H

#include "base/err.h"
#include "cli/options.h"

enum cli_exit {
	CLI_CLEAN = 0,
	CLI_FINDINGS = 1,
	CLI_USAGE = 2,	      /* wrong command line */
	CLI_FAILURE = 3,      /* heddle or its environment failed */
	CLI_INCONCLUSIVE = 4, /* no answer */
};

/* Prints "heddle COMMAND: text" on stderr; returns CLI_USAGE for ERR_USAGE, else CLI_FAILURE. */
int cli_exit_error(const char *command, const struct err *e);

/*
 * For the result of cli_options_parse() that is not 0: prints the help text on stdout and returns
 * CLI_CLEAN, or prints the error and returns CLI_USAGE.
 */
int cli_exit_options(const struct cli_options *o, int rc, const struct err *e);

#endif
