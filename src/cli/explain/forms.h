/* The forms of an explanation: what is printed, what is written to files. */
#ifndef HEDDLE_CLI_EXPLAIN_FORMS_H
#define HEDDLE_CLI_EXPLAIN_FORMS_H

#include "base/err.h"
#include "model/explanation.h"

struct cli_explain_forms {
	const char *html, *dot, *chrome; /* files, NULL: not wanted */
	bool json, sarif;
};

/* Prints, and writes what is wanted; dir: the bundle as the user named it. */
int cli_explain_write(const struct cli_explain_forms *f, const struct explanation *x,
		      const char *dir, struct err *e);

#endif
