/*
 * A failing execution as a directory: how to run the program, the choices that were made, how it
 * failed.  A text file "execution" of lines "WORD VALUE":
 *
 *	heddle-stable 1		the format
 *	program PATH, directory PATH, input PATH
 *	argument TEXT		with \n and \\ for a line's end and a backslash, one line each
 *	sections det		when they end at a turn; exits fail: a status is a failure
 *	failure KIND CODE LINE
 *	choices N		0: none were made; then N numbers, one per line
 *
 * Beside it "report" has details for people.  Who reads it takes it for hostile: sizes are
 * limited, and what is not as above is an error.
 */
#ifndef HEDDLE_EXPLORE_NESTED_RECORD_H
#define HEDDLE_EXPLORE_NESTED_RECORD_H

#include "explore/nested/nested.h"

#define NESTED_RECORD_FILE "execution"

struct nested_record {
	char *program, *directory, *input;
	VEC(char *) arguments; /* the program's name first, ends with NULL */
	bool det, exit_fails;
	struct nested_finding finding;
	char kind[32];
};

int nested_record_write(const char *dir, const struct nested_record *r, const char *report,
			struct err *e);
int nested_record_read(const char *dir, struct nested_record *r, struct err *e);
/* text ends with a NUL. */
int nested_record_parse(const char *text, struct nested_record *r, struct err *e);
void nested_record_fini(struct nested_record *r);

#endif
