/* When a command has to end. */
#include "unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/limit.h"
#include "base/strbuf.h"

#define SECOND UINT64_C(1000000000)

static void nothing_ends_by_itself(void **state)
{
	struct limit none = LIMIT_INIT;

	assert_int_equal(limit_reached(NULL), LIMIT_NONE);
	assert_int_equal(limit_reached(&none), LIMIT_NONE);
	assert_null(limit_text(LIMIT_NONE));
}

static void time_is_up_when_it_is(void **state)
{
	struct limit over = {.end_ns = limit_now()}, later = limit_within(NULL, 100 * SECOND);

	assert_int_equal(limit_reached(&over), LIMIT_TIME);
	assert_int_equal(limit_reached(&later), LIMIT_NONE);
	assert_string_equal(limit_text(LIMIT_TIME), "time is up");
}

static void the_user_comes_before_the_clock(void **state)
{
	static volatile uint64_t stopped;
	struct limit l = {.end_ns = limit_now() + 100 * SECOND, .stopped_ns = &stopped};

	assert_int_equal(limit_reached(&l), LIMIT_NONE);
	stopped = limit_now();
	assert_int_equal(limit_reached(&l), LIMIT_STOP);
	l.end_ns = 1;
	assert_int_equal(limit_reached(&l), LIMIT_STOP);
}

static void an_inner_limit_is_never_wider(void **state)
{
	struct limit outer = {.end_ns = limit_now() + SECOND};
	struct limit wide = limit_within(&outer, 100 * SECOND), same = limit_within(&outer, 0);
	struct limit narrow = limit_within(&outer, 1);

	assert_true(wide.end_ns == outer.end_ns);
	assert_true(same.end_ns == outer.end_ns);
	assert_true(narrow.end_ns < outer.end_ns);
}

static void what_must_be_finished_has_a_little_longer(void **state)
{
	static volatile uint64_t stopped;
	struct limit l = {.end_ns = limit_now(), .stopped_ns = &stopped, .max_bytes = 1};
	struct limit last = limit_after(&l, 100 * SECOND);

	stopped = limit_now();
	assert_int_equal(limit_reached(&l), LIMIT_STOP);
	assert_int_equal(limit_reached(&last), LIMIT_NONE);
}

static void memory_is_counted(void **state)
{
	struct limit l = {.max_bytes = limit_memory() + (16u << 20)};
	volatile char *block;

	assert_true(limit_memory() > 0);
	assert_int_equal(limit_reached(&l), LIMIT_NONE);
	block = malloc(64u << 20);
	for (size_t i = 0; i < 64u << 20; i += 4096)
		block[i] = 1;
	assert_int_equal(limit_reached(&l), LIMIT_MEMORY);
	free((void *)block);
}

static void seconds_are_written_for_people(void **state)
{
	static const struct {
		uint64_t ns;
		const char *text;
	} cases[] = {{0, "0"},		       {5, "0.001"},		{12345678, "0.012"},
		     {SECOND * 34 / 10, "3.4"}, {SECOND * 150, "150"}, {SECOND * 12345, "12345"}};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct strbuf b = STRBUF_INIT;

		strbuf_add_seconds(&b, cases[i].ns);
		assert_string_equal(b.text, cases[i].text);
		strbuf_free(&b);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_ends_by_itself),
		cmocka_unit_test(time_is_up_when_it_is),
		cmocka_unit_test(the_user_comes_before_the_clock),
		cmocka_unit_test(an_inner_limit_is_never_wider),
		cmocka_unit_test(what_must_be_finished_has_a_little_longer),
		cmocka_unit_test(memory_is_counted),
		cmocka_unit_test(seconds_are_written_for_people),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
