/* Smallest sets of fences, against all subsets. */
#include "unit.h"

#include "run/confirm/hitting.h"

static void add(struct run_clauses *all, const struct wire_fence *fences, size_t n)
{
	struct model_fences c = VEC_INIT;

	for (size_t i = 0; i < n; i++)
		vec_push(&c, fences[i]);
	run_clauses_add(all, &c);
}

static void fewer_fences_are_better_than_weaker_ones(void **state)
{
	const struct wire_fence first[] = {{1, FENCE_RELEASE}, {9, FENCE_FULL}};
	const struct wire_fence second[] = {{2, FENCE_RELEASE}, {9, FENCE_FULL}};
	struct run_clauses all = VEC_INIT;
	struct wire_fence got[WIRE_MAX_FENCES];

	add(&all, first, 2);
	assert_int_equal(run_clauses_hit(&all, got, WIRE_MAX_FENCES), 1);
	assert_int_equal(got[0].kind, FENCE_RELEASE);
	add(&all, second, 2);
	assert_int_equal(run_clauses_hit(&all, got, WIRE_MAX_FENCES), 1);
	assert_int_equal(got[0].site, 9);
	run_clauses_free(&all);
}

static void kinds_at_one_site_are_different_fences(void **state)
{
	const struct wire_fence full = {1, FENCE_FULL}, release = {1, FENCE_RELEASE};
	struct run_clauses all = VEC_INIT;
	struct wire_fence got[WIRE_MAX_FENCES];

	add(&all, &full, 1);
	add(&all, &release, 1);
	assert_int_equal(run_clauses_hit(&all, got, WIRE_MAX_FENCES), 2);
	assert_int_equal(run_clauses_hit(&all, got, 1), -1);
	run_clauses_free(&all);
}

static void an_empty_clause_cannot_be_hit(void **state)
{
	struct run_clauses all = VEC_INIT;
	struct wire_fence got[WIRE_MAX_FENCES];

	assert_int_equal(run_clauses_hit(&all, got, WIRE_MAX_FENCES), 0);
	add(&all, NULL, 0);
	assert_int_equal(run_clauses_hit(&all, got, WIRE_MAX_FENCES), -1);
	run_clauses_free(&all);
}

#define SITES 8
#define CLAUSES 7

/* Smallest number of sites, as bits, that meets every mask. */
static int smallest(const unsigned *masks, int n)
{
	int best = SITES + 1;

	for (unsigned set = 0; set < 1u << SITES; set++) {
		bool hits = true;

		for (int i = 0; i < n; i++)
			hits &= (masks[i] & set) != 0;
		if (hits && __builtin_popcount(set) < best)
			best = __builtin_popcount(set);
	}
	return best;
}

static void random_clauses_are_hit_with_as_few_as_possible(void **state)
{
	uint64_t seed = 1;

	for (int round = 0; round < 300; round++) {
		struct run_clauses all = VEC_INIT;
		struct wire_fence got[WIRE_MAX_FENCES];
		unsigned masks[CLAUSES], set = 0;
		int n;

		for (int i = 0; i < CLAUSES; i++) {
			struct model_fences c = VEC_INIT;

			seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
			masks[i] = (unsigned)(seed >> 33) % ((1u << SITES) - 1) + 1;
			for (uint32_t s = 0; s < SITES; s++)
				if (masks[i] >> s & 1)
					vec_push(&c, ((struct wire_fence){s, FENCE_FULL}));
			run_clauses_add(&all, &c);
		}
		n = run_clauses_hit(&all, got, WIRE_MAX_FENCES);
		assert_int_equal(n, smallest(masks, CLAUSES));
		for (int i = 0; i < n; i++)
			set |= 1u << got[i].site;
		for (int i = 0; i < CLAUSES; i++)
			assert_true(masks[i] & set);
		run_clauses_free(&all);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(fewer_fences_are_better_than_weaker_ones),
		cmocka_unit_test(kinds_at_one_site_are_different_fences),
		cmocka_unit_test(an_empty_clause_cannot_be_hit),
		cmocka_unit_test(random_clauses_are_hit_with_as_few_as_possible),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
