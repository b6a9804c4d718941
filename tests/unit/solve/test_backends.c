/* The three backends answer random questions alike, and every model holds. */
#include "unit.h"

#include <stdio.h>

#include "base/rng.h"
#include "solve/backend.h"

struct trio {
	struct solve_formula f;
	struct solve_backend *order, *brute, *z3;
	struct solve_model m;
	unsigned plain, orders;
};

static solve_lit any_literal(struct rng *r, const struct solve_formula *f)
{
	return (solve_lit)rng_below(r, f->vars.count * 2);
}

static void add_clauses(struct rng *r, struct solve_formula *f, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		solve_lit lits[4];
		size_t size = 2 + rng_below(r, 3);

		for (size_t k = 0; k < size; k++)
			lits[k] = any_literal(r, f);
		solve_formula_clause(f, lits, size);
	}
}

static void begin(struct trio *t, struct rng *r)
{
	unsigned nodes = 3 + (unsigned)rng_below(r, 5), plain = 1 + (unsigned)rng_below(r, 5);
	unsigned orders = 2 + (unsigned)rng_below(r, 8);

	memset(t, 0, sizeof(*t));
	solve_formula_init(&t->f, nodes);
	for (unsigned i = 0; i + 1 < nodes; i++) {
		if (!rng_below(r, 3))
			solve_formula_edge(&t->f, i + 1, i);
	}
	for (unsigned i = 0; i < plain; i++)
		solve_formula_plain(&t->f, rng_below(r, 2));
	for (unsigned i = 0; i < orders; i++) {
		uint32_t a = (uint32_t)rng_below(r, nodes);

		solve_formula_order(&t->f, a, (a + 1 + (uint32_t)rng_below(r, nodes - 1)) % nodes);
	}
	add_clauses(r, &t->f, (unsigned)rng_below(r, 25));
	t->order = solve_backend_order(&t->f);
	t->brute = solve_backend_enum(&t->f);
}

static void end(struct trio *t)
{
	solve_backend_free(t->order);
	solve_backend_free(t->brute);
	solve_backend_free(t->z3);
	solve_model_fini(&t->m);
	solve_formula_fini(&t->f);
}

static enum solve_answer answer(struct trio *t, struct solve_backend *b,
				const struct solve_question *q, uint32_t *cost)
{
	enum solve_answer a = solve_ask(b, q, &t->m);
	const char *wrong;

	*cost = 0;
	if (a != SOLVE_SAT)
		return a;
	wrong = solve_model_check(&t->f, q->assumptions, q->count, &t->m);
	if (wrong)
		fail_msg("%s: %s", b->name, wrong);
	*cost = solve_model_cost(&t->f, &t->m);
	return a;
}

/* No model is true on a proper subset: asked by forbidding the rest and one of them at a time. */
static void assert_minimal(struct trio *t, const struct solve_question *q)
{
	struct solve_model copy = t->m;
	VEC(solve_lit) lits = VEC_INIT;

	memset(&t->m, 0, sizeof(t->m));
	for (size_t one = 0; one < t->f.vars.count; one++) {
		struct solve_question sub;
		uint32_t cost;

		if (!t->f.vars.items[one].counted || !copy.values.items[one])
			continue;
		vec_clear(&lits);
		for (size_t i = 0; i < q->count; i++)
			vec_push(&lits, q->assumptions[i]);
		for (size_t i = 0; i < t->f.vars.count; i++) {
			if (t->f.vars.items[i].counted && (!copy.values.items[i] || i == one))
				vec_push(&lits, solve_not(solve_pos((solve_var)i)));
		}
		sub = (struct solve_question){.assumptions = lits.items, .count = lits.count};
		assert_int_equal(answer(t, t->brute, &sub, &cost), SOLVE_UNSAT);
	}
	vec_free(&lits);
	solve_model_fini(&copy);
}

/* The core is made of assumptions, and is refused by itself. */
static void assert_core(struct trio *t, const struct solve_question *q)
{
	struct solve_question sub = {.assumptions = q->core->items, .count = q->core->count};
	uint32_t cost;

	for (size_t i = 0; i < sub.count; i++) {
		bool asked = false;

		for (size_t k = 0; k < q->count; k++)
			asked |= q->assumptions[k] == sub.assumptions[i];
		assert_true(asked);
	}
	assert_int_equal(answer(t, t->brute, &sub, &cost), SOLVE_UNSAT);
}

