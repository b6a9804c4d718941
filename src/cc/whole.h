/*
 * The record flavour of a whole program.  A unit alone has to take every load for one that another
 * thread may have a say in; only when all units are there it can be told which points need not be
 * recorded.  So a program is linked twice: once to see what it consists of, and again with its units
 * compiled anew, from the bitcode they keep, with the marks that the analysis of all of them gives.
 */
#ifndef HEDDLE_CC_WHOLE_H
#define HEDDLE_CC_WHOLE_H

#include <stdbool.h>

#include "base/err.h"
#include "base/vec.h"

struct cc_whole {
	const char *compiler;
	const char *trial;  /* the program linked the first time */
	const char *dir;    /* for intermediate files, which the caller removes */
	const char *flavor;
	char *const *link;  /* the command that made the trial, NULL-terminated; output last */
	const char *output; /* what it shall be called */
	bool verbose;
};

/* Files it leaves in dir are appended to *scratch.  The trial stays whatever happens. */
struct cc_whole_files {
	VEC_FIELDS(char *);
};
int cc_whole(const struct cc_whole *w, struct cc_whole_files *scratch, struct err *e);

#endif
