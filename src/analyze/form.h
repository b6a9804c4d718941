/*
 * Values as sums: a constant and multiples of leaves.
 *
 * A leaf is a value of one body that is not a sum of others: a parameter of a thread, a phi, what a
 * load returned, the address of a variable.  Parameters of bodies with one caller are what the
 * caller gave.  Two values with the same leaves differ by a constant, as long as both were computed
 * from the same execution of each leaf.
 */
#ifndef HEDDLE_ANALYZE_FORM_H
#define HEDDLE_ANALYZE_FORM_H

#include "analyze/whole.h"

#define FORM_TERMS 6

struct form_leaf {
	uint32_t body; /* WHOLE_NONE: of none, a global */
	LLVMValueRef value;
	int cast; /* opcode of a conversion of it that may lose bits; 0: none */
};

struct form_term {
	struct form_leaf leaf;
	int64_t scale;
};

struct form {
	int64_t constant;
	uint32_t count;
	struct form_term terms[FORM_TERMS]; /* in a fixed order */
};

struct form form_of(struct whole *w, uint32_t body, LLVMValueRef v);
bool form_same_leaf(const struct form_leaf *a, const struct form_leaf *b);
/* a - b when that is a constant. */
bool form_distance(const struct form *a, const struct form *b, int64_t *distance);
bool form_equal(const struct form *a, const struct form *b);
/* to += scale * x; false when that has too many terms. */
bool form_add(struct form *to, const struct form *x, int64_t scale);
/* Is the value of the body one of its leaves? */
bool form_uses(const struct form *f, uint32_t body, LLVMValueRef v);

#endif
