/* The size of trees by random executions. */
#include <math.h>

#include "base/rng.h"
#include "explore/learn/estimate.h"
#include "explore/nested/probe.h"
#include "unit.h"

static void one_execution_is_its_product(void **state)
{
	struct probe p = {.now = 1};
	double low, high;
	char text[32];

	probe_begin(&p);
	for (int i = 0; i < 65536; i++)
		probe_pass(&p, 2);
	probe_end(&p);
	assert_true(fabs(probe_mean(&p) - 65536 * log10(2)) < 1e-6);
	estimate_text(text, sizeof(text), probe_mean(&p));
	assert_string_equal(text, "2.0e19728");
	probe_interval(&p, &low, &high);
	assert_true(fabs(low - high) < 1e-9);
	probe_fini(&p);
}

static void mean_is_of_the_products(void **state)
{
	static const uint64_t ways[] = {2, 3, 7};
	struct probe p = {.now = 0};
	double low, high;

	for (int i = 0; i < 3; i++) {
		probe_begin(&p);
		probe_pass(&p, ways[i]);
		probe_end(&p);
	}
	assert_true(fabs(pow(10, probe_mean(&p)) - 4) < 1e-9);
	probe_interval(&p, &low, &high);
	assert_true(low < probe_mean(&p) && probe_mean(&p) < high);
	assert_true(pow(10, low) >= 2 - 1e-9 && pow(10, high) <= 7 + 1e-9);
	probe_fini(&p);
}

static void nothing_is_not_known(void **state)
{
	struct probe p = {.now = 0};

	assert_true(isinf(probe_mean(&p)));
}

/* All orders of two threads with 4 and 6 steps: 210. */
static void unbiased_over_many(void **state)
{
	struct probe p = {.now = 0};
	struct rng r;

	rng_seed(&r, 7);
	for (int i = 0; i < 20000; i++) {
		int left[2] = {4, 6};

		probe_begin(&p);
		while (left[0] + left[1] > 0) {
			uint64_t ways = (uint64_t)(left[0] > 0) + (left[1] > 0);

			probe_pass(&p, ways);
			left[ways == 2 ? (int)rng_below(&r, 2) : left[0] > 0 ? 0 : 1]--;
		}
		probe_end(&p);
	}
	assert_true(fabs(pow(10, probe_mean(&p)) - 210) < 6);
	probe_fini(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_execution_is_its_product),
		cmocka_unit_test(mean_is_of_the_products),
		cmocka_unit_test(nothing_is_not_known),
		cmocka_unit_test(unbiased_over_many),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
