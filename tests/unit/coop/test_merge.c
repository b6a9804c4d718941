#include "unit.h"

#include <math.h>

#include "coop/merge.h"
#include "support_logs.h"

/*
 * The example of the dissertation (Machado, 2016, figure 3.5): elements threads, pos, countW,
 * countR; six logs of two each.
 */
enum { THREADS, POS, COUNT_W, COUNT_R, ELEMENTS };
enum { A, B, C, D, E, F, LOGS };

static struct coop_log logs[LOGS];
static struct coop_set set;

static void one(int log, uint32_t x, const char *u, uint32_t y, const char *v)
{
	log_begin(&logs[log], ELEMENTS, (uint64_t)log);
	log_vector(&logs[log], x, u);
	log_vector(&logs[log], y, v);
}

static int make_example(void **state)
{
	const struct coop_log *all[LOGS];
	struct err e = ERR_INIT;

	one(A, THREADS, "1", COUNT_W, "12");
	one(B, POS, "12", COUNT_W, "21");
	one(C, POS, "211", COUNT_R, "2");
	one(D, POS, "21", COUNT_W, "12");
	one(E, THREADS, "1", COUNT_R, "1");
	one(F, THREADS, "1", COUNT_R, "1");
	for (int i = 0; i < LOGS; i++)
		all[i] = &logs[i];
	memset(&set, 0, sizeof(set));
	return coop_set_init(&set, all, LOGS, &e);
}

static int drop_example(void **state)
{
	coop_set_fini(&set);
	for (int i = 0; i < LOGS; i++)
		coop_log_fini(&logs[i]);
	return 0;
}

static void same(double a, double b)
{
	assert_true(fabs(a - b) < 1e-12);
}

static void dispersion_is_the_share_of_different_vectors(void **state)
{
	assert_int_equal(set.kinds.count, 8);
	same(set.dispersion[THREADS], 1 / 8.);
	same(set.dispersion[POS], 3 / 8.);
	same(set.dispersion[COUNT_W], 2 / 8.);
	same(set.dispersion[COUNT_R], 2 / 8.);
	same(coop_set_individual(&set, THREADS), 1 / 3.);
	same(coop_set_individual(&set, POS), 1);
}

static void similarity_is_as_in_the_example(void **state)
{
	static const double want[LOGS][LOGS] = {
		[A] = {[D] = 2 / 8., [E] = 1 / 8., [F] = 1 / 8.},
		[D] = {[A] = 2 / 8.},
		[E] = {[A] = 1 / 8., [F] = 3 / 8.},
		[F] = {[A] = 1 / 8., [E] = 3 / 8.},
	};

	for (uint32_t a = 0; a < LOGS; a++)
		for (uint32_t b = 0; b < LOGS; b++)
			if (a != b)
				same(coop_set_similarity(&set, COOP_DSIM, a, b), want[a][b]);
	/* A and D have one of four elements in common, and it is equal; A and B one, different. */
	same(coop_set_similarity(&set, COOP_PSIM, A, D), 1 / 4.);
	same(coop_set_similarity(&set, COOP_PSIM, A, B), 0);
	/* pos: 12 beside 211 agrees nowhere of three, countW 12 beside 21 nowhere of two. */
	same(coop_set_similarity(&set, COOP_DHS, B, C), 0);
	same(coop_set_similarity(&set, COOP_DHS, C, D), 3 / 8. * 2 / 3.);
}

static void hamming_is_the_share_of_equal_places(void **state)
{
	struct coop_log l[3];
	const struct coop_log *all[3] = {&l[0], &l[1], &l[2]};
	static const char *const texts[3] = {"1111", "1112", "2222"};
	struct coop_set s = {0};
	struct err e = ERR_INIT;

	for (int i = 0; i < 3; i++) {
		log_begin(&l[i], 1, 0);
		log_vector(&l[i], 0, texts[i]);
	}
	assert_ok(coop_set_init(&s, all, 3, &e), e);
	same(coop_set_similarity(&s, COOP_DHS, 0, 1), 3 / 4.);
	same(coop_set_similarity(&s, COOP_DHS, 0, 2), 0);
	same(coop_set_similarity(&s, COOP_DHS, 1, 2), 1 / 4.);
	coop_set_fini(&s);
	for (int i = 0; i < 3; i++)
		coop_log_fini(&l[i]);
}

static void expect(const struct coop_candidate *c, uint32_t base, double relevance,
		   const uint32_t from[ELEMENTS])
{
	assert_non_null(c);
	assert_int_equal(c->base, base);
	same(c->relevance, relevance);
	for (uint32_t i = 0; i < ELEMENTS; i++) {
		assert_int_equal(c->from[i], from[i]);
		assert_int_equal(c->kinds[i], coop_set_kind(&set, from[i], i));
	}
}

