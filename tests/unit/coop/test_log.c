#include "unit.h"

#include "base/rng.h"
#include "coop/log.h"
#include "support_logs.h"

static void make(struct coop_log *l)
{
	log_begin(l, 5, 7);
	log_vector(l, 1, "1112");
	log_vector(l, 3, "21");
	log_vector(l, 4, "");
}

static void a_log_comes_back(void **state)
{
	struct coop_log a, b = {0};
	struct strbuf bytes = STRBUF_INIT, again = STRBUF_INIT, text = STRBUF_INIT;
	struct err e = ERR_INIT;

	make(&a);
	coop_log_encode(&a, &bytes);
	assert_ok(coop_log_decode(&b, bytes.text, bytes.length, &e), e);
	assert_int_equal(b.vectors.count, 3);
	assert_int_equal(b.vectors.items[0].runs.count, 2);
	assert_true(coop_vector_equal(&a, &a.vectors.items[0], &b, &b.vectors.items[0]));
	coop_log_encode(&b, &again);
	assert_int_equal(again.length, bytes.length);
	assert_memory_equal(again.text, bytes.text, bytes.length);
	coop_log_text(&b, NULL, &text);
	assert_contains(text.text, "#1: [T0:1 x3, T0:2 x1]\n");
	coop_log_fini(&a);
	coop_log_fini(&b);
	strbuf_free(&bytes);
	strbuf_free(&again);
	strbuf_free(&text);
}

static void every_damage_is_noticed(void **state)
{
	struct coop_log a, b = {0};
	struct strbuf bytes = STRBUF_INIT;
	struct err e = ERR_INIT;

	make(&a);
	coop_log_encode(&a, &bytes);
	for (size_t i = 0; i < bytes.length; i++)
		assert_int_not_equal(coop_log_decode(&b, bytes.text, i, &e), 0);
	for (size_t i = 0; i < bytes.length * 8; i++) {
		bytes.text[i / 8] ^= (char)(1 << i % 8);
		assert_int_not_equal(coop_log_decode(&b, bytes.text, bytes.length, &e), 0);
		bytes.text[i / 8] ^= (char)(1 << i % 8);
	}
	assert_ok(coop_log_decode(&b, bytes.text, bytes.length, &e), e);
	coop_log_fini(&a);
	coop_log_fini(&b);
	strbuf_free(&bytes);
}

static void equal_orders_are_equal_whatever_the_numbers_of_threads(void **state)
{
	struct coop_log a, b;

	log_begin(&a, 2, 1);
	log_begin(&b, 2, 2);
	log_vector(&a, 0, "12");
	log_vector(&b, 0, "21");
	log_vector(&a, 1, "112");
	log_vector(&b, 1, "112");
	assert_int_not_equal(a.vectors.items[1].runs.items[0].thread,
			     b.vectors.items[1].runs.items[0].thread);
	assert_true(coop_vector_equal(&a, &a.vectors.items[1], &b, &b.vectors.items[1]));
	assert_false(coop_vector_equal(&a, &a.vectors.items[0], &b, &b.vectors.items[0]));
	coop_log_fini(&a);
	coop_log_fini(&b);
}

static void a_log_can_be_cut(void **state)
{
	const bool wanted[5] = {true, false, false, true, true};
	struct coop_log a;

	make(&a);
	coop_log_cut(&a, wanted);
	assert_int_equal(a.vectors.count, 2);
	assert_null(coop_log_vector(&a, 1));
	assert_int_equal(coop_log_vector(&a, 3)->accesses, 2);
	coop_log_fini(&a);
}

static void names_of_threads_have_one_form(void **state)
{
	assert_true(coop_thread_name_is("0"));
	assert_true(coop_thread_name_is("0:1:12"));
	assert_false(coop_thread_name_is(""));
	assert_false(coop_thread_name_is("1"));
	assert_false(coop_thread_name_is("0:"));
	assert_false(coop_thread_name_is("0:0"));
	assert_false(coop_thread_name_is("0:01"));
	assert_false(coop_thread_name_is("0:1x"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_log_comes_back),
		cmocka_unit_test(every_damage_is_noticed),
		cmocka_unit_test(equal_orders_are_equal_whatever_the_numbers_of_threads),
		cmocka_unit_test(a_log_can_be_cut),
		cmocka_unit_test(names_of_threads_have_one_form),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
