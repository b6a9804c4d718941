/*
 * Expressions as terms of Z3: bit-vectors.  Operations on numbers with a fraction, and functions of
 * mathematics, become functions Z3 knows nothing of; a model it finds must be evaluated (expr_eval)
 * before it is believed.
 */
#ifndef HEDDLE_SYMEX_EXPR_Z3_H
#define HEDDLE_SYMEX_EXPR_Z3_H

#include "solve/z3_door.h"
#include "symex/expr.h"

struct expr_z3;

/* z3_door_open() has succeeded; the context keeps the terms. */
struct expr_z3 *expr_z3_new(Z3_context ctx, struct expr_pool *pool);
void expr_z3_free(struct expr_z3 *z);

/* A bit-vector of the expression's width. */
Z3_ast expr_z3_term(struct expr_z3 *z, expr_id e);
/* A truth value: the expression is not 0. */
Z3_ast expr_z3_holds(struct expr_z3 *z, expr_id e);
/* The constant a read stands for. */
Z3_ast expr_z3_read(struct expr_z3 *z, uint32_t read, unsigned width);
/* True when some term has functions Z3 knows nothing of. */
bool expr_z3_guesses(const struct expr_z3 *z);

#endif
