/* Tables of dependences: read, refused. */
#include "unit.h"

#include "explore/published/static_deps.h"

/* 70 sites, rows for 3 and 69; site 3 leads to 0 and 65, site 69 to 69. */
static const uint8_t table[] = {
	'H', 'D', 'D', 'E', 'P', 'S', '1', 0, 70, 0, 0, 0, 2, 0, 0, 0, /* header */
	3,   0,	  0,   0,   0,	 0,   0,   0, 1,  0, 0, 0, 0, 0, 0, 0, 2,  0, 0, 0, 0, 0, 0, 0,
	69,  0,	  0,   0,   0,	 0,   0,   0, 0,  0, 0, 0, 0, 0, 0, 0, 32, 0, 0, 0, 0, 0, 0, 0,
};

static int parse(const uint8_t *bytes, size_t n)
{
	struct static_deps *d = NULL;
	struct err e = ERR_INIT;
	int rc = static_deps_parse(bytes, n, &d, &e);

	static_deps_free(d);
	return rc;
}

static void a_table_is_read(void **state)
{
	struct static_deps *d = NULL;
	struct err e = ERR_INIT;

	assert_int_equal(static_deps_parse(table, sizeof(table), &d, &e), 0);
	assert_true(static_deps_depends(d, 3, 0));
	assert_true(static_deps_depends(d, 3, 65));
	assert_false(static_deps_depends(d, 3, 3));
	assert_false(static_deps_depends(d, 69, 0));
	assert_true(static_deps_depends(d, 69, 69));
	/* No row, no such site: anything may depend. */
	assert_true(static_deps_depends(d, 4, 0));
	assert_true(static_deps_depends(d, 3, 70));
	assert_true(static_deps_depends(d, 1000, 0));
	static_deps_free(d);
}

static void damaged_tables_are_refused(void **state)
{
	uint8_t copy[sizeof(table)];

	for (size_t n = 0; n < sizeof(table); n++)
		assert_int_equal(parse(table, n), ERR_FORMAT);
	memcpy(copy, table, sizeof(table));
	copy[0] = 'X';
	assert_int_equal(parse(copy, sizeof(copy)), ERR_FORMAT);
	memcpy(copy, table, sizeof(table));
	copy[12] = 3; /* more rows than there are */
	assert_int_equal(parse(copy, sizeof(copy)), ERR_FORMAT);
	memcpy(copy, table, sizeof(table));
	copy[16] = 69; /* one site twice */
	assert_int_equal(parse(copy, sizeof(copy)), ERR_FORMAT);
	memcpy(copy, table, sizeof(table));
	copy[40] = 70; /* no such site */
	assert_int_equal(parse(copy, sizeof(copy)), ERR_FORMAT);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_table_is_read),
		cmocka_unit_test(damaged_tables_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
