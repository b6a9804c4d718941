/* Conditions: inputs of a run, evaluation, text, fewer of them. */
#include "unit.h"

#include "base/rng.h"
#include "memo/simplify.h"
#include "support_memo.h"

static bool input(char **argv, struct memo_input in, uint64_t *value)
{
	struct memo_given given = {.argv = argv};

	while (argv[given.argc])
		given.argc++;
	return memo_input_value(&given, &in, value);
}

static void test_inputs(void **state)
{
	static char *argv[] = {(char *)"prog", (char *)" 12x", (char *)"99999999999999999999",
			       NULL};
	const struct memo_input number = {
		.kind = MEMO_ARG_TEXT, .function = MEMO_ATOI, .width = 32, .a = 1};
	struct memo_input in = number;
	uint64_t v = 0;

	(void)state;
	assert_true(input(argv, (struct memo_input){.kind = MEMO_ARGC, .width = 32}, &v));
	assert_int_equal(v, 3);
	assert_true(input(argv, number, &v));
	assert_int_equal(v, 12);
	in.b = 2;
	assert_true(input(argv, in, &v));
	assert_int_equal(v, 2);
	in = (struct memo_input){.kind = MEMO_ARG_TEXT,
				 .function = MEMO_STRTOL_ERROR,
				 .base = 10,
				 .width = 32,
				 .a = 2};
	assert_true(input(argv, in, &v));
	assert_int_not_equal(v, 0);
	/* The byte at its end is there, the next one is not; nor is another argument. */
	in = (struct memo_input){.kind = MEMO_ARG_BYTE, .width = 8, .a = 1, .b = 4};
	assert_true(input(argv, in, &v) && v == 0);
	in.b = 5;
	assert_false(input(argv, in, &v));
	in.a = 3;
	in.b = 0;
	assert_false(input(argv, in, &v));
}

static void test_variables(void **state)
{
	static char *envp[] = {(char *)"NAME=12x", (char *)"NAMES=3", (char *)"EMPTY=", NULL};
	struct memo_given given = {.envp = envp};
	struct memo_input in = {.kind = MEMO_ENV_SET, .width = 1, .name = "NAME"};
	uint64_t v = 0;

	(void)state;
	assert_true(memo_input_valid(&in) && memo_input_value(&given, &in, &v));
	assert_int_equal(v, 1);
	in.name[2] = 0;
	assert_false(memo_input_valid(&in)); /* characters behind its end */
	in = (struct memo_input){.kind = MEMO_ENV_SET, .width = 1, .name = "NAM"};
	assert_true(memo_input_value(&given, &in, &v));
	assert_int_equal(v, 0);
	in = (struct memo_input){
		.kind = MEMO_ENV_TEXT, .function = MEMO_ATOI, .width = 32, .name = "NAME", .b = 1};
	assert_true(memo_input_valid(&in) && memo_input_value(&given, &in, &v));
	assert_int_equal(v, 2);
	/* The end of an empty value is there, nothing of one that is not set. */
	in = (struct memo_input){.kind = MEMO_ENV_BYTE, .width = 8, .name = "EMPTY"};
	assert_true(memo_input_value(&given, &in, &v) && v == 0);
	in.b = 1;
	assert_false(memo_input_value(&given, &in, &v));
	in = (struct memo_input){.kind = MEMO_ENV_BYTE, .width = 8, .name = "NONE"};
	assert_false(memo_input_value(&given, &in, &v));
	/* What heddle sets itself is no input, nor is a name with its end missing or none. */
	in = (struct memo_input){.kind = MEMO_ENV_SET, .width = 1, .name = "LD_PRELOAD"};
	assert_false(memo_input_valid(&in));
	in = (struct memo_input){.kind = MEMO_ENV_SET, .width = 1, .name = "HEDDLE_STABLE_LOG"};
	assert_false(memo_input_valid(&in));
	memset(in.name, 'A', sizeof(in.name));
	assert_false(memo_input_valid(&in));
	in = (struct memo_input){.kind = MEMO_ENV_SET, .width = 1};
	assert_false(memo_input_valid(&in));
	in = (struct memo_input){.kind = MEMO_ARGC, .width = 32, .name = "NAME"};
	assert_false(memo_input_valid(&in));
}

static void test_evaluation(void **state)
{
	const uint8_t numbers[2] = {200, 3}, others[2] = {10, 0};
	struct memo_region regions[2];
	struct memo_given given = kit_given(regions, numbers);
	struct memo_terms t = {.inputs = VEC_INIT};
	struct strbuf text = STRBUF_INIT;
	struct err e = ERR_INIT;
	struct kit k;

	(void)state;
	kit_begin(&k);
	/* 200 is -56 for a signed comparison, and % keeps the sign. */
	kit_add(&k, &t, kit_compare(&k, EXPR_SLT, 0, 1, false));
	kit_add(&k, &t,
		expr_binary(k.pool, EXPR_EQ,
			    expr_binary(k.pool, EXPR_SREM, kit_number(&k, 0), kit_number(&k, 1)),
			    kit_constant(&k, (uint8_t)-2)));
	assert_ok(memo_terms_check(&t, &e), e);
	assert_true(memo_terms_hold(&t, &given));
	memo_terms_print(&t, &text);
	assert_string_equal(text.text, "!(1 < symbolic(0)[0]) && ((symbolic(0)[0] % "
				       "symbolic(1)[0]) == -2)");
	given = kit_given(regions, others);
	assert_false(memo_terms_hold(&t, &given)); /* not even a division by 0 */
	strbuf_free(&text);
	memo_terms_free(&t);
	kit_end(&k);
}

