/*
 * A bundle to hand on: what says where and as whom the program ran is taken out.  What is left can
 * be read and analysed, not replayed.
 */
#ifndef HEDDLE_CLI_INFO_REDACT_H
#define HEDDLE_CLI_INFO_REDACT_H

#include "trace/bundle/bundle.h"

struct redact_counts {
	size_t variables, arguments, directories, notes, output_bytes;
};

/* Takes it out of *b and counts. */
void redact_bundle(struct trace_bundle *b, struct redact_counts *c);

/* Absolute paths in a text become names of files; is it changed? */
bool redact_text(char *text);

#endif
