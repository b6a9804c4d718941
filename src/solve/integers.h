/*
 * Questions about integers: is there an assignment that meets some comparisons of sums of products?
 *
 * Numbers have no bounds; products of more than two variables are not offered.  Z3 answers, and
 * UNKNOWN is an answer: the library may be missing, or the time over.
 */
#ifndef HEDDLE_SOLVE_INTEGERS_H
#define HEDDLE_SOLVE_INTEGERS_H

#include <stdint.h>

#include "base/vec.h"
#include "solve/backend.h"

#define INTEGERS_NONE UINT32_MAX

/* factor * a * b; b, or both, may be INTEGERS_NONE. */
struct integers_term {
	int64_t factor;
	uint32_t a, b;
};

struct integers_sum {
	VEC_FIELDS(struct integers_term);
};

enum integers_kind { INTEGERS_BELOW, /* sum < 0 */ INTEGERS_NOT /* sum != 0 */ };

struct integers_row {
	enum integers_kind kind;
	struct integers_sum sum;
};

struct integers {
	uint32_t variables;
	VEC(struct integers_row) rows;
};

void integers_fini(struct integers *q);
uint32_t integers_variable(struct integers *q);
/* sum < 0, or sum != 0; the sum is taken over. */
void integers_add(struct integers *q, enum integers_kind kind, struct integers_sum sum);
/* to += factor * from. */
void integers_sum_add(struct integers_sum *to, const struct integers_sum *from, int64_t factor);
/* In no more than so many milliseconds. */
enum solve_answer integers_ask(const struct integers *q, unsigned milliseconds);

#endif
