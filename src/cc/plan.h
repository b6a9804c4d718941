/*
 * Turns a scanned command line into a list of steps.  For each source: compile to bitcode,
 * instrument it, generate code; at the end link, with libheddle.so first.  The plan is data; exec.h
 * runs it.
 */
#ifndef HEDDLE_CC_PLAN_H
#define HEDDLE_CC_PLAN_H

#include "base/err.h"
#include "base/vec.h"
#include "cc/parts.h"
#include "cc/scan.h"

enum cc_step_kind {
	STEP_RUN,	 /* run args */
	STEP_INSTRUMENT, /* from -> to, for source */
	STEP_RENAME,	 /* from -> to */
	STEP_EXTRACT,	 /* bitcode of the linked file from -> to */
	STEP_WHOLE,	 /* the program from, linked by args, with marks of the whole as to */
};

struct cc_step {
	enum cc_step_kind kind;
	VEC(char *) args; /* RUN: command, NULL-ended; INSTRUMENT: code generation options */
	char *from, *to;
	const char *source;
};

struct cc_plan {
	VEC(struct cc_step) steps;
	VEC(char *) scratch; /* files to remove at the end, whatever happened */
	VEC(char *) names;   /* of sources, when steps do not borrow them */
	char *dir;	     /* for intermediate files; NULL until one is needed */
	bool keep_debug;
	const char *flavor;
	bool mark_all; /* record flavour: every point */
	char *wanted;  /* coop flavour: names of elements, one per line; NULL: none */
	bool only_pass; /* one RUN step that may replace this process */
};

int cc_plan(struct cc_plan *p, const struct cc_scan *s, const struct cc_parts *parts,
	    struct err *e);
void cc_plan_fini(struct cc_plan *p);

#endif
