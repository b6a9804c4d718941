/*
 * JUnit XML, as CI systems read it: a suite with a case per program or test.  A case with findings
 * has a failure; one without an answer has an error, because it is no success.
 */
#ifndef HEDDLE_REPORT_CI_JUNIT_H
#define HEDDLE_REPORT_CI_JUNIT_H

#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

struct report_case {
	const char *suite, *name;
	int exit_code;	     /* 0, 1, 3 or 4; what it means is heddle's */
	const char *message; /* the verdict in one sentence */
	const char *text;    /* all that is known; NULL: no more */
	uint64_t ns;
};

/* Numbers of the cases of a suite. */
struct report_junit {
	struct strbuf cases;
	size_t tests, failures, errors;
	uint64_t ns;
};

void report_junit_add(struct report_junit *j, const struct report_case *c);
/* The document; j is as before. */
void report_junit_write(const struct report_junit *j, const char *suite, struct strbuf *to);
void report_junit_fini(struct report_junit *j);

#endif
