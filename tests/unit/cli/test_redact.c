#include "unit.h"

#include "cli/info/redact.h"

static void assert_redacted(const char *text, const char *expected)
{
	char *copy = xstrdup(text);

	assert_int_equal(redact_text(copy), strcmp(text, expected) != 0);
	assert_string_equal(copy, expected);
	free(copy);
}

static void paths_become_names(void **state)
{
	assert_redacted("", "");
	assert_redacted("a/b and c", "a/b and c");
	assert_redacted("x == 2 (/home/a/x.c:14 int main(void))", "x == 2 (x.c:14 int main(void))");
	assert_redacted("/home/a/x.c", "x.c");
	assert_redacted("file=/home/a/x.c, \"/b/c\"", "file=x.c, \"c\"");
	assert_redacted("a / b == 1", "a / b == 1");
	assert_redacted("in /home/a/", "in ");
	assert_redacted("'/a/b c'", "'b c'");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_become_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
