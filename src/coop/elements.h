/*
 * The shared elements of a program, as heddle-deps --elements finds them (wire/coop.h): their
 * names, which build they are of, and which site of the check flavour belongs to which.  Elements
 * are numbered in the order of their names.
 */
#ifndef HEDDLE_COOP_ELEMENTS_H
#define HEDDLE_COOP_ELEMENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/vec.h"
#include "wire/coop.h"

struct coop_elements {
	enum coop_flavour flavour;
	uint8_t build[COOP_BUILD_BYTES];
	VEC(char *) names;
	VEC(uint32_t) flags; /* enum coop_element_flag */
	VEC(struct coop_site) sites;
};

/*
 * Asks heddle-deps.  Of the flavour COOP_GLOBAL all blocks are one element, COOP_ALL_BLOCKS.  *x
 * must be zeroed; ERR_TOOL: the program keeps no bitcode, or none that is known.
 */
#define COOP_ALL_BLOCKS "all blocks"
int coop_elements_find(struct coop_elements *x, const char *program, enum coop_flavour flavour,
		       struct err *e);
/* Of one bitcode, though they may be of elements of another kind? */
bool coop_build_same_program(const uint8_t *a, const uint8_t *b);
/* Reads a table; nothing in it is trusted.  *x must be zeroed. */
int coop_elements_parse(struct coop_elements *x, const void *bytes, size_t n, struct err *e);
void coop_elements_fini(struct coop_elements *x);

/*
 * Leaves out elements by an override file: lines "-NAME" (not that one) and "+NAME" (only those
 * that are named so), '#' begins a comment.  Numbers do not change: wanted[i] is cleared.
 * ERR_NOT_FOUND: no element is called that.
 */
int coop_elements_override(const struct coop_elements *x, const char *path, bool *wanted,
			   struct err *e);

/*
 * Sets the flags of elements that are accessed in a line; near has x->names.count of them.  program
 * is of the check flavour.  Nothing is set when the line is not known.
 */
struct coop_line {
	const char *file; /* NULL: not known */
	uint32_t line;
};
void coop_elements_at(const struct coop_elements *x, const char *program,
		      const struct coop_line *at, bool *near);

#endif
