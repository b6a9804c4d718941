#include <assert.h>

#include "base/limit.h"
#include "solve/backend.h"
#include "solve/order_solver.h"

/* Conflicts between restarts grow as 1 1 2 1 1 2 4 …, times RESTART. */
#define RESTART 128
#define LEARNED_LIMIT 2000
/* Conflicts between two looks at the limit. */
#define LOOK 64

struct search {
	struct order_solver *s;
	const solve_lit *assumptions; /* inner literals */
	size_t count;
	uint64_t budget; /* conflicts left, when limited */
	bool limited;
	const struct limit *limit;
	uint64_t looks;
	bool stopped;		 /* the limit is reached */
	struct solve_lits *core; /* may be NULL */
};

static uint64_t luby(uint64_t i)
{
	uint64_t k = 1;

	while (k < i + 1)
		k = 2 * k + 1;
	while (k - 1 != i) {
		k = (k - 1) / 2;
		i %= k;
	}
	return (k + 1) / 2;
}

/* After a conflict: learns, goes back.  False: there is nothing to go back to. */
static bool recover(struct order_solver *s)
{
	uint32_t rank, level;

	s->base.stats.conflicts++;
	if (order_level(s) == 0) {
		s->contradiction = true;
		return false;
	}
	level = order_solver_analyze(s, &rank);
	order_solver_backtrack(s, level);
	if (s->clause.count == 1 && rank == ORDER_UNDER_BOUND)
		return false; /* the bound itself cannot be kept; that is no lasting fact */
	assert(s->clause.count > 1 || order_level(s) == 0);
	if (s->clause.count == 1)
		order_solver_assign(s, s->clause.items[0], ORDER_NONE);
	else
		order_solver_assign(s, s->clause.items[0], order_solver_learn(s, rank));
	return true;
}

static bool is_stopped(struct search *x)
{
	if (++x->looks % LOOK == 0)
		x->stopped |= limit_reached(x->limit) != LIMIT_NONE;
	return x->stopped;
}

/* One stretch between restarts; UNKNOWN: restart or out of budget. */
static enum solve_answer stretch(struct search *x, uint64_t conflicts)
{
	struct order_solver *s = x->s;

	for (;;) {
		if (!order_solver_propagate(s)) {
			if (!recover(s))
				return SOLVE_UNSAT;
			if (x->limited && !x->budget--)
				return SOLVE_UNKNOWN;
			if (is_stopped(x))
				return SOLVE_UNKNOWN;
			if (conflicts-- == 0)
				return SOLVE_UNKNOWN;
			continue;
		}
		if (order_level(s) < x->count) {
			solve_lit a = x->assumptions[order_level(s)];

			if (s->value.items[a] < 0) {
				if (x->core)
					order_solver_core(s, a, x->core);
				return SOLVE_UNSAT;
			}
			if (s->value.items[a] > 0) {
				/* A level of its own all the same, to keep them in step. */
				vec_push(&s->limits, (uint32_t)s->trail.count);
				vec_push(&s->walks, s->walk);
			} else {
				order_solver_decide(s, a);
			}
			continue;
		}
		solve_lit l = order_solver_choose(s);

		if (l == ORDER_NONE)
			return SOLVE_SAT;
		s->base.stats.decisions++;
		order_solver_decide(s, l);
	}
}

static enum solve_answer search(struct search *x)
{
	for (uint64_t round = 0;; round++) {
		enum solve_answer a;

		if (x->s->contradiction)
			return SOLVE_UNSAT;
		a = stretch(x, RESTART * luby(round));
		if (a != SOLVE_UNKNOWN)
			return a;
		order_solver_backtrack(x->s, 0);
		if (x->stopped || (x->limited && x->budget == UINT64_MAX))
			return SOLVE_UNKNOWN;
		order_solver_reduce(x->s);
	}
}

/* Values and ranks as the search left them; unasked variables get their default. */
static void read_model(struct order_solver *s, struct solve_model *m)
{
	const struct solve_formula *f = s->base.formula;

	vec_clear(&m->values);
	vec_clear(&m->ranks);
	vec_reserve(&m->values, f->vars.count);
	vec_reserve(&m->ranks, f->nodes);
	for (size_t i = 1; i < s->vars.count; i++) {
		const struct order_var *v = &s->vars.items[i];
		int8_t value = s->value.items[i * 2];

		if (!value && v->a != ORDER_NONE)
			value = s->graph.pos[v->a] < s->graph.pos[v->b] ? 1 : -1;
		m->values.items[m->values.count++] = value > 0;
	}
	assert(m->values.count == f->vars.count);
	memcpy(m->ranks.items, s->graph.pos, f->nodes * sizeof(uint32_t));
	m->ranks.count = f->nodes;
}

