/*
 * Conditions on the input, as straight-line code: each term computes one number from inputs and
 * earlier terms, and the roots are the terms that must not be 0.  Whether they hold is found by
 * evaluation; what an operation means is symex/expr.h's business.  Only operations on whole numbers
 * occur: what depends on numbers with a fraction has been bound to its value before.
 */
#ifndef HEDDLE_MEMO_TERMS_H
#define HEDDLE_MEMO_TERMS_H

#include "base/err.h"
#include "base/vec.h"
#include "memo/given.h"
#include "symex/expr.h"

struct memo_term {
	uint8_t op; /* enum expr_op; EXPR_READ: an input */
	uint8_t width;
	uint16_t aux;
	uint32_t arg[3];    /* earlier terms; [0] of EXPR_READ: the input */
	uint64_t low, high; /* EXPR_CONST */
};

struct memo_terms {
	VEC(struct memo_input) inputs;
	VEC(struct memo_term) terms;
	VEC(uint32_t) roots;
};

/* Number of operands of an operation. */
unsigned memo_arity(unsigned op);
/* Whether terms may have it. */
bool memo_operation(unsigned op);

void memo_terms_free(struct memo_terms *t);
/*
 * Adds the condition; input i of the run is read i of the pool.  False, and nothing is added, when
 * it has an operation that terms may not have.
 */
bool memo_terms_add(struct memo_terms *t, struct expr_pool *pool, expr_id e,
		    const struct memo_input *inputs);
/* Whether everything refers to what is before it and the widths fit: of terms from a file. */
int memo_terms_check(const struct memo_terms *t, struct err *e);
/* Of checked terms. */
bool memo_terms_hold(const struct memo_terms *t, const struct memo_given *given);
/* "argc == 3 && 1 < atoi(argv[1])"; "true" when there are none. */
void memo_terms_print(const struct memo_terms *t, struct strbuf *to);

#endif
