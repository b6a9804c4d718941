/* A recording is explained by way of heddle reproduce. */
#ifndef HEDDLE_CLI_EXPLAIN_RECORDING_H
#define HEDDLE_CLI_EXPLAIN_RECORDING_H

#include "base/err.h"

/*
 * Reproduces the recording and returns the exit code of that: CLI_FINDINGS with *bundle (owned by
 * the caller) where the failing execution is kept.  What reproduce says goes to standard error.
 */
int cli_explain_reproduce(const char *recording, const char *out, char **bundle, struct err *e);

#endif
