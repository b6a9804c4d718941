/* Recordings of heddle check --stable: what is written is read; the rest is refused. */
#include "explore/nested/record.h"
#include "unit.h"

static void what_is_written_is_read(void **state)
{
	struct nested_record r = {.program = "/bin/a\nb\\c", .directory = "/", .det = true},
			     back = {0};
	char *dir = unit_scratch();
	struct err e = ERR_INIT;

	vec_push(&r.arguments, "a");
	vec_push(&r.arguments, "two words");
	r.finding.failure = (struct nested_failure){.kind = "assert", .code = 6, .line = 12};
	r.finding.decided = true;
	vec_push(&r.finding.choices, 0);
	vec_push(&r.finding.choices, 3);
	assert_ok(nested_record_write(dir, &r, "details", &e), e);
	assert_ok(nested_record_read(dir, &back, &e), e);
	assert_string_equal(back.program, r.program);
	assert_string_equal(back.arguments.items[1], "two words");
	assert_null(back.arguments.items[2]);
	assert_true(back.det && !back.exit_fails && back.finding.decided);
	assert_int_equal(back.finding.choices.count, 2);
	assert_int_equal(back.finding.choices.items[1], 3);
	assert_string_equal(back.finding.failure.kind, "assert");
	assert_int_equal(back.finding.failure.line, 12);
	nested_record_fini(&back);
	vec_free(&r.arguments);
	vec_free(&r.finding.choices);
	fs_remove_tree(dir);
	free(dir);
}

#define HEAD "heddle-stable 1\nprogram /a\ndirectory /\nargument a\n"

static void the_rest_is_refused(void **state)
{
	static const char *const bad[] = {
		"",
		"heddle-stable 2\n",
		HEAD,
		HEAD "failure nothing 1 1\n",
		HEAD "failure exit 1\n",
		HEAD "failure exit 1 0\nchoices 2\n1\n",
		HEAD "failure exit 1 0\nchoices 1\n64\n",
		HEAD "failure exit 1 0\nchoices -1\n",
		HEAD "failure exit 1 0\nchoices 1\n1\nchoices 1\n1\n",
		HEAD "failure exit 1 0\nunknown word\n",
		"heddle-stable 1\nprogram /a\nargument a\nfailure exit 1 0\n",
	};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct nested_record r = {0};
		struct err e = ERR_INIT;

		assert_error(nested_record_parse(bad[i], &r, &e), ERR_FORMAT, e);
		nested_record_fini(&r);
	}
}

static void places_of_assertions(void **state)
{
	struct nested_failure f = {0};

	assert_true(nested_failure_parse(
		"hello\nprog: dir/a.c:12: check: Assertion `x == 1' failed.\n", &f));
	assert_string_equal(f.file, "dir/a.c");
	assert_int_equal(f.line, 12);
	assert_string_equal(f.function, "check");
	assert_string_equal(f.headline, "Assertion `x == 1' failed.");
	nested_failure_fini(&f);
	assert_true(nested_failure_parse("b.c:7: main: heddle_assert(y) failed.", &f));
	assert_string_equal(f.file, "b.c");
	assert_string_equal(f.function, "main");
	nested_failure_fini(&f);
	assert_false(nested_failure_parse("Assertion `x", &f));
	assert_false(nested_failure_parse("", &f));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(the_rest_is_refused),
		cmocka_unit_test(places_of_assertions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
