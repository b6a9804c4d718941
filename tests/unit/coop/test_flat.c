#include "unit.h"

#include "coop/flat.h"

static uint32_t next(uint32_t *x)
{
	*x = *x * 1664525u + 1013904223u;
	return *x >> 24;
}

static void all_lengths_and_places_count(void **state)
{
	static uint8_t a[10000], b[10000];
	uint32_t x = 1;

	(void)state;
	for (uint64_t n = 0; n < sizeof(a); n += n < 70 ? 1 : 617) {
		uint64_t same = 0;

		for (uint64_t i = 0; i < n; i++) {
			a[i] = (uint8_t)(next(&x) & 1);
			b[i] = (uint8_t)(next(&x) & 1);
			same += a[i] == b[i];
		}
		assert_int_equal(coop_flat_same(a, b, n), same);
		assert_int_equal(coop_flat_same(a, a, n), n);
	}
}

static void names_have_the_same_byte_in_every_log(void **state)
{
	struct coop_log l = {.elements = 2}, k = {.elements = 2};
	struct coop_flat *f = coop_flat_new(2);
	struct coop_vector *v, *w;
	const uint8_t *p, *q;

	(void)state;
	coop_log_thread(&l, "0");
	coop_log_thread(&l, "0:1");
	coop_log_thread(&k, "0:1");
	v = coop_log_add(&l, 0);
	w = coop_log_add(&k, 0);
	coop_vector_push(v, 0, 2);
	coop_vector_push(v, 1, 3);
	coop_vector_push(w, 0, 5);
	p = coop_flat_of(f, 0, &l, v);
	q = coop_flat_of(f, 1, &k, w);
	assert_true(p[0] == p[1] && p[1] != p[2] && p[2] == p[4]);
	assert_int_equal(coop_flat_same(p, q, 5), 3);
	assert_ptr_equal(coop_flat_of(f, 0, &l, v), p);
	coop_flat_free(f);
	coop_log_fini(&l);
	coop_log_fini(&k);
}

static void long_runs_and_many_threads_have_none(void **state)
{
	struct coop_log l = {.elements = 2};
	struct coop_flat *f = coop_flat_new(2);
	struct coop_vector *v = coop_log_add(&l, 0);
	char name[16];

	(void)state;
	coop_vector_push(v, coop_log_thread(&l, "0"), 1000000);
	assert_null(coop_flat_of(f, 0, &l, v));
	v = coop_log_add(&l, 1);
	for (int i = 0; i < 300; i++) {
		snprintf(name, sizeof(name), "0:%d", i + 1);
		coop_vector_push(v, coop_log_thread(&l, name), 1);
	}
	assert_null(coop_flat_of(f, 1, &l, v));
	coop_flat_free(f);
	coop_log_fini(&l);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_lengths_and_places_count),
		cmocka_unit_test(names_have_the_same_byte_in_every_log),
		cmocka_unit_test(long_runs_and_many_threads_have_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
