/*
 * Questions about formulas, and who answers them.
 *
 * A backend is bound to one formula, which may grow between questions.  Assumptions hold for one
 * question only.  SAT fills the model, which the caller may check with solve_model_check(); UNKNOWN
 * means that the budget ran out and says nothing about the formula.
 */
#ifndef HEDDLE_SOLVE_BACKEND_H
#define HEDDLE_SOLVE_BACKEND_H

#include "solve/formula.h"

enum solve_answer { SOLVE_UNSAT, SOLVE_SAT, SOLVE_UNKNOWN };

enum solve_goal {
	SOLVE_ANY,     /* any model */
	SOLVE_MINIMAL, /* no other model is true on a proper subset of the true counted variables */
	SOLVE_LEAST,   /* fewest true counted variables */
};

struct solve_lits {
	VEC_FIELDS(solve_lit);
};

struct solve_question {
	const solve_lit *assumptions;
	size_t count;
	enum solve_goal goal;
	uint64_t budget;	   /* conflicts (order, z3) or assignments (enum); 0: no limit */
	const struct limit *limit; /* order: UNKNOWN when it is reached; may be NULL */
	/* When not NULL and the answer is UNSAT: assumptions that together suffice for it. */
	struct solve_lits *core;
};

struct solve_stats {
	uint64_t questions, conflicts, decisions, propagations, learned, deleted;
};

struct solve_backend {
	const char *name;
	const struct solve_formula *formula; /* borrowed */
	struct solve_stats stats;
	enum solve_answer (*ask)(struct solve_backend *b, const struct solve_question *q,
				 struct solve_model *m);
	void (*free)(struct solve_backend *b);
	bool cores; /* ask() fills q->core itself */
};

/* Own search: clause learning with an incrementally kept topological order. */
struct solve_backend *solve_backend_order(const struct solve_formula *f);
/* Brute force, for tests and tiny inputs. */
struct solve_backend *solve_backend_enum(const struct solve_formula *f);
/* Z3; NULL when it is not installed. */
struct solve_backend *solve_backend_z3(const struct solve_formula *f);
bool solve_backend_has_z3(void);

static inline enum solve_answer solve_ask(struct solve_backend *b, const struct solve_question *q,
					  struct solve_model *m)
{
	enum solve_answer a;

	b->stats.questions++;
	if (q->core)
		vec_clear(q->core);
	a = b->ask(b, q, m);
	for (size_t i = 0; q->core && a == SOLVE_UNSAT && !b->cores && i < q->count; i++)
		vec_push(q->core, q->assumptions[i]);
	return a;
}

static inline void solve_backend_free(struct solve_backend *b)
{
	if (b)
		b->free(b);
}

#endif
