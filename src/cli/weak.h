/*
 * For a failure found under TSO or PSO: does it need that, and which fences would remove it.
 *
 * Each question is put to a few runs first, which find most failures at once; then to the
 * exhaustive search; and when that does not come to its end, to more runs.
 */
#ifndef HEDDLE_CLI_WEAK_H
#define HEDDLE_CLI_WEAK_H

#include "cli/exec.h"
#include "model/weak.h"
#include "run/fence.h"

/*
 * again: engine, guest and job of the failing run; r: the execution as run_hasten() leaves it.
 * Several failures of one program share what is known about the stronger models.  When something
 * goes wrong there is no advice, and out->why says why.
 */
void cli_weak_advise(struct cli_exec *x, const struct run_again *again, const struct run_result *r,
		     struct model_weak *out);

#endif
