/* How an execution under the runtime of heddle stable failed, in words. */
#ifndef HEDDLE_EXPLORE_NESTED_FAILURE_H
#define HEDDLE_EXPLORE_NESTED_FAILURE_H

#include "explore/nested/exec.h"

struct nested_failure {
	const char *kind;      /* "assert", "abort", "signal", "deadlock", "exit"; NULL: none */
	int code;	       /* the signal, or the status */
	char *headline;	       /* one line */
	char *details;	       /* lines, may be empty */
	char *file, *function; /* of an assertion; NULL: not known */
	uint64_t line;
	/* Equal for failures that are the same. */
	uint64_t key;
};

/* Leaves *f with kind NULL when the execution did not fail. */
void nested_failure_of(const struct nested_program *p, const struct nested_run *run,
		       struct nested_failure *f);
void nested_failure_fini(struct nested_failure *f);

/* The place "FILE:LINE: FUNCTION: Assertion `…' failed." names, in a text that may be the
 * program's. */
bool nested_failure_parse(const char *output, struct nested_failure *f);

#endif
