/*
 * A program once more in another flavour: from the bitcode it keeps and the shared libraries it
 * needs.  Parts that were linked in without bitcode (assembly, archives of others) are not in it;
 * the linker says what is missing then.
 */
#ifndef HEDDLE_CC_DERIVE_H
#define HEDDLE_CC_DERIVE_H

#include "cc/plan.h"

struct cc_derive {
	const char *from, *to;
	const char *flavor;
};

/* Plans how to make `to' from the program `from'; sources names live in *p. */
int cc_derive(struct cc_plan *p, const struct cc_parts *parts, const struct cc_derive *d,
	      struct err *e);

#endif
