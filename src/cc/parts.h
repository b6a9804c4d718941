/* Where the parts of heddle and the compiler it stands on are. */
#ifndef HEDDLE_CC_PARTS_H
#define HEDDLE_CC_PARTS_H

#include <stdbool.h>

#include "base/err.h"

struct cc_parts {
	char *compiler; /* clang-19 or clang++-19 */
	char *libdir;	/* of libheddle.so */
	char *incdir;	/* of heddle/heddle.h */
};

/* ERR_NOT_FOUND names what is missing. */
int cc_parts_find(struct cc_parts *p, bool cxx, struct err *e);
void cc_parts_fini(struct cc_parts *p);

#endif
