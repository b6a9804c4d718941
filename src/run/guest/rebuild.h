/* A program built again from the bitcode it keeps, in another flavour: heddle-cc --derive. */
#ifndef HEDDLE_RUN_REBUILD_H
#define HEDDLE_RUN_REBUILD_H

#include "base/err.h"

/*
 * Writes the program of the flavour ("check", "record") to a file; what for completes "cannot be built
 * again to be ..." in the error.  ERR_NOT_FOUND: the program keeps no bitcode.
 */
int run_rebuild(const char *program, const char *flavor, const char *to, const char *what_for,
		struct err *e);

/* The same with one more option for heddle-cc; NULL: none. */
int run_rebuild_with(const char *program, const char *flavor, const char *option, const char *to,
		     const char *what_for, struct err *e);

#endif