static void similar_logs_are_merged_first(void **state)
{
	struct coop_merge *m = coop_merge_new(
		&set, &(struct coop_merge_opts){.heuristic = COOP_SGM, .similarity = COOP_DSIM});

	expect(coop_merge_next(m), A, 3 / 16., (uint32_t[]){A, D, A, E});
	expect(coop_merge_next(m), D, 1 / 8., (uint32_t[]){A, D, D, C});
	expect(coop_merge_next(m), E, 1 / 16., (uint32_t[]){E, B, A, E});
	coop_merge_free(m);
}

static void disperse_logs_are_merged_first(void **state)
{
	struct coop_merge *m = coop_merge_new(
		&set, &(struct coop_merge_opts){.heuristic = COOP_DGM, .similarity = COOP_DSIM});

	expect(coop_merge_next(m), B, 5 / 8., (uint32_t[]){A, B, B, C});
	coop_merge_free(m);
}

static void orders_of_others_are_soft_when_solving(void **state)
{
	struct coop_merge_opts o = {.heuristic = COOP_SOLVE};
	struct coop_merge *m = coop_merge_new(&set, &o);
	const struct coop_candidate *c;
	uint32_t bases[2] = {0, 0};

	while ((c = coop_merge_next(m))) {
		bool soft = c->bond == COOP_SOFT_OTHERS;

		assert_false(bases[soft] >> c->base & 1);
		bases[soft] |= 1u << c->base;
		for (uint32_t i = 0; i < ELEMENTS; i++) {
			uint32_t own = coop_set_kind(&set, c->base, i);

			assert_int_equal(c->kinds[i] != COOP_NONE, soft || own != COOP_NONE);
			assert_int_equal(c->from[i] == c->base, own != COOP_NONE);
		}
	}
	/* E and F are the same log. */
	assert_int_equal(bases[0] | 1u << F, (1u << LOGS) - 1);
	assert_int_equal(bases[1], (1u << LOGS) - 1);
	coop_merge_free(m);
}

static void logs_of_the_failing_line_are_solved_first(void **state)
{
	const bool near[ELEMENTS] = {[COUNT_R] = true};
	struct coop_merge_opts o = {.heuristic = COOP_SOLVE, .near = near};
	struct coop_merge *m = coop_merge_new(&set, &o);

	/* C, E and F have it; of these C differs most from the others. */
	assert_int_equal(coop_merge_next(m)->base, C);
	coop_merge_free(m);
	o.heuristic = COOP_DGM;
	m = coop_merge_new(&set, &o);
	assert_int_equal(coop_merge_next(m)->base, B);
	coop_merge_free(m);
}

static void hybrid_takes_from_both(void **state)
{
	struct coop_merge *m = coop_merge_new(
		&set, &(struct coop_merge_opts){.heuristic = COOP_HYBRID, .similarity = COOP_DSIM});

	expect(coop_merge_next(m), A, 3 / 16., (uint32_t[]){A, D, A, E});
	expect(coop_merge_next(m), B, 5 / 8., (uint32_t[]){A, B, B, C});
	coop_merge_free(m);
}

/*
 * Of base A two elements are missing, of three and two kinds: with all bases together every
 * combination that some base can be completed to comes once.
 */
static void every_combination_comes_once(void **state)
{
	struct coop_merge *m = coop_merge_new(
		&set, &(struct coop_merge_opts){.heuristic = COOP_SGM, .similarity = COOP_DSIM});
	bool seen[1][3][2][2] = {0};
	const struct coop_candidate *c;
	size_t n = 0, possible = 0;

	while ((c = coop_merge_next(m))) {
		bool *flag = &seen[0][c->kinds[POS] - set.first[POS]]
				  [c->kinds[COUNT_W] - set.first[COUNT_W]]
				  [c->kinds[COUNT_R] - set.first[COUNT_R]];

		assert_false(*flag);
		*flag = true;
		n++;
	}
	/* A base keeps its own two vectors; the combinations that contain those of some base. */
	for (uint32_t p = 0; p < 3; p++)
		for (uint32_t w = 0; w < 2; w++)
			for (uint32_t r = 0; r < 2; r++) {
				uint32_t k[ELEMENTS] = {set.first[THREADS], set.first[POS] + p,
							set.first[COUNT_W] + w,
							set.first[COUNT_R] + r};
				bool any = false;

				for (uint32_t b = 0; b < LOGS; b++) {
					bool all = true;

					for (uint32_t i = 0; i < ELEMENTS; i++)
						all &= coop_set_kind(&set, b, i) == COOP_NONE ||
						       coop_set_kind(&set, b, i) == k[i];
					any |= all;
				}
				possible += any;
				assert_int_equal(any, seen[0][p][w][r]);
			}
	assert_int_equal(n, possible);
	coop_merge_free(m);
}

