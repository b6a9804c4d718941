/* Expressions: sharing, folding, and evaluation against the same computation in C. */
#include "base/rng.h"
#include "symex/expr.h"
#include "unit.h"

static expr_id number(struct expr_pool *p, unsigned width, uint64_t value)
{
	return expr_const(p, width, value);
}

static void equal_nodes_are_one_node(void **state)
{
	struct expr_pool *p = expr_pool_new();
	expr_id a = expr_read(p, 0, 32), b = expr_read(p, 1, 32);

	assert_int_equal(expr_binary(p, EXPR_ADD, a, b), expr_binary(p, EXPR_ADD, a, b));
	assert_int_not_equal(expr_binary(p, EXPR_ADD, a, b), expr_binary(p, EXPR_SUB, a, b));
	expr_pool_free(p);
}

static void constants_fold(void **state)
{
	struct expr_pool *p = expr_pool_new();
	expr_value v;

	assert_true(
		expr_is_const(p, expr_binary(p, EXPR_MUL, number(p, 8, 20), number(p, 8, 13)), &v));
	assert_int_equal(v, 260 & 255);
	assert_true(
		expr_is_const(p, expr_binary(p, EXPR_SLT, number(p, 8, 255), number(p, 8, 1)), &v));
	assert_int_equal(v, 1);
	expr_pool_free(p);
}

static void pieces_of_a_number_become_it_again(void **state)
{
	struct expr_pool *p = expr_pool_new();
	expr_id a = expr_read(p, 3, 64), e = expr_extract(p, a, 56, 8);

	for (int i = 6; i >= 0; i--)
		e = expr_concat(p, e, expr_extract(p, a, 8 * (unsigned)i, 8));
	assert_int_equal(e, a);
	expr_pool_free(p);
}

static void wide_numbers_keep_all_their_bits(void **state)
{
	struct expr_pool *p = expr_pool_new();
	expr_value big = (expr_value)0x123456789abcdef0 << 64 | 0x0fedcba987654321, v = 0;

	assert_true(expr_is_const(p, expr_const(p, 128, big), &v));
	assert_true(v == big);
	expr_pool_free(p);
}

static void reads_are_listed_once_in_order(void **state)
{
	struct expr_pool *p = expr_pool_new();
	expr_id a = expr_read(p, 7, 32), b = expr_read(p, 2, 32);
	expr_id e = expr_binary(p, EXPR_ADD, expr_binary(p, EXPR_MUL, a, b), a);
	size_t n;
	const uint32_t *list = expr_reads(p, e, &n);

	assert_int_equal(n, 2);
	assert_int_equal(list[0], 2);
	assert_int_equal(list[1], 7);
	expr_pool_free(p);
}

static uint64_t in_c(enum expr_op op, uint32_t a, uint32_t b)
{
	switch (op) {
	case EXPR_ADD:
		return a + b;
	case EXPR_SUB:
		return a - b;
	case EXPR_MUL:
		return a * b;
	case EXPR_AND:
		return a & b;
	case EXPR_XOR:
		return a ^ b;
	case EXPR_SLT:
		return (int32_t)a < (int32_t)b;
	case EXPR_ULE:
		return a <= b;
	case EXPR_ASHR:
		return (uint32_t)((int32_t)a >> (b & 31));
	case EXPR_UDIV:
		return b ? a / b : 0;
	default:
		return b ? (uint32_t)(a % b) : 0;
	}
}

static void evaluation_is_what_c_computes(void **state)
{
	static const enum expr_op ops[] = {EXPR_ADD, EXPR_SUB, EXPR_MUL,  EXPR_AND,  EXPR_XOR,
					   EXPR_SLT, EXPR_ULE, EXPR_ASHR, EXPR_UDIV, EXPR_UREM};
	struct expr_pool *p = expr_pool_new();
	struct rng r;

	rng_seed(&r, 1);
	for (int i = 0; i < 2000; i++) {
		enum expr_op op = ops[rng_below(&r, sizeof(ops) / sizeof(ops[0]))];
		uint64_t reads[2] = {(uint32_t)rng_next(&r),
				     (uint32_t)(rng_next(&r) >> rng_below(&r, 60))};
		expr_id e;

		if (op == EXPR_ASHR)
			reads[1] &= 31;
		if (!reads[1])
			reads[1] = 1;
		e = expr_binary(p, op, expr_read(p, 0, 32), expr_read(p, 1, 32));
		assert_int_equal(expr_eval(p, e, reads),
				 in_c(op, (uint32_t)reads[0], (uint32_t)reads[1]));
	}
	expr_pool_free(p);
}

static void long_chains_need_no_stack(void **state)
{
	struct expr_pool *p = expr_pool_new();
	expr_id e = expr_read(p, 0, 64);
	uint64_t reads[1] = {5}, want = 5;

	for (uint64_t i = 0; i < 300000; i++) {
		e = expr_binary(p, i % 2 ? EXPR_ADD : EXPR_XOR, e, number(p, 64, i * 7 + 1));
		want = i % 2 ? want + (i * 7 + 1) : want ^ (i * 7 + 1);
	}
	assert_true(expr_eval(p, e, reads) == want);
	expr_pool_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_nodes_are_one_node),
		cmocka_unit_test(constants_fold),
		cmocka_unit_test(pieces_of_a_number_become_it_again),
		cmocka_unit_test(wide_numbers_keep_all_their_bits),
		cmocka_unit_test(reads_are_listed_once_in_order),
		cmocka_unit_test(evaluation_is_what_c_computes),
		cmocka_unit_test(long_chains_need_no_stack),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
