/* Sums of products: UNSAT is never said of what has an assignment; what has to be decided is. */
#include "unit.h"

#include <string.h>

#include "base/rng.h"
#include "solve/integers.h"

#define VARIABLES 3
#define RANGE 3 /* assignments tried: from -RANGE to RANGE */

static struct integers_sum sum(const int64_t rows[][3], size_t n)
{
	struct integers_sum s = {NULL, 0, 0};

	for (size_t i = 0; i < n; i++) {
		struct integers_term t = {rows[i][0], (uint32_t)rows[i][1], (uint32_t)rows[i][2]};

		vec_push(&s, t);
	}
	return s;
}

#define NO INTEGERS_NONE
#define ROW(q, kind, ...)                                                                          \
	integers_add(q, kind,                                                                      \
		     sum((const int64_t[][3]){__VA_ARGS__},                                        \
			 sizeof((const int64_t[][3]){__VA_ARGS__}) / sizeof(int64_t[3])))

static int64_t value(const struct integers_sum *s, const int64_t *v)
{
	int64_t all = 0;

	for (size_t i = 0; i < s->count; i++) {
		const struct integers_term *t = &s->items[i];

		all += t->factor * (t->a == NO ? 1 : v[t->a]) * (t->b == NO ? 1 : v[t->b]);
	}
	return all;
}

static bool has_assignment(const struct integers *q)
{
	int64_t v[VARIABLES];

	for (v[0] = -RANGE; v[0] <= RANGE; v[0]++)
		for (v[1] = -RANGE; v[1] <= RANGE; v[1]++)
			for (v[2] = -RANGE; v[2] <= RANGE; v[2]++) {
				bool holds = true;

				for (size_t i = 0; i < q->rows.count && holds; i++) {
					int64_t n = value(&q->rows.items[i].sum, v);

					holds = q->rows.items[i].kind == INTEGERS_BELOW ? n < 0
											: n != 0;
				}
				if (holds)
					return true;
			}
	return false;
}

static void what_has_an_assignment_is_never_refuted(void **state)
{
	struct rng r;
	unsigned refuted = 0;

	rng_seed(&r, 5);
	for (int round = 0; round < 400; round++) {
		struct integers q = {.variables = VARIABLES};
		enum solve_answer answer;

		for (int i = 0; i < 5; i++) {
			struct integers_sum s = {NULL, 0, 0};

			for (int k = 0; k < 3; k++) {
				struct integers_term t = {(int64_t)rng_below(&r, 7) - 3,
							  (uint32_t)rng_below(&r, VARIABLES), NO};

				if (rng_below(&r, 3) == 0)
					t.a = NO;
				else if (rng_below(&r, 3) == 0)
					t.b = (uint32_t)rng_below(&r, VARIABLES);
				vec_push(&s, t);
			}
			integers_add(&q, rng_below(&r, 5) ? INTEGERS_BELOW : INTEGERS_NOT, s);
		}
		answer = integers_ask(&q, 2000);
		if (has_assignment(&q))
			assert_int_not_equal(answer, SOLVE_UNSAT);
		refuted += answer == SOLVE_UNSAT;
		integers_fini(&q);
	}
	assert_true(refuted > 20);
}

/* 0 <= i < c, 0 <= k < c, n != m: n * c + i and m * c + k differ. */
static void pieces_of_any_size_are_apart(void **state)
{
	enum { N, M, C, I, K };
	struct integers q = {.variables = 5};

	ROW(&q, INTEGERS_NOT, {1, N, NO}, {-1, M, NO});
	ROW(&q, INTEGERS_BELOW, {-1, I, NO}, {-1, NO, NO});
	ROW(&q, INTEGERS_BELOW, {-1, K, NO}, {-1, NO, NO});
	ROW(&q, INTEGERS_BELOW, {1, I, NO}, {-1, C, NO});
	ROW(&q, INTEGERS_BELOW, {1, K, NO}, {-1, C, NO});
	ROW(&q, INTEGERS_BELOW, {1, N, C}, {1, I, NO}, {-1, M, C}, {-1, K, NO}, {-1, NO, NO});
	ROW(&q, INTEGERS_BELOW, {1, M, C}, {1, K, NO}, {-1, N, C}, {-1, I, NO}, {-1, NO, NO});
	assert_int_equal(integers_ask(&q, 5000), SOLVE_UNSAT);
	integers_fini(&q);
}

/* Clang's sanitizer does not know the throws of a C++ library that is loaded later: no fault of ours. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define THROWS_END_IT 1
#endif
#endif

int main(void)
{
#ifdef THROWS_END_IT
	return 0;
#endif
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_has_an_assignment_is_never_refuted),
		cmocka_unit_test(pieces_of_any_size_are_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