static void compare(struct trio *t, struct rng *r)
{
	struct solve_lits core = VEC_INIT;
	solve_lit lits[3];
	struct solve_question q = {.assumptions = lits,
				   .count = rng_below(r, 4),
				   .goal = (enum solve_goal)rng_below(r, 3)};
	uint32_t cost, best, z3_cost;
	enum solve_answer a;

	for (size_t i = 0; i < q.count; i++)
		lits[i] = any_literal(r, &t->f);
	a = answer(t, t->brute, &q, &best);
	q.core = &core;
	assert_int_equal(answer(t, t->order, &q, &cost), a);
	if (a == SOLVE_UNSAT)
		assert_core(t, &q);
	q.core = NULL;
	vec_free(&core);
	if (a == SOLVE_SAT && q.goal == SOLVE_LEAST)
		assert_int_equal(cost, best);
	if (a == SOLVE_SAT && q.goal == SOLVE_MINIMAL)
		assert_minimal(t, &q);
	if (!t->z3)
		return;
	assert_int_equal(answer(t, t->z3, &q, &z3_cost), a);
	if (a == SOLVE_SAT && q.goal == SOLVE_LEAST)
		assert_int_equal(z3_cost, best);
}

static void rounds(uint64_t seed, unsigned count, bool with_z3)
{
	struct rng r;

	rng_seed(&r, seed);
	for (unsigned i = 0; i < count; i++) {
		struct trio t;

		begin(&t, &r);
		if (with_z3)
			t.z3 = solve_backend_z3(&t.f);
		for (unsigned k = 0; k < 8; k++) {
			compare(&t, &r);
			add_clauses(&r, &t.f, (unsigned)rng_below(&r, 2));
		}
		end(&t);
	}
}

static void order_agrees_with_brute_force(void **state)
{
	rounds(1, getenv("TEST_LONG") ? 20000 : 2000, false);
}

static void order_agrees_with_z3(void **state)
{
	rounds(2, getenv("TEST_LONG") ? 2000 : 150, true);
}

/* n threads take one place each: unsatisfiable, and hard enough to need some conflicts. */
static void budget_ends_as_unknown(void **state)
{
	struct solve_formula f;
	struct solve_backend *b;
	struct solve_model m = {0};
	struct solve_question q = {.budget = 5};
	solve_var at[8][7];

	solve_formula_init(&f, 1);
	for (unsigned p = 0; p < 8; p++) {
		solve_lit some[7];

		for (unsigned h = 0; h < 7; h++) {
			at[p][h] = solve_formula_plain(&f, false);
			some[h] = solve_pos(at[p][h]);
		}
		solve_formula_clause(&f, some, 7);
	}
	for (unsigned h = 0; h < 7; h++) {
		for (unsigned p = 0; p < 8; p++) {
			for (unsigned o = 0; o < p; o++) {
				solve_lit no[2] = {solve_not(solve_pos(at[p][h])),
						   solve_not(solve_pos(at[o][h]))};

				solve_formula_clause(&f, no, 2);
			}
		}
	}
	b = solve_backend_order(&f);
	assert_int_equal(solve_ask(b, &q, &m), SOLVE_UNKNOWN);
	q.budget = 0;
	assert_int_equal(solve_ask(b, &q, &m), SOLVE_UNSAT);
	solve_backend_free(b);
	solve_model_fini(&m);
	solve_formula_fini(&f);
}

static void a_cycle_of_fixed_edges_is_unsatisfiable(void **state)
{
	struct solve_formula f;
	struct solve_backend *b;
	struct solve_model m = {0};
	struct solve_question q = {0};

	solve_formula_init(&f, 3);
	solve_formula_edge(&f, 0, 1);
	solve_formula_edge(&f, 1, 2);
	solve_formula_edge(&f, 2, 0);
	b = solve_backend_order(&f);
	assert_int_equal(solve_ask(b, &q, &m), SOLVE_UNSAT);
	solve_backend_free(b);
	solve_model_fini(&m);
	solve_formula_fini(&f);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(order_agrees_with_brute_force),
		cmocka_unit_test(order_agrees_with_z3),
		cmocka_unit_test(budget_ends_as_unknown),
		cmocka_unit_test(a_cycle_of_fixed_edges_is_unsatisfiable),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
