#include "unit.h"

#include "coop/profile.h"

#define N 12

static uint32_t count_of(const bool *wanted)
{
	uint32_t n = 0;

	for (int i = 0; i < N; i++)
		n += wanted[i];
	return n;
}

static void shares_are_rounded(void **state)
{
	assert_int_equal(coop_profile_size(4, 25), 1);
	assert_int_equal(coop_profile_size(5, 25), 1);
	assert_int_equal(coop_profile_size(6, 25), 2);
	assert_int_equal(coop_profile_size(3, 25), 1);
	assert_int_equal(coop_profile_size(7, 25), 2);
	assert_int_equal(coop_profile_size(3, 0), 1);
	assert_int_equal(coop_profile_size(3, 100), 3);
}

static void uniform_draws_every_element_about_as_often(void **state)
{
	struct coop_known k = {.n = N};
	struct coop_profiler *p = coop_profiler_new(COOP_UNIFORM, &k, 3, 1);
	uint32_t often[N] = {0};
	bool wanted[N];

	for (int i = 0; i < 4000; i++) {
		coop_profiler_next(p, wanted);
		assert_int_equal(count_of(wanted), 3);
		for (int e = 0; e < N; e++)
			often[e] += wanted[e];
	}
	/* 1000 each are expected, with a deviation of 27. */
	for (int e = 0; e < N; e++)
		assert_in_range(often[e], 860, 1140);
	coop_profiler_free(p);
}

static void the_same_seed_gives_the_same_profiles(void **state)
{
	struct coop_known k = {.n = N};
	struct coop_profiler *p = coop_profiler_new(COOP_UNIFORM, &k, 4, 9);
	struct coop_profiler *q = coop_profiler_new(COOP_UNIFORM, &k, 4, 9);
	bool a[N], b[N];

	for (int i = 0; i < 20; i++) {
		coop_profiler_next(p, a);
		coop_profiler_next(q, b);
		assert_memory_equal(a, b, sizeof(a));
	}
	coop_profiler_free(p);
	coop_profiler_free(q);
}

static void balanced_keeps_the_cost_flat_and_covers_all(void **state)
{
	uint64_t accesses[N] = {5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 5, 65};
	struct coop_known k = {.n = N, .accesses = accesses};
	struct coop_profiler *p = coop_profiler_new(COOP_BALANCED, &k, 3, 3);
	uint32_t often[N] = {0};
	bool wanted[N];

	for (int i = 0; i < 100; i++) {
		uint64_t cost = 0;

		coop_profiler_next(p, wanted);
		for (int e = 0; e < N; e++)
			cost += wanted[e] ? accesses[e] : 0;
		/* A quarter of 120, unless the one large element stands alone. */
		assert_true(cost <= 30 || count_of(wanted) == 1);
		for (int e = 0; e < N; e++)
			often[e] += wanted[e];
	}
	for (int e = 0; e < N; e++)
		assert_true(often[e] > 5);
	coop_profiler_free(p);
}

static void overlap_brings_every_pair_together(void **state)
{
	struct coop_known k = {.n = N};
	struct coop_profiler *p = coop_profiler_new(COOP_OVERLAP, &k, 4, 3);
	uint32_t pairs[N][N] = {{0}};
	bool wanted[N];

	/* 66 pairs, 6 in each profile: at least 11 are needed. */
	for (int i = 0; i < 30; i++) {
		coop_profiler_next(p, wanted);
		assert_int_equal(count_of(wanted), 4);
		for (int a = 0; a < N; a++)
			for (int b = 0; b < N; b++)
				pairs[a][b] += wanted[a] && wanted[b];
	}
	for (int a = 0; a < N; a++)
		for (int b = 0; b < N; b++)
			assert_true(pairs[a][b] > 0);
	coop_profiler_free(p);
}

static void clusters_stay_together(void **state)
{
	uint32_t cluster[N] = {0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3};
	struct coop_known k = {.n = N, .cluster = cluster};
	struct coop_profiler *p = coop_profiler_new(COOP_CORRELATED, &k, 6, 3);
	bool wanted[N];

	for (int i = 0; i < 20; i++) {
		coop_profiler_next(p, wanted);
		for (int c = 0; c < N; c += 3)
			assert_true(wanted[c] == wanted[c + 1] && wanted[c] == wanted[c + 2]);
	}
	coop_profiler_free(p);
}

static void the_most_disperse_come_first(void **state)
{
	double dispersion[N] = {0, .9, 0, 0, .8, 0, 0, 0, .7, 0, 0, 0};
	struct coop_known k = {.n = N, .dispersion = dispersion};
	struct coop_profiler *p = coop_profiler_new(COOP_DISPERSION, &k, 3, 3);
	bool wanted[N];

	coop_profiler_next(p, wanted);
	assert_true(wanted[1] && wanted[4] && wanted[8]);
	coop_profiler_free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(shares_are_rounded),
		cmocka_unit_test(uniform_draws_every_element_about_as_often),
		cmocka_unit_test(the_same_seed_gives_the_same_profiles),
		cmocka_unit_test(balanced_keeps_the_cost_flat_and_covers_all),
		cmocka_unit_test(overlap_brings_every_pair_together),
		cmocka_unit_test(clusters_stay_together),
		cmocka_unit_test(the_most_disperse_come_first),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