/* Edges of level 0 belong to the order every question begins with. */
static void settle_order(struct order_solver *s)
{
	if (s->theory_head != s->base_edges) {
		memcpy(s->base_order, s->graph.pos, s->graph.nodes * sizeof(uint32_t));
		s->base_edges = s->theory_head;
	} else if (s->graph.moved) {
		order_graph_set_order(&s->graph, s->base_order);
	}
	s->graph.moved = false;
}

static void finish(struct order_solver *s)
{
	order_solver_backtrack(s, 0);
	assert(order_level(s) == 0 && s->walks.count == 0);
	settle_order(s);
	s->walk = (struct order_walk){0, 0, 0};
}

struct lits {
	VEC_FIELDS(solve_lit);
};

/* Looks for a cheaper model than *m until there is none. */
static enum solve_answer improve(struct search *x, struct lits *assumptions,
				 const struct solve_question *q, struct solve_model *m)
{
	struct order_solver *s = x->s;
	enum solve_answer a = SOLVE_SAT;
	size_t own = assumptions->count;

	while (a == SOLVE_SAT) {
		uint32_t cost = solve_model_cost(s->base.formula, m);

		assumptions->count = own;
		if (!cost)
			break;
		if (q->goal == SOLVE_MINIMAL) {
			for (size_t i = 0; i < m->values.count; i++) {
				if (s->vars.items[i + 1].counted && !m->values.items[i])
					vec_push(assumptions,
						 solve_not(solve_pos((solve_var)i + 1)));
			}
		}
		finish(s);
		assert(cost <= s->bound); /* each model is cheaper than the one before */
		s->bound = cost - 1;
		x->assumptions = assumptions->items;
		x->count = assumptions->count;
		a = search(x);
		if (a == SOLVE_SAT)
			read_model(s, m);
	}
	finish(s);
	order_solver_forget_bound(s);
	return a == SOLVE_UNKNOWN ? SOLVE_UNKNOWN : SOLVE_SAT;
}

static enum solve_answer ask(struct solve_backend *b, const struct solve_question *q,
			     struct solve_model *m)
{
	struct order_solver *s = (struct order_solver *)b;
	struct lits assumptions = VEC_INIT;
	struct search x = {.s = s,
			   .budget = q->budget,
			   .limited = q->budget != 0,
			   .limit = q->limit,
			   .core = q->core};
	enum solve_answer a;

	order_solver_take(s);
	order_solver_reduce(s);
	vec_push(&assumptions, ORDER_BOUND);
	for (size_t i = 0; i < q->count; i++)
		vec_push(&assumptions, q->assumptions[i] + 2);
	s->bound = UINT32_MAX;
	/* The bound comes first, so that a clause it alone refutes is about it alone. */
	x.assumptions = assumptions.items + (q->goal == SOLVE_ANY);
	x.count = assumptions.count - (q->goal == SOLVE_ANY);
	a = search(&x);
	x.core = NULL;
	if (a == SOLVE_SAT) {
		read_model(s, m);
		if (q->goal != SOLVE_ANY)
			a = improve(&x, &assumptions, q, m);
	}
	finish(s);
	vec_free(&assumptions);
	return a;
}

static void release(struct solve_backend *b)
{
	struct order_solver *s = (struct order_solver *)b;

	for (size_t i = 0; i < s->watches.count; i++)
		vec_free(&s->watches.items[i]);
	for (size_t i = 0; i < s->groups.count; i++)
		vec_free(&s->groups.items[i]);
	vec_free(&s->vars);
	vec_free(&s->value);
	vec_free(&s->watches);
	vec_free(&s->own);
	vec_free(&s->learned);
	vec_free(&s->groups);
	vec_free(&s->always);
	vec_free(&s->trail);
	vec_free(&s->limits);
	vec_free(&s->walks);
	vec_free(&s->cycle);
	vec_free(&s->conflict);
	vec_free(&s->clause);
	vec_free(&s->seen_list);
	vec_free(&s->stack);
	order_graph_fini(&s->graph);
	free(s->base_order);
	free(s);
}

struct solve_backend *solve_backend_order(const struct solve_formula *f)
{
	struct order_solver *s = xcalloc(1, sizeof(*s));
	struct order_graph_pair *fixed = xcalloc(f->edges.count + 1, sizeof(*fixed));

	s->base = (struct solve_backend){
		.name = "order", .formula = f, .ask = ask, .free = release, .cores = true};
	s->increment = 1;
	s->learned_limit = LEARNED_LIMIT;
	for (size_t i = 0; i < f->edges.count; i++)
		fixed[i] = (struct order_graph_pair){f->edges.items[i].a, f->edges.items[i].b};
	s->contradiction = !order_graph_init(&s->graph, f->nodes, fixed, f->edges.count);
	s->base_order = xcalloc((size_t)f->nodes + 1, sizeof(uint32_t));
	memcpy(s->base_order, s->graph.pos, f->nodes * sizeof(uint32_t));
	free(fixed);
	return &s->base;
}
