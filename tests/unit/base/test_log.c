#include "unit.h"

#include "base/log.h"

static int all_off(void **state)
{
	memset(log_levels, 0, sizeof(log_levels));
	return 0;
}

static void one_number_is_for_all_domains(void **state)
{
	assert_int_equal(log_configure("3"), 0);
	for (int i = 0; i < LOG_DOMAINS; i++)
		assert_int_equal(log_levels[i], 3);
}

static void domains_are_set_one_by_one(void **state)
{
	assert_int_equal(log_configure("solve:3,run:1"), 0);
	assert_int_equal(log_levels[LOG_SOLVE], 3);
	assert_int_equal(log_levels[LOG_RUN], 1);
	assert_int_equal(log_levels[LOG_CLI], 0);
	assert_int_equal(log_configure("1,run:0"), 0);
	assert_int_equal(log_levels[LOG_CLI], 1);
	assert_int_equal(log_levels[LOG_RUN], 0);
}

static void malformed_text_changes_nothing(void **state)
{
	static const char *const bad[] = {
		"",   "x",	  "run",    "run:", "run:x",	     "run:12",
		":1", "nosuch:1", "run:1,", ",",    "run:1,nosuch:2"};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		assert_int_equal(log_configure(bad[i]), -1);
		assert_int_equal(log_levels[LOG_RUN], 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(one_number_is_for_all_domains, all_off),
		cmocka_unit_test_setup(domains_are_set_one_by_one, all_off),
		cmocka_unit_test_setup(malformed_text_changes_nothing, all_off),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
