/* The same questions to Z3: an integer per node, comparisons for order atoms. */
#include "solve/backend.h"
#include "solve/z3_door.h"

struct z3_backend {
	struct solve_backend base;
	Z3_context c;
	Z3_solver solver;
	VEC(Z3_ast) nodes, vars;
	size_t edges, clauses; /* taken over */
};

static Z3_ast literal(struct z3_backend *z, solve_lit l)
{
	Z3_ast v = z->vars.items[solve_lit_var(l)];

	return solve_lit_negated(l) ? z3.mk_not(z->c, v) : v;
}

static Z3_ast fresh(struct z3_backend *z, const char *prefix, bool integer)
{
	Z3_sort sort = integer ? z3.mk_int_sort(z->c) : z3.mk_bool_sort(z->c);

	return z3.mk_fresh_const(z->c, prefix, sort);
}

static void take_var(struct z3_backend *z, const struct solve_atom *a)
{
	Z3_ast v = fresh(z, "v", false);

	vec_push(&z->vars, v);
	if (!solve_atom_ordered(a))
		return;
	z3.solver_assert(
		z->c, z->solver,
		z3.mk_implies(z->c, v, z3.mk_lt(z->c, z->nodes.items[a->a], z->nodes.items[a->b])));
	z3.solver_assert(z->c, z->solver,
			 z3.mk_implies(z->c, z3.mk_not(z->c, v),
				       z3.mk_lt(z->c, z->nodes.items[a->b], z->nodes.items[a->a])));
}

static void take(struct z3_backend *z)
{
	const struct solve_formula *f = z->base.formula;
	VEC(Z3_ast) lits = VEC_INIT;

	for (uint32_t i = (uint32_t)z->nodes.count; i < f->nodes; i++)
		vec_push(&z->nodes, fresh(z, "o", true));
	for (; z->edges < f->edges.count; z->edges++) {
		const struct solve_edge *e = &f->edges.items[z->edges];

		z3.solver_assert(z->c, z->solver,
				 z3.mk_lt(z->c, z->nodes.items[e->a], z->nodes.items[e->b]));
	}
	for (size_t i = z->vars.count; i < f->vars.count; i++)
		take_var(z, &f->vars.items[i]);
	for (; z->clauses < solve_formula_clauses(f); z->clauses++) {
		vec_clear(&lits);
		for (uint32_t i = f->starts.items[z->clauses]; i < f->starts.items[z->clauses + 1];
		     i++)
			vec_push(&lits, literal(z, f->lits.items[i]));
		z3.solver_assert(z->c, z->solver, z3.mk_or(z->c, (unsigned)lits.count, lits.items));
	}
	vec_free(&lits);
}

struct place {
	int64_t at;
	uint32_t node;
};

static int by_place(const void *a, const void *b)
{
	const struct place *x = a, *y = b;

	if (x->at != y->at)
		return x->at < y->at ? -1 : 1;
	return x->node < y->node ? -1 : x->node > y->node;
}

static void read_model(struct z3_backend *z, struct solve_model *m)
{
	const struct solve_formula *f = z->base.formula;
	Z3_model model = z3.solver_get_model(z->c, z->solver);
	struct place *places = xcalloc((size_t)f->nodes + 1, sizeof(*places));
	Z3_ast v;

	z3.model_inc_ref(z->c, model);
	vec_clear(&m->values);
	vec_clear(&m->ranks);
	for (size_t i = 0; i < f->vars.count; i++) {
		bool yes = z3.model_eval(z->c, model, z->vars.items[i], true, &v) &&
			   z3.get_bool_value(z->c, v) == Z3_L_TRUE;

		vec_push(&m->values, (uint8_t)yes);
	}
	for (uint32_t i = 0; i < f->nodes; i++) {
		places[i].node = i;
		if (z3.model_eval(z->c, model, z->nodes.items[i], true, &v))
			z3.get_numeral_int64(z->c, v, &places[i].at);
		vec_push(&m->ranks, 0);
	}
	qsort(places, f->nodes, sizeof(*places), by_place);
	for (uint32_t i = 0; i < f->nodes; i++)
		m->ranks.items[places[i].node] = i;
	z3.model_dec_ref(z->c, model);
	free(places);
}

static enum solve_answer check(struct z3_backend *z, const struct solve_question *q)
{
	VEC(Z3_ast) lits = VEC_INIT;
	Z3_lbool r;

	for (size_t i = 0; i < q->count; i++)
		vec_push(&lits, literal(z, q->assumptions[i]));
	r = z3.solver_check_assumptions(z->c, z->solver, (unsigned)lits.count, lits.items);
	vec_free(&lits);
	if (r == Z3_L_UNDEF)
		return SOLVE_UNKNOWN;
	return r == Z3_L_TRUE ? SOLVE_SAT : SOLVE_UNSAT;
}

static void set_budget(struct z3_backend *z, uint64_t budget)
{
	Z3_params p = z3.mk_params(z->c);

	z3.params_inc_ref(z->c, p);
	z3.params_set_uint(z->c, p, z3.mk_string_symbol(z->c, "max_conflicts"),
			   budget && budget < UINT32_MAX ? (unsigned)budget : UINT32_MAX);
	z3.solver_set_params(z->c, z->solver, p);
	z3.params_dec_ref(z->c, p);
}

/* A least model is a minimal one too. */
static enum solve_answer ask(struct solve_backend *b, const struct solve_question *q,
			     struct solve_model *m)
{
	struct z3_backend *z = (struct z3_backend *)b;
	VEC(Z3_ast) counted = VEC_INIT;
	enum solve_answer a;

	if (b->formula->empty_clause)
		return SOLVE_UNSAT;
	take(z);
	set_budget(z, q->budget);
	for (size_t i = 0; i < b->formula->vars.count; i++) {
		if (b->formula->vars.items[i].counted)
			vec_push(&counted, z->vars.items[i]);
	}
	z3.solver_push(z->c, z->solver);
	a = check(z, q);
	while (a == SOLVE_SAT) {
		uint32_t cost;

		read_model(z, m);
		cost = solve_model_cost(b->formula, m);
		if (q->goal == SOLVE_ANY || !cost)
			break;
		z3.solver_assert(
			z->c, z->solver,
			z3.mk_atmost(z->c, (unsigned)counted.count, counted.items, cost - 1));
		a = check(z, q);
		if (a == SOLVE_UNSAT) {
			a = SOLVE_SAT;
			break;
		}
	}
	z3.solver_pop(z->c, z->solver, 1);
	vec_free(&counted);
	return a;
}

static void release(struct solve_backend *b)
{
	struct z3_backend *z = (struct z3_backend *)b;

	z3.solver_dec_ref(z->c, z->solver);
	z3.del_context(z->c);
	vec_free(&z->nodes);
	vec_free(&z->vars);
	free(z);
}

bool solve_backend_has_z3(void)
{
	return z3_door_open();
}

struct solve_backend *solve_backend_z3(const struct solve_formula *f)
{
	if (!z3_door_open())
		return NULL;
	struct z3_backend *z = xcalloc(1, sizeof(*z));
	Z3_config config = z3.mk_config();

	z->base = (struct solve_backend){.name = "z3", .formula = f, .ask = ask, .free = release};
	z->c = z3.mk_context(config);
	z3.del_config(config);
	z->solver = z3.mk_solver_for_logic(z->c, z3.mk_string_symbol(z->c, "QF_IDL"));
	z3.solver_inc_ref(z->c, z->solver);
	return &z->base;
}
