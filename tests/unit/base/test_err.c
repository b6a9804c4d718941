#include "unit.h"

#include <errno.h>

static void setting_fills_code_and_text(void **state)
{
	struct err e = ERR_INIT;

	assert_int_equal(err_set(&e, ERR_FORMAT, "bad %d", 7), ERR_FORMAT);
	assert_int_equal(e.code, ERR_FORMAT);
	assert_string_equal(e.text, "bad 7");
	assert_int_equal(err_set(NULL, ERR_IO, "nobody listens"), ERR_IO);
}

static void errno_is_spelled_out(void **state)
{
	struct err e = ERR_INIT;

	errno = ENOENT;
	assert_int_equal(err_errno(&e, ERR_NOT_FOUND, "opening %s", "x"), ERR_NOT_FOUND);
	assert_string_equal(e.text, "opening x: No such file or directory");
}

static void wrapping_puts_context_in_front(void **state)
{
	struct err e = ERR_INIT;

	err_set(&e, ERR_CHECKSUM, "frame 3");
	assert_int_equal(err_wrap(&e, "reading %s", "b"), ERR_CHECKSUM);
	assert_string_equal(e.text, "reading b: frame 3");
}

static void long_texts_are_cut_and_terminated(void **state)
{
	struct err e = ERR_INIT;
	char long_text[4000];

	memset(long_text, 'x', sizeof(long_text));
	long_text[sizeof(long_text) - 1] = '\0';
	err_set(&e, ERR_IO, "%s", long_text);
	assert_int_equal(strlen(e.text), sizeof(e.text) - 1);
	err_wrap(&e, "outer");
	assert_int_equal(strlen(e.text), sizeof(e.text) - 1);
	assert_memory_equal(e.text, "outer: xxx", 10);
	err_wrap(&e, "%s", long_text);
	assert_true(strlen(e.text) < sizeof(e.text));
	errno = EIO;
	err_errno(&e, ERR_IO, "%s", long_text);
	assert_true(strlen(e.text) < sizeof(e.text));
}

static void every_code_has_a_text(void **state)
{
	assert_string_equal(err_name(ERR_VERSION), "unknown version");
	assert_string_equal(err_name(0), "success");
	assert_string_equal(err_name(-9999), "unknown error");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(setting_fills_code_and_text),
		cmocka_unit_test(errno_is_spelled_out),
		cmocka_unit_test(wrapping_puts_context_in_front),
		cmocka_unit_test(long_texts_are_cut_and_terminated),
		cmocka_unit_test(every_code_has_a_text),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
