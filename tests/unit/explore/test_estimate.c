/* The size of trees of choices from a part of them. */
#include <math.h>

#include "explore/learn/estimate.h"
#include "unit.h"

static double number(double log)
{
	return pow(10, log);
}

static void assert_near(double a, double b)
{
	assert_true(fabs(a - b) < 1e-9 * fabs(b));
}

/* Paths one after the other, by the products of the ways along them. */
static void expect_series(const double *products, const double *wanted, size_t n)
{
	struct estimate e = ESTIMATE_INIT;

	for (size_t i = 0; i < n; i++) {
		estimate_end(&e, -log10(products[i]));
		assert_near(number(estimate_paths(&e)), wanted[i]);
	}
}

static void small_trees(void **state)
{
	/* Two ways, the second of which has two; three ways, the first of which has two. */
	static const double a[] = {2, 4, 4}, a_wanted[] = {2, 8.0 / 3, 3};
	static const double b[] = {6, 6, 3, 3}, b_wanted[] = {6, 6, 4.5, 4};

	expect_series(a, a_wanted, 3);
	expect_series(b, b_wanted, 4);
}

static void long_path(void **state)
{
	struct estimate e = ESTIMATE_INIT;
	double share = 0;
	char text[32];

	for (int i = 0; i < 65536; i++)
		share = estimate_split(share, 2);
	estimate_end(&e, share);
	assert_true(fabs(estimate_paths(&e) - 65536 * log10(2)) < 1e-6);
	estimate_text(text, sizeof(text), estimate_paths(&e));
	assert_string_equal(text, "2.0e19728");
}

static void stack_agrees_with_paths(void **state)
{
	/* One of three done, then of the second way one of two, then one of four. */
	struct estimate_point points[] = {{3, 1}, {2, 1}, {4, 1}};
	struct estimate e = ESTIMATE_INIT;

	estimate_end(&e, estimate_split(0, 3));
	estimate_end(&e, estimate_split(estimate_split(0, 3), 2));
	estimate_end(&e, estimate_split(estimate_split(estimate_split(0, 3), 2), 4));
	assert_near(number(estimate_stack(points, 3)), number(e.share));
	assert_near(number(e.share), 1.0 / 3 + 1.0 / 6 + 1.0 / 24);
}

static void nothing_seen(void **state)
{
	struct estimate e = ESTIMATE_INIT;
	char text[8];

	assert_true(isinf(estimate_paths(&e)));
	assert_true(isinf(estimate_stack(NULL, 0)));
	estimate_text(text, sizeof(text), estimate_paths(&e));
	assert_string_equal(text, "?");
}

static void whole_tree_is_exact(void **state)
{
	struct estimate e = ESTIMATE_INIT;

	for (int i = 0; i < 7 * 11 * 13; i++)
		estimate_end(&e, estimate_split(estimate_split(estimate_split(0, 7), 11), 13));
	assert_near(number(estimate_paths(&e)), 7 * 11 * 13);
	/* What was met besides paths grows in proportion. */
	assert_near(number(estimate_total(&e, 5000)), 5000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(small_trees),
		cmocka_unit_test(long_path),
		cmocka_unit_test(stack_agrees_with_paths),
		cmocka_unit_test(nothing_seen),
		cmocka_unit_test(whole_tree_is_exact),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
