/*
 * What is shown of both executions: the flows that differ, the failure, threads that are stuck with
 * what they hold and wait for, and where threads go another way; everything else is counted.
 */
#ifndef HEDDLE_EXPLAIN_PROJECT_H
#define HEDDLE_EXPLAIN_PROJECT_H

#include "explain/roots.h"

/* Flows, branches and rows of both sides. */
void explain_project(const struct explain_search *s, const struct explain_roots *roots,
		     struct explanation *out);

/* Rows of the failing side alone, when there is nothing beside it. */
void explain_project_failing(const struct explain_failing *f, struct explanation *out);

#endif
