/* Interned names: text to dense number and back, in the order of first appearance. */
#ifndef HEDDLE_PREDICT_NAMES_H
#define HEDDLE_PREDICT_NAMES_H

#include <stddef.h>
#include <stdint.h>

#include "base/lookup.h"
#include "base/vec.h"

struct predict_names {
	VEC(char) text;	     /* all names, NUL-terminated, one after the other */
	VEC(uint32_t) start; /* of each name in text */
	struct lookup by_text;
};

#define PREDICT_NAMES_INIT                                                                         \
	{                                                                                          \
		VEC_INIT, VEC_INIT, {NULL, 0, 0}                                                   \
	}
#define PREDICT_NAME_NONE UINT32_MAX

/* Number of the name, a new one when it has not been seen. */
uint32_t predict_names_add(struct predict_names *n, const char *text, size_t bytes);
/* Number of the name or PREDICT_NAME_NONE. */
uint32_t predict_names_find(const struct predict_names *n, const char *text, size_t bytes);
/* Borrowed until the next add; id must be one of ours. */
const char *predict_names_text(const struct predict_names *n, uint32_t id);
uint32_t predict_names_count(const struct predict_names *n);
void predict_names_fini(struct predict_names *n);

#endif
