/*
 * The form of a program that can be recorded.  A program of the check flavour runs too slowly to be
 * recorded by its hooks; it is built once more for recording, from the bitcode it keeps, and what was
 * made is kept in the user's cache under the hash of the program.
 */
#ifndef HEDDLE_RECORD_DERIVE_H
#define HEDDLE_RECORD_DERIVE_H

#include <stdint.h>

#include "base/err.h"

/* *out is the path of the program built for the flavour; the caller frees it. */
int record_derive(const char *program, const char *flavor, char **out, struct err *e);

/* A program that records the orders of some elements (instr/element.h). */
struct record_elements {
	const char *program;
	const char *wanted; /* names of the elements, one per line */
	uint64_t key;	    /* of the choice: what was made for another one is not taken */
	/* Called before anything is built: does the choice fit the program? */
	int (*check)(void *arg, struct err *e);
	void *arg;
};
/* As record_derive(). */
int record_derive_elements(const struct record_elements *o, char **out, struct err *e);

#endif
