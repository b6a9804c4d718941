#include "solve/integers.h"

#include <stdbool.h>

#include "solve/z3_door.h"

void integers_fini(struct integers *q)
{
	for (size_t i = 0; i < q->rows.count; i++)
		vec_free(&q->rows.items[i].sum);
	vec_free(&q->rows);
}

uint32_t integers_variable(struct integers *q)
{
	return q->variables++;
}

void integers_add(struct integers *q, enum integers_kind kind, struct integers_sum sum)
{
	struct integers_row row = {kind, sum};

	vec_push(&q->rows, row);
}

void integers_sum_add(struct integers_sum *to, const struct integers_sum *from, int64_t factor)
{
	for (size_t i = 0; i < from->count; i++) {
		struct integers_term t = from->items[i];
		size_t k = 0;

		while (k < to->count && (to->items[k].a != t.a || to->items[k].b != t.b))
			k++;
		t.factor *= factor;
		if (k == to->count)
			vec_push(to, t);
		else
			to->items[k].factor += t.factor;
	}
}

/* A product of two variables is a variable of its own, with what is known of products. */
struct product {
	uint32_t a, b;
	Z3_ast value;
};

struct asked {
	Z3_context c;
	Z3_solver solver;
	Z3_ast *variables;
	VEC(struct product) products;
};

static Z3_ast fresh(struct asked *x)
{
	return z3.mk_fresh_const(x->c, "i", z3.mk_int_sort(x->c));
}

static Z3_ast number(struct asked *x, int64_t n)
{
	return z3.mk_int64(x->c, n, z3.mk_int_sort(x->c));
}

static Z3_ast plus(struct asked *x, Z3_ast a, Z3_ast b)
{
	return z3.mk_add(x->c, 2, (Z3_ast[]){a, b});
}

static Z3_ast at_most(struct asked *x, Z3_ast a, Z3_ast b)
{
	return z3.mk_not(x->c, z3.mk_lt(x->c, b, a));
}

/* Two conditions have a consequence. */
static void follows(struct asked *x, Z3_ast a, Z3_ast b, Z3_ast then)
{
	z3.solver_assert(x->c, x->solver, z3.mk_implies(x->c, a, z3.mk_implies(x->c, b, then)));
}

static void learn_signs(struct asked *x, const struct product *p)
{
	Z3_ast a = x->variables[p->a], b = x->variables[p->b], zero = number(x, 0);
	Z3_ast up[2] = {at_most(x, zero, a), at_most(x, zero, b)};
	Z3_ast down[2] = {at_most(x, a, zero), at_most(x, b, zero)};
	Z3_ast above = at_most(x, zero, p->value), under = at_most(x, p->value, zero);

	follows(x, up[0], up[1], above);
	follows(x, down[0], down[1], above);
	follows(x, up[0], down[1], under);
	follows(x, down[0], up[1], under);
	follows(x, z3.mk_lt(x->c, zero, a), z3.mk_lt(x->c, zero, b), at_most(x, a, p->value));
	follows(x, z3.mk_lt(x->c, zero, a), z3.mk_lt(x->c, zero, b), at_most(x, b, p->value));
}

/* common * u and common * v: the larger factor has the larger product, by the common one at least.
 */
static void learn_order(struct asked *x, Z3_ast common, const uint32_t of[2],
			const Z3_ast values[2])
{
	Z3_ast u = x->variables[of[0]], v = x->variables[of[1]], zero = number(x, 0);
	Z3_ast positive = z3.mk_lt(x->c, zero, common);

	follows(x, positive, z3.mk_lt(x->c, u, v),
		at_most(x, plus(x, values[0], common), values[1]));
	follows(x, positive, z3.mk_lt(x->c, v, u),
		at_most(x, plus(x, values[1], common), values[0]));
	follows(x, at_most(x, u, v), at_most(x, v, u), z3.mk_eq(x->c, values[0], values[1]));
}

