/*
 * Formulas over the order of events: plain data that every backend reads.
 *
 * A formula has nodes (points in a strict total order), fixed edges a < b, and variables.  A
 * variable is plain, or an order atom: true says a < b, false says b < a.  Clauses are disjunctions
 * of literals.  Formulas only grow, so a backend takes over what is new at each question.
 *
 * A model gives each variable a value and each node a rank; ranks are a permutation.  A variable
 * marked `counted' costs 1 when true: a question may ask for a model of least cost.
 */
#ifndef HEDDLE_SOLVE_FORMULA_H
#define HEDDLE_SOLVE_FORMULA_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

typedef uint32_t solve_var;
typedef uint32_t solve_lit; /* 2 * variable, + 1 when negated */

#define SOLVE_NODE_NONE UINT32_MAX
/* Constants that solve_formula_clause() understands besides real literals. */
#define SOLVE_TRUE UINT32_C(0xfffffffe)
#define SOLVE_FALSE UINT32_C(0xffffffff)

static inline solve_lit solve_pos(solve_var v)
{
	return v * 2;
}

static inline solve_lit solve_not(solve_lit l)
{
	return l ^ 1;
}

static inline solve_var solve_lit_var(solve_lit l)
{
	return l / 2;
}

static inline bool solve_lit_negated(solve_lit l)
{
	return l & 1;
}

struct solve_atom {
	uint32_t a, b; /* both SOLVE_NODE_NONE: a plain variable */
	bool counted;
};

struct solve_edge {
	uint32_t a, b;
};

struct solve_formula {
	uint32_t nodes;
	VEC(struct solve_edge) edges;
	VEC(struct solve_atom) vars;
	/* Clause i is lits[starts[i]] up to lits[starts[i + 1]]; starts has one entry more. */
	VEC(uint32_t) starts;
	VEC(solve_lit) lits;
	bool empty_clause; /* an empty clause was added: unsatisfiable */
};

struct solve_model {
	VEC(uint8_t) values; /* by variable */
	VEC(uint32_t) ranks; /* by node */
};

void solve_formula_init(struct solve_formula *f, uint32_t nodes);
void solve_formula_fini(struct solve_formula *f);
void solve_model_fini(struct solve_model *m);

solve_var solve_formula_plain(struct solve_formula *f, bool counted);
solve_var solve_formula_order(struct solve_formula *f, uint32_t a, uint32_t b);
/* Fixed edges may be added only before the first question. */
void solve_formula_edge(struct solve_formula *f, uint32_t a, uint32_t b);
/* Drops false and repeated literals; a clause with SOLVE_TRUE or l and not l is not kept. */
void solve_formula_clause(struct solve_formula *f, const solve_lit *lits, size_t n);

static inline size_t solve_formula_clauses(const struct solve_formula *f)
{
	return f->starts.count - 1;
}

static inline bool solve_atom_ordered(const struct solve_atom *a)
{
	return a->a != SOLVE_NODE_NONE;
}

/*
 * Whether m is a model of f that makes every assumption true, by direct evaluation.  Returns NULL,
 * or a static text saying what is violated.
 */
const char *solve_model_check(const struct solve_formula *f, const solve_lit *assumptions, size_t n,
			      const struct solve_model *m);

/* True counted variables of a model. */
uint32_t solve_model_cost(const struct solve_formula *f, const struct solve_model *m);

#endif
