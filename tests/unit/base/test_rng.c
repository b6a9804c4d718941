#include "unit.h"

#include "base/rng.h"

static void same_seed_same_numbers(void **state)
{
	struct rng a, b, c;
	int differences = 0;

	rng_seed(&a, 42);
	rng_seed(&b, 42);
	rng_seed(&c, 43);
	for (int i = 0; i < 100; i++) {
		uint64_t x = rng_next(&a);

		assert_true(x == rng_next(&b));
		differences += x != rng_next(&c);
	}
	assert_int_equal(differences, 100);
}

static void below_is_within_and_even(void **state)
{
	unsigned counts[7] = {0};
	struct rng r;

	rng_seed(&r, 1);
	for (int i = 0; i < 70000; i++) {
		uint64_t x = rng_below(&r, 7);

		assert_true(x < 7);
		counts[x]++;
	}
	/* Expected 10000 each, standard deviation 93. */
	for (int i = 0; i < 7; i++)
		assert_in_range(counts[i], 9500, 10500);
	for (int i = 0; i < 100; i++)
		assert_int_equal(rng_below(&r, 1), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(same_seed_same_numbers),
		cmocka_unit_test(below_is_within_and_even),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
