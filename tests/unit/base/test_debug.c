#include "unit.h"

#include "base/debug.h"

#define IS(file) debug_is_system_file(file, strlen(file))

static void headers_of_the_system_are_told_from_the_users(void **state)
{
	(void)state;
	assert_true(IS("/usr/include/c++/12/bits/basic_string.h"));
	assert_true(IS("/usr/bin/../lib/gcc/x86_64-linux-gnu/12/../../../../include/c++/12/mutex"));
	assert_true(IS("/opt/x/lib/heddle/c++/string"));
	assert_false(IS("/usr/included.c"));
	assert_false(IS("/home/user/usr/include/x.h"));
	assert_false(IS("queue.c"));
	assert_false(IS(""));
	/* Not beyond the end: names of debug information have none. */
	assert_false(debug_is_system_file("/usr/include/x.h", 12));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(headers_of_the_system_are_told_from_the_users),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
