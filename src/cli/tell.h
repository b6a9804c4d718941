/* Why a failure that was found and kept is one, in a few lines. */
#ifndef HEDDLE_CLI_TELL_H
#define HEDDLE_CLI_TELL_H

#include "base/strbuf.h"
#include "cli/exec.h"
#include "trace/bundle/bundle.h"

/*
 * Appends lines about the failure in the bundle, beside an execution that passes and was looked for
 * for a moment; nothing when there is none, when it would take long, or when what decides is not
 * known.  guest runs the program; inputs as in struct cli_finding.
 */
void cli_tell_story(struct cli_exec *x, const struct run_again *again,
		    const struct trace_bundle *failing, const char *inputs, struct strbuf *to);

#endif
