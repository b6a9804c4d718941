/* Words that were meant, lists of tests, shares. */
#include "unit.h"

#include "cli/check/select.h"
#include "cli/check/tests.h"
#include "cli/near.h"

static const char *nearest(const char *typed, const char *a, const char *b)
{
	struct cli_near n = {.to = typed};

	cli_near_try(&n, a);
	cli_near_try(&n, b);
	return n.best;
}

static void near_words_are_found_and_far_ones_are_not(void **state)
{
	assert_string_equal(nearest("chekc", "check", "cc"), "check");
	assert_string_equal(nearest("replya", "replay", "reproduce"), "replay");
	assert_string_equal(nearest("rep", "check", "replay"), "replay");
	assert_null(nearest("frobnicate", "check", "replay"));
	assert_null(nearest("", "check", "replay"));
}

static void lists_of_google_test_are_read(void **state)
{
	struct cli_tests t = {.kind = CLI_TESTS_GOOGLE};

	cli_tests_parse_google(&t, "Running main() from x.cc\nA.\n  One\n  DISABLED_Two\n"
				   "P/B/0.  # TypeParam = int\n  Three/1  # GetParam() = \"a b\"\n"
				   "DISABLED_C.\n  Four\n");
	assert_int_equal(t.names.count, 2);
	assert_string_equal(t.names.items[0], "A.One");
	assert_string_equal(t.names.items[1], "P/B/0.Three/1");
	assert_int_equal(t.disabled, 2);
	cli_tests_fini(&t);
}

static void names_of_catch_are_quoted(void **state)
{
	struct cli_tests t = {.kind = CLI_TESTS_CATCH2};
	char *words[] = {(char *)"./t", NULL};
	char **argv;

	cli_tests_parse_catch(&t, "a, b [c]\n");
	argv = cli_tests_argv(&t, words, t.names.items[0]);
	assert_string_equal(argv[1], "a\\, b \\[c\\]");
	cli_tests_argv_free(argv);
	cli_tests_fini(&t);
}

/* Whatever the numbers: every one in one share, and none in two. */
static void shares_meet_and_do_not_overlap(void **state)
{
	static const uint64_t all[] = {1, 7, 100, UINT64_C(1000000000000000)};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		for (uint64_t n = 1; n < 12; n++) {
			uint64_t next = 0, first, count;

			for (uint64_t k = 1; k <= n; k++) {
				struct cli_selection s = {.shard = k, .shards = n};

				cli_selection_share(&s, all[i], &first, &count);
				assert_int_equal(first, next);
				next += count;
			}
			assert_int_equal(next, all[i]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(near_words_are_found_and_far_ones_are_not),
		cmocka_unit_test(lists_of_google_test_are_read),
		cmocka_unit_test(names_of_catch_are_quoted),
		cmocka_unit_test(shares_meet_and_do_not_overlap),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
