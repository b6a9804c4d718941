/* Z3 and our own evaluation mean the same by an expression: random ones, random values. */
#include "base/rng.h"
#include "symex/expr_z3.h"
#include "unit.h"

#define READS 3

static expr_id random_expr(struct expr_pool *p, struct rng *r, unsigned width, int depth)
{
	static const enum expr_op binary[] = {EXPR_ADD,	 EXPR_SUB,  EXPR_MUL, EXPR_UDIV, EXPR_SDIV,
					      EXPR_UREM, EXPR_SREM, EXPR_SHL, EXPR_LSHR, EXPR_ASHR,
					      EXPR_AND,	 EXPR_OR,   EXPR_XOR};
	static const enum expr_op compare[] = {EXPR_EQ,	 EXPR_NE,  EXPR_ULT,
					       EXPR_ULE, EXPR_SLT, EXPR_SLE};
	expr_id a, b, arg[3];

	if (depth == 0 || rng_below(r, 6) == 0) {
		if (rng_below(r, 4) == 0)
			return expr_const(p, width, rng_next(r) >> rng_below(r, 60));
		return expr_resize(p, expr_read(p, (uint32_t)rng_below(r, READS), 16), width,
				   rng_below(r, 2));
	}
	a = random_expr(p, r, width, depth - 1);
	b = random_expr(p, r, width, depth - 1);
	switch (rng_below(r, 5)) {
	case 0:
		arg[0] = expr_binary(p, compare[rng_below(r, 6)], a, b);
		arg[1] = a;
		arg[2] = b;
		return expr_make(p, EXPR_SELECT, width, 0, arg);
	case 1:
		return expr_resize(p, expr_concat(p, a, b), width, true);
	case 2:
		return expr_resize(p, expr_extract(p, a, width / 4, width / 2), width,
				   rng_below(r, 2));
	default:
		return expr_binary(p, binary[rng_below(r, 13)], a, b);
	}
}

static void evaluation_and_z3_agree(void **state)
{
	struct rng r;

	if (!z3_door_open())
		skip();
	rng_seed(&r, 5);
	for (int i = 0; i < 150; i++) {
		struct expr_pool *p = expr_pool_new();
		unsigned width = (unsigned[]){8, 16, 24, 32}[rng_below(&r, 4)];
		expr_id e = random_expr(p, &r, width, 3);
		uint64_t reads[READS];
		Z3_config cfg = z3.mk_config();
		Z3_context ctx = z3.mk_context(cfg);
		struct expr_z3 *z = expr_z3_new(ctx, p);
		Z3_solver s = z3.mk_solver_for_logic(ctx, z3.mk_string_symbol(ctx, "QF_BV"));
		expr_id claim;

		z3.solver_inc_ref(ctx, s);
		for (uint32_t k = 0; k < READS; k++) {
			reads[k] = rng_next(&r) & 0xffff;
			z3.solver_assert(ctx, s,
					 z3.mk_eq(ctx, expr_z3_read(z, k, 16),
						  z3.mk_unsigned_int64(ctx, reads[k],
								       z3.mk_bv_sort(ctx, 16))));
		}
		claim = expr_binary(p, EXPR_NE, e, expr_const(p, width, expr_eval(p, e, reads)));
		z3.solver_assert(ctx, s, expr_z3_holds(z, claim));
		assert_int_equal(z3.solver_check_assumptions(ctx, s, 0, NULL), Z3_L_FALSE);
		assert_false(expr_z3_guesses(z));
		z3.solver_dec_ref(ctx, s);
		expr_z3_free(z);
		z3.del_context(ctx);
		z3.del_config(cfg);
		expr_pool_free(p);
	}
}

static void fractions_are_functions_nobody_knows(void **state)
{
	struct expr_pool *p = expr_pool_new();
	expr_id a = expr_read(p, 0, 64), b = expr_read(p, 1, 64);
	Z3_config cfg;
	Z3_context ctx;
	struct expr_z3 *z;

	if (!z3_door_open())
		skip();
	cfg = z3.mk_config();
	ctx = z3.mk_context(cfg);
	z = expr_z3_new(ctx, p);
	(void)expr_z3_term(z, expr_binary(p, EXPR_FADD, a, b));
	assert_true(expr_z3_guesses(z));
	expr_z3_free(z);
	z3.del_context(ctx);
	z3.del_config(cfg);
	expr_pool_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(evaluation_and_z3_agree),
		cmocka_unit_test(fractions_are_functions_nobody_knows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