static void learn_pair(struct asked *x, const struct product *p, const struct product *q)
{
	const Z3_ast values[2] = {p->value, q->value};
	const uint32_t first[2] = {p->a, p->b}, second[2] = {q->a, q->b};

	for (int i = 0; i < 2; i++)
		for (int k = 0; k < 2; k++)
			if (first[i] == second[k])
				learn_order(x, x->variables[first[i]],
					    (uint32_t[]){first[!i], second[!k]}, values);
}

static Z3_ast product_of(struct asked *x, uint32_t a, uint32_t b)
{
	struct product p = {a, b, NULL};

	for (size_t i = 0; i < x->products.count; i++)
		if (x->products.items[i].a == a && x->products.items[i].b == b)
			return x->products.items[i].value;
	p.value = fresh(x);
	learn_signs(x, &p);
	for (size_t i = 0; i < x->products.count; i++)
		learn_pair(x, &x->products.items[i], &p);
	vec_push(&x->products, p);
	return p.value;
}

static Z3_ast make_sum(struct asked *x, const struct integers_sum *sum)
{
	Z3_ast whole = number(x, 0);

	for (size_t i = 0; i < sum->count; i++) {
		const struct integers_term *t = &sum->items[i];
		Z3_ast factors[2] = {number(x, t->factor)};

		if (t->a != INTEGERS_NONE && t->b != INTEGERS_NONE)
			factors[1] = product_of(x, t->a, t->b);
		else if (t->a != INTEGERS_NONE)
			factors[1] = x->variables[t->a];
		whole = plus(x, whole, factors[1] ? z3.mk_mul(x->c, 2, factors) : factors[0]);
	}
	return whole;
}

static void limit(struct asked *x, unsigned milliseconds)
{
	Z3_params p = z3.mk_params(x->c);

	z3.params_inc_ref(x->c, p);
	z3.params_set_uint(x->c, p, z3.mk_string_symbol(x->c, "timeout"), milliseconds);
	z3.solver_set_params(x->c, x->solver, p);
	z3.params_dec_ref(x->c, p);
}

static void take(struct asked *x, const struct integers *q)
{
	x->variables = xcalloc(q->variables + 1, sizeof(*x->variables));
	for (uint32_t i = 0; i < q->variables; i++)
		x->variables[i] = fresh(x);
	for (size_t i = 0; i < q->rows.count; i++) {
		Z3_ast sum = make_sum(x, &q->rows.items[i].sum), zero = number(x, 0);

		z3.solver_assert(x->c, x->solver,
				 q->rows.items[i].kind == INTEGERS_BELOW
					 ? z3.mk_lt(x->c, sum, zero)
					 : z3.mk_not(x->c, z3.mk_eq(x->c, sum, zero)));
	}
}

enum solve_answer integers_ask(const struct integers *q, unsigned milliseconds)
{
	struct asked x = {.c = NULL};
	Z3_config config;
	Z3_lbool answer;
	bool products;

	if (!z3_door_open())
		return SOLVE_UNKNOWN;
	config = z3.mk_config();
	x.c = z3.mk_context(config);
	z3.del_config(config);
	x.solver = z3.mk_solver_for_logic(x.c, z3.mk_string_symbol(x.c, "QF_LIA"));
	z3.solver_inc_ref(x.c, x.solver);
	limit(&x, milliseconds);
	take(&x, q);
	answer = z3.solver_check_assumptions(x.c, x.solver, 0, NULL);
	products = x.products.count > 0;
	free(x.variables);
	vec_free(&x.products);
	z3.solver_dec_ref(x.c, x.solver);
	z3.del_context(x.c);
	if (answer == Z3_L_FALSE)
		return SOLVE_UNSAT;
	/* What is known of products is not all there is to know. */
	return answer == Z3_L_TRUE && !products ? SOLVE_SAT : SOLVE_UNKNOWN;
}
