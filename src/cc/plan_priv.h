/* Shared by plan.c (compiling, and the rest) and plan_link.c; private to them. */
#ifndef HEDDLE_CC_PLAN_PRIV_H
#define HEDDLE_CC_PLAN_PRIV_H

#include "cc/plan.h"

struct planner {
	struct cc_plan *p;
	const struct cc_scan *s;
	const struct cc_parts *parts;
	unsigned count; /* of intermediate files */
};

struct cc_step *cc_plan_new_step(struct planner *n, enum cc_step_kind kind);
void cc_plan_arg(struct cc_step *step, const char *text);
void cc_plan_end_args(struct cc_step *step);
void cc_plan_arg_pair(struct cc_step *step, const struct cc_arg *a);
int cc_plan_make_dir(struct planner *n, struct err *e);
char *cc_plan_scratch(struct planner *n, const char *source, const char *suffix);
int cc_plan_source(struct planner *n, const struct cc_arg *source, const char *to, struct err *e);

int cc_plan_link(struct planner *n, struct err *e);

#endif
