/* The tiny formatter says what snprintf says, for the forms it knows. */
#include "unit.h"

#include <stdio.h>
#include <string.h>

#include "guest/os/fmt.h"

#define CHECK(...)                                                                                 \
	do {                                                                                       \
		char ours[128], theirs[128];                                                       \
		size_t n = fmt_text(ours, sizeof(ours), __VA_ARGS__);                              \
		int m = snprintf(theirs, sizeof(theirs), __VA_ARGS__);                             \
		assert_string_equal(ours, theirs);                                                 \
		assert_int_equal(n, m);                                                            \
	} while (0)

static void it_agrees_with_the_library(void **state)
{
	CHECK("plain");
	CHECK("%s and %s", "one", "two");
	CHECK("%d %d %d", 0, -1, -2147483647 - 1);
	CHECK("%u %x %lx", 4294967295u, 48879u, 0xfedcba9876543210ul);
	CHECK("%ld %lu %zu", -9223372036854775807l - 1, 18446744073709551615ul, (size_t)7);
	CHECK("%c%%", 'x');
	CHECK("%p", (void *)0x1234);
}

static void it_cuts_at_the_end_of_the_buffer(void **state)
{
	char small[5];

	assert_int_equal(fmt_text(small, sizeof(small), "%s", "longer than that"), 4);
	assert_string_equal(small, "long");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_agrees_with_the_library),
		cmocka_unit_test(it_cuts_at_the_end_of_the_buffer),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
