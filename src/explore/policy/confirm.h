/*
 * From what was thought through to findings: a path that should fail is run for real, and only what
 * fails then is reported.
 */
#ifndef HEDDLE_CHECK_CONFIRM_H
#define HEDDLE_CHECK_CONFIRM_H

#include "explore/policy/search.h"

struct check_confirm {
	const struct check_opts *o;
	struct check_result *out;
	VEC(uint64_t) keys; /* of what was tried already */
};

void check_confirm_fini(struct check_confirm *c);

/* Runs a path; a failure becomes a finding.  1: it failed, 0: it did not. */
int check_confirm(struct check_confirm *c, const struct wire_choice *path, size_t n,
		  struct err *e);

/* Failures of the runs that learned, whatever the search makes of them. */
int check_confirm_failed(struct check_confirm *c, const struct check_source *s, struct err *e);

/* The same for something found in the model, once per place.  Non-zero: the search is to end. */
int check_found(struct check_confirm *c, const struct product_finding *f, struct err *e);

/* What the source did, since begin_ns. */
void check_count_source(struct check_stats *to, const struct check_source *s, uint64_t begin_ns);

/* A search that saw no behaviour at all proves nothing. */
void check_look_for_substance(struct check_result *r);

/* The result is not complete; the first reason stays. */
__attribute__((format(printf, 2, 3))) void check_say_why(struct check_result *r, const char *format,
							 ...);

/* Nor is it when runs met something that heddle does not see. */
void check_say_unseen(struct check_result *r, const struct run_engine *engine);

#endif
