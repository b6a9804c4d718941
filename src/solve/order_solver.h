/*
 * The inside of backend_order: clause learning over plain variables and order atoms.
 *
 * Search state is the usual one (trail, levels, reasons, two watched literals), with three
 * differences.
 *
 *  - An order atom on the trail is an edge of a graph (order_graph.h).  Edges are added after
 *    propagation has come to rest; a cycle is a conflict whose clause is the cycle.  There is no
 *    cubic set of transitivity clauses.
 *  - Assignments are partial.  A plain variable nobody asked for is false, an order atom nobody
 *    asked for is what the topological order says.  The search is over when each clause of the
 *    formula holds in that sense, so its work follows the part of the formula that the question
 *    switches on, not its size.  Only a variable that became true can break a clause that held by
 *    default: `walk' goes over the clauses that contain the negation of each true variable, and
 *    remembers, per level, how far all was well.
 *  - Models are small by construction, as nothing is true without a reason; least ones are found
 *    with a bound on the number of true counted variables.  What follows from the bound is learned
 *    under the negation of the variable BOUND and forgotten with the question.
 *
 * Inside, variables are those of the formula plus one; variable 0 is BOUND.
 */
#ifndef HEDDLE_SOLVE_ORDER_SOLVER_H
#define HEDDLE_SOLVE_ORDER_SOLVER_H

#include "solve/backend.h"
#include "solve/order_graph.h"

#define ORDER_NONE UINT32_MAX
#define ORDER_LEARNED UINT32_C(0x80000000) /* in a clause reference: which arena */
#define ORDER_BOUND UINT32_C(0)		   /* the literal; true while a bound is in force */

struct order_watch {
	uint32_t clause;
	solve_lit blocker; /* some other literal of it */
};

struct order_watches {
	VEC_FIELDS(struct order_watch);
};

struct order_group {
	VEC_FIELDS(uint32_t);
};

struct order_var {
	uint32_t a, b; /* order atom, or ORDER_NONE */
	uint32_t level, reason;
	float activity;
	bool counted, seen;
};

/* A clause in an arena: this header, then its literals. */
struct order_clause {
	uint32_t size;
	uint32_t
		rank; /* learned: levels among its literals, the fewer the better; or UNDER_BOUND */
	solve_lit lits[];
};
#define ORDER_HEADER (sizeof(struct order_clause) / sizeof(uint32_t))
#define ORDER_UNDER_BOUND UINT32_C(0x40000000)

struct order_walk {
	uint32_t fixed, trail, item; /* positions: in `always', in the trail, in a group */
};

struct order_solver {
	struct solve_backend base;
	bool contradiction; /* unsatisfiable whatever is assumed */
	size_t taken;	    /* clauses of the formula taken over */

	VEC(struct order_var) vars;
	VEC(int8_t) value; /* by literal: 1, -1, 0 */
	VEC(struct order_watches)
	watches;	       /* by literal: clauses to look at when it becomes false */
	VEC(uint32_t) own;     /* arena of the formula's clauses */
	VEC(uint32_t) learned; /* arena */
	uint32_t learned_count, learned_limit;
	VEC(struct order_group) groups; /* by plain variable: own clauses with its negation */
	VEC(uint32_t) always;		/* own clauses without a negated plain variable */

	VEC(solve_lit) trail;
	VEC(uint32_t) limits;	      /* size of the trail where each level begins */
	VEC(struct order_walk) walks; /* where the walk stood when each level began */
	struct order_walk walk;
	size_t head, theory_head;
	uint32_t cost, bound; /* true counted variables; at most `bound' while BOUND is true */
	float increment;

	struct order_graph graph;
	struct order_graph_names cycle;
	uint32_t *base_order; /* to begin each question with */
	size_t base_edges;    /* edges of level 0 it accounts for */

	VEC(solve_lit) conflict;  /* all false */
	VEC(solve_lit) clause;	  /* learned, asserting literal first */
	VEC(solve_lit) seen_list; /* variables to clear */
	VEC(uint32_t) stack;
};

static inline struct order_clause *order_clause_get(struct order_solver *s, uint32_t ref)
{
	uint32_t *arena = ref & ORDER_LEARNED ? s->learned.items : s->own.items;

	return (struct order_clause *)(arena + (ref & ~ORDER_LEARNED));
}

static inline uint32_t order_level(const struct order_solver *s)
{
	return (uint32_t)s->limits.count;
}

/* order_clauses.c */
/* Takes over variables and clauses the formula has got since; at level 0 only. */
void order_solver_take(struct order_solver *s);
/* Adds s->clause to the learned ones and returns its reference; size at least 2. */
uint32_t order_solver_learn(struct order_solver *s, uint32_t rank);
/* Deletes the worse half of the learned clauses when there are too many; at level 0 only. */
void order_solver_reduce(struct order_solver *s);
/* Deletes what was learned under a bound; at level 0 only. */
void order_solver_forget_bound(struct order_solver *s);

/* order_search.c */
void order_solver_assign(struct order_solver *s, solve_lit l, uint32_t reason);
/* false: s->conflict holds a violated clause. */
bool order_solver_propagate(struct order_solver *s);
void order_solver_decide(struct order_solver *s, solve_lit l);
void order_solver_backtrack(struct order_solver *s, uint32_t level);
/* Turns s->conflict into s->clause; returns the level to go back to. */
uint32_t order_solver_analyze(struct order_solver *s, uint32_t *rank);
/*
 * Assumption a is false, and all decisions so far are assumptions: appends a and those that make it
 * so, as literals of the formula.
 */
void order_solver_core(struct order_solver *s, solve_lit a, struct solve_lits *core);
/* A literal to decide next, ORDER_NONE when every clause holds. */
solve_lit order_solver_choose(struct order_solver *s);

#endif
