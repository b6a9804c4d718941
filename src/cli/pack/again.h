/* The execution of a pack in a place of it: what a pack keeps has happened there. */
#ifndef HEDDLE_CLI_PACK_AGAIN_H
#define HEDDLE_CLI_PACK_AGAIN_H

#include "trace/bundle/bundle.h"

/*
 * Runs the bundle `here' (cli/place.h) once and takes what happened over into *b, which has the
 * same execution under its own names and keeps these.  ERR_MISMATCH when the program went another
 * way.
 */
int pack_run_again(const char *here, struct trace_bundle *b, struct err *e);

#endif
