#include "unit.h"

#include "base/strbuf.h"
#include "base/vec.h"

static void appends_grow_and_stay_terminated(void **state)
{
	struct strbuf b = STRBUF_INIT;

	for (int i = 0; i < 1000; i++)
		strbuf_addf(&b, "%d,", i % 10);
	assert_int_equal(b.length, 2000);
	assert_int_equal(strlen(b.text), 2000);
	strbuf_add_char(&b, 'x');
	strbuf_add(&b, "yz");
	assert_string_equal(b.text + 2000, "xyz");
	strbuf_clear(&b);
	assert_string_equal(b.text, "");
	strbuf_free(&b);
	assert_null(b.text);
}

static void nothing_added_is_taken_as_empty_string(void **state)
{
	struct strbuf b = STRBUF_INIT;
	char *text = strbuf_take(&b);

	assert_string_equal(text, "");
	free(text);
	strbuf_add_bytes(&b, "a\0b", 3);
	assert_int_equal(b.length, 3);
	text = strbuf_take(&b);
	assert_memory_equal(text, "a\0b", 4);
	assert_int_equal(b.length, 0);
	free(text);
}

static void vectors_push_pop_and_reserve(void **state)
{
	VEC(int) v = VEC_INIT;

	for (int i = 0; i < 100; i++)
		vec_push(&v, i * i);
	assert_int_equal(v.count, 100);
	assert_int_equal(v.items[9], 81);
	assert_int_equal(vec_last(&v), 99 * 99);
	assert_int_equal(vec_pop(&v), 99 * 99);
	vec_reserve(&v, 5000);
	assert_true(v.capacity >= 5000);
	assert_int_equal(v.items[98], 98 * 98);
	vec_free(&v);
	assert_null(v.items);
}

static void copies_stop_at_their_limit(void **state)
{
	char *text = xstrndup("abcdef", 3);

	assert_string_equal(text, "abc");
	free(text);
	text = xstrndup("ab", 30);
	assert_string_equal(text, "ab");
	free(text);
	text = xasprintf("%s-%d", "x", 5);
	assert_string_equal(text, "x-5");
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(appends_grow_and_stay_terminated),
		cmocka_unit_test(nothing_added_is_taken_as_empty_string),
		cmocka_unit_test(vectors_push_pop_and_reserve),
		cmocka_unit_test(copies_stop_at_their_limit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
