/* Runs a plan, step by step, and removes its intermediate files. */
#ifndef HEDDLE_CC_EXEC_H
#define HEDDLE_CC_EXEC_H

#include "base/err.h"
#include "cc/plan.h"

/*
 * *status is the exit status to hand on: 0, or that of the first step that failed (which has said
 * why).  An error of our own is returned as such.
 */
int cc_exec(struct cc_plan *p, bool verbose, int *status, struct err *e);

#endif