static void test_check(void **state)
{
	struct memo_terms t = {.inputs = VEC_INIT};
	struct err e = ERR_INIT;
	struct kit k;

	(void)state;
	kit_begin(&k);
	kit_add(&k, &t, kit_compare(&k, EXPR_SLT, 0, 1, true));
	assert_ok(memo_terms_check(&t, &e), e);
	t.terms.items[t.terms.count - 1].width = 2;
	assert_error(memo_terms_check(&t, &e), ERR_FORMAT, e);
	t.terms.items[t.terms.count - 1].width = 1;
	t.terms.items[t.terms.count - 1].arg[0] = (uint32_t)t.terms.count - 1;
	assert_error(memo_terms_check(&t, &e), ERR_FORMAT, e);
	t.terms.items[t.terms.count - 1].arg[0] = 0;
	t.inputs.items[0].kind = MEMO_KINDS;
	assert_error(memo_terms_check(&t, &e), ERR_FORMAT, e);
	memo_terms_free(&t);
	kit_end(&k);
}

/* ---- fewer ---- */

static bool holds_for(const struct memo_terms *t, uint8_t a, uint8_t b)
{
	const uint8_t numbers[2] = {a, b};
	struct memo_region regions[2];
	struct memo_given given = kit_given(regions, numbers);

	return memo_terms_hold(t, &given);
}

static void test_vectors(void **state)
{
	struct memo_solver *s = memo_solver_new();
	struct memo_terms loop = {.inputs = VEC_INIT}, blocks = {.inputs = VEC_INIT},
			  pair = {.inputs = VEC_INIT};
	struct strbuf text = STRBUF_INIT;
	struct kit k;

	(void)state;
	kit_begin(&k);
	/* for (i = 0; i != n; ++i) with n = 10 leaves 10 == n. */
	for (uint8_t i = 0; i < 10; i++)
		kit_add(&k, &loop, kit_compare(&k, EXPR_NE, 0, i, true));
	kit_add(&k, &loop, kit_compare(&k, EXPR_EQ, 0, 10, true));
	memo_simplify(s, &loop);
	assert_int_equal(loop.roots.count, 1);
	assert_int_equal(loop.inputs.count, 1);
	assert_true(holds_for(&loop, 10, 0) && !holds_for(&loop, 9, 0));
	/* Two threads, two blocks: one tight pair each. */
	kit_loop(&k, 0, 2, &blocks);
	kit_loop(&k, 1, 2, &blocks);
	memo_simplify(s, &blocks);
	assert_int_equal(blocks.roots.count, 4);
	for (unsigned a = 0; a < 5; a++)
		for (unsigned b = 0; b < 5; b++)
			assert_int_equal(holds_for(&blocks, (uint8_t)a, (uint8_t)b),
					 a == 2 && b == 2);
	/* x > 1, x >= 2: the earliest goes. */
	kit_add(&k, &pair, kit_compare(&k, EXPR_SLT, 0, 1, true));
	kit_add(&k, &pair, kit_compare(&k, EXPR_SLE, 0, 2, true));
	memo_simplify(s, &pair);
	memo_terms_print(&pair, &text);
	assert_string_equal(text.text, "(2 <= symbolic(0)[0])");
	strbuf_free(&text);
	memo_terms_free(&loop);
	memo_terms_free(&blocks);
	memo_terms_free(&pair);
	kit_end(&k);
	memo_solver_free(s);
}

/* Without one of them the conditions must say less. */
static bool all_needed(struct memo_solver *s, const struct memo_terms *t)
{
	for (size_t i = 0; i < t->roots.count; i++) {
		struct memo_terms without;
		int implied;

		memo_terms_copy(&without, t);
		memmove(&without.roots.items[i], &without.roots.items[i + 1],
			(without.roots.count - i - 1) * sizeof(uint32_t));
		without.roots.count--;
		implied = memo_implies(s, &without, t);
		memo_terms_free(&without);
		if (implied != 0)
			return false;
	}
	return true;
}

static void test_property(void **state)
{
	static const enum expr_op ops[] = {EXPR_EQ,  EXPR_NE,  EXPR_SLT,
					   EXPR_SLE, EXPR_ULT, EXPR_ULE};
	struct memo_solver *s = memo_solver_new();
	struct rng r;

	(void)state;
	rng_seed(&r, 7);
	for (unsigned round = 0; round < 60; round++) {
		struct memo_terms t = {.inputs = VEC_INIT}, before;
		struct kit k;

		kit_begin(&k);
		for (unsigned i = 0; i < 6; i++)
			kit_add(&k, &t,
				kit_compare(&k, ops[rng_below(&r, 6)], (unsigned)rng_below(&r, 2),
					    (uint8_t)rng_below(&r, 12), rng_below(&r, 4) != 0));
		memo_terms_copy(&before, &t);
		memo_simplify(s, &t);
		for (unsigned a = 0; a < 16; a++)
			for (unsigned b = 0; b < 16; b++)
				assert_int_equal(holds_for(&t, (uint8_t)a, (uint8_t)b),
						 holds_for(&before, (uint8_t)a, (uint8_t)b));
		assert_int_equal(memo_implies(s, &t, &before), 1);
		assert_int_equal(memo_implies(s, &before, &t), 1);
		assert_true(all_needed(s, &t));
		memo_terms_free(&t);
		memo_terms_free(&before);
		kit_end(&k);
	}
	memo_solver_free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_inputs),	   cmocka_unit_test(test_variables),
		cmocka_unit_test(test_evaluation), cmocka_unit_test(test_check),
		cmocka_unit_test(test_vectors),	   cmocka_unit_test(test_property),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
