/*
 * From what was thought through to findings: a path that should fail is run for real, and only what
 * fails then is reported.
 */
#ifndef HEDDLE_CHECK_CONFIRM_H
#define HEDDLE_CHECK_CONFIRM_H

#include "check/search.h"

struct check_confirm {
	const struct check_opts *o;
	struct check_result *out;
	VEC(uint64_t) keys; /* of what was tried already */
};

void check_confirm_fini(struct check_confirm *c);

/* Runs a path; a failure becomes a finding.  1: it failed, 0: it did not. */
int check_confirm(struct check_confirm *c, const struct wire_choice *path, size_t n,
		  struct err *e);

/* The same for something found in the model, once per place.  Non-zero: the search is to end. */
int check_found(struct check_confirm *c, const struct product_finding *f, struct err *e);

/* The result is not complete; the first reason stays. */
__attribute__((format(printf, 2, 3))) void check_say_why(struct check_result *r,
							  const char *format, ...);

#endif