static void what_got_stuck_comes_last(void **state)
{
	struct coop_merge *m = coop_merge_new(
		&set, &(struct coop_merge_opts){.heuristic = COOP_SGM, .similarity = COOP_DSIM});
	const struct coop_candidate *c = coop_merge_next(m);
	uint32_t w = c->kinds[COUNT_W], p = c->kinds[POS];
	bool deferred = false;

	coop_merge_stuck(m, POS, COUNT_W);
	while ((c = coop_merge_next(m))) {
		bool clash = c->kinds[COUNT_W] == w && c->kinds[POS] == p;

		assert_true(clash || !deferred);
		deferred |= clash;
	}
	assert_true(deferred);
	coop_merge_free(m);
}

static void correlation_is_the_harmonic_mean(void **state)
{
	same(coop_correlation(6, 10, 2), 2 / (1 / .6 + 1 / .75));
	same(coop_correlation(4, 10, 0), 2 / (1 / .4 + 1));
	assert_true(coop_correlation(6, 10, 2) > 0.6666 && coop_correlation(6, 10, 2) < 0.6667);
	assert_true(coop_correlation(4, 10, 0) > 0.5714 && coop_correlation(4, 10, 0) < 0.5715);
	same(coop_correlation(0, 10, 3), 0);
}

static void one_element_logs_take_what_goes_with_failing(void **state)
{
	struct coop_log failing[10], passing[2];
	const struct coop_log *all[10], *good[2] = {&passing[0], &passing[1]};
	struct coop_set s = {0};
	struct err e = ERR_INIT;
	struct coop_merge *m;
	const struct coop_candidate *c;

	for (int i = 0; i < 10; i++) {
		log_begin(&failing[i], 1, 0);
		log_vector(&failing[i], 0, i < 4 ? "2" : "1");
		all[i] = &failing[i];
	}
	for (int i = 0; i < 2; i++) {
		log_begin(&passing[i], 1, 0);
		log_vector(&passing[i], 0, "1");
	}
	assert_ok(coop_set_init(&s, all, 10, &e), e);
	m = coop_merge_new(&s, &(struct coop_merge_opts){.passed = good, .passed_count = 2});
	assert_int_equal(coop_merge_heuristic(m), COOP_ONE);
	c = coop_merge_next(m);
	assert_int_equal(c->kinds[0], coop_set_kind(&s, 9, 0));
	coop_merge_free(m);
	coop_set_fini(&s);
	for (int i = 0; i < 10; i++)
		coop_log_fini(&failing[i]);
	for (int i = 0; i < 2; i++)
		coop_log_fini(&passing[i]);
}

static void logs_of_two_bugs_are_refused(void **state)
{
	struct coop_log l[2];
	const struct coop_log *all[2] = {&l[0], &l[1]};
	struct coop_set s = {0};
	struct err e = ERR_INIT;

	log_begin(&l[0], 1, 1);
	log_begin(&l[1], 1, 2);
	l[1].signature[0] = 'A';
	assert_error(coop_set_init(&s, all, 2, &e), ERR_MISMATCH, e);
	l[1].signature[0] = 'a';
	l[1].build[3] = 1;
	assert_error(coop_set_init(&s, all, 2, &e), ERR_MISMATCH, e);
	assert_contains(e.text, "another build");
	coop_log_fini(&l[0]);
	coop_log_fini(&l[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(dispersion_is_the_share_of_different_vectors),
		cmocka_unit_test(similarity_is_as_in_the_example),
		cmocka_unit_test(hamming_is_the_share_of_equal_places),
		cmocka_unit_test(similar_logs_are_merged_first),
		cmocka_unit_test(disperse_logs_are_merged_first),
		cmocka_unit_test(orders_of_others_are_soft_when_solving),
		cmocka_unit_test(logs_of_the_failing_line_are_solved_first),
		cmocka_unit_test(hybrid_takes_from_both),
		cmocka_unit_test(every_combination_comes_once),
		cmocka_unit_test(what_got_stuck_comes_last),
		cmocka_unit_test(correlation_is_the_harmonic_mean),
		cmocka_unit_test(one_element_logs_take_what_goes_with_failing),
		cmocka_unit_test(logs_of_two_bugs_are_refused),
	};

	return cmocka_run_group_tests(tests, make_example, drop_example);
}
