/* How much words of effects touch, over a view of plain memory. */
#include "unit.h"

#include "wire/outside_length.h"

struct call {
	uint64_t args[4];
	uint64_t pieces, bytes; /* what was read */
	uint64_t limit;		/* of the string that was read */
};

static uint64_t arg(void *call, unsigned n)
{
	return n < 4 ? ((struct call *)call)->args[n] : 0;
}

static uint8_t byte(void *call, uint64_t addr)
{
	return *(const uint8_t *)addr;
}

static uint64_t word(void *call, uint64_t addr)
{
	return *(const uint32_t *)addr;
}

static uint64_t string(void *call, uint64_t addr, uint64_t limit)
{
	uint64_t n = strnlen((const char *)addr, limit == UINT64_MAX ? 1000 : limit);

	return n < limit ? n + 1 : n;
}

static void reads(void *call, uint64_t addr, uint64_t bytes)
{
	((struct call *)call)->pieces++;
	((struct call *)call)->bytes += bytes;
}

static void reads_string(void *call, uint64_t addr, uint64_t limit)
{
	((struct call *)call)->limit = limit;
}

static uint64_t length_of(const char *len, const void *at, struct call *c, int64_t result)
{
	struct outside_view v = {c, result, arg, byte, word, string, reads, reads_string};

	return outside_length(&v, len, (uint64_t)at);
}

static void numbers_end_with_the_byte_behind_them(void **state)
{
	struct call c = {.args = {16, 0, 2}};

	assert_int_equal(length_of("n", "42 x", &c, 0), 3);
	assert_int_equal(length_of("n", "  -42", &c, 0), 6);
	assert_int_equal(length_of("n0", "0xfFg", &c, 0), 5);
	assert_int_equal(length_of("n1", "0779", &c, 0), 4); /* base 0: octal */
	assert_int_equal(length_of("n2", "1012", &c, 0), 4);
	assert_int_equal(length_of("N", "1.5e+3,", &c, 0), 7);
}

static void products_come_from_arguments_and_results(void **state)
{
	struct call c = {.args = {3, 5, UINT64_MAX}};

	assert_int_equal(length_of("24", NULL, &c, 0), 24);
	assert_int_equal(length_of("a0", NULL, &c, 0), 3);
	assert_int_equal(length_of("a0*4", NULL, &c, 0), 12);
	assert_int_equal(length_of("a0*a1", NULL, &c, 0), 15);
	assert_int_equal(length_of("a0*a2", NULL, &c, 0), 0); /* too large to be */
	assert_int_equal(length_of("R*a1", NULL, &c, 4), 20);
	assert_int_equal(length_of("R", NULL, &c, -1), 0);
}

static void wide_characters_count_all_their_bytes(void **state)
{
	static const uint32_t text[] = {'a', 0x01000000, 'b', 0};
	struct call c = {.args = {2}};

	assert_int_equal(length_of("W", text, &c, 0), sizeof(text));
	assert_int_equal(length_of("W0", text, &c, 0), 8);
	assert_int_equal(length_of("W", NULL, &c, 0), 0);
}

static void bytes_and_copies_have_limits(void **state)
{
	uint32_t n = 77;
	struct call c = {.args = {'c', 2, (uint64_t)"abcd", (uint64_t)&n}};

	assert_int_equal(length_of("f0", "abcd", &c, 0), 3);
	assert_int_equal(length_of("f0,1", "abcd", &c, 0), 2);
	assert_int_equal(length_of("=2", NULL, &c, 0), 5);
	assert_int_equal(length_of("=2,1", NULL, &c, 0), 3);
	assert_int_equal(length_of("v3", NULL, &c, 0), 77);
	assert_int_equal(length_of("i1", NULL, &c, 0), 4);
}

static void what_decides_how_long_is_read_in_pieces(void **state)
{
	struct call c = {.args = {(uint64_t)"123 ", 9}};
	struct outside_view v = {&c, 0, arg, byte, word, string, reads, reads_string};

	outside_read_word(&v, "r0:n");
	assert_true(c.pieces == 4 && c.bytes == 4);
	outside_read_word(&v, "r0:a1");
	assert_true(c.pieces == 5 && c.bytes == 13);
	outside_read_word(&v, "r0:s1");
	assert_int_equal(c.limit, 9);
	c.args[0] = 0;
	outside_read_word(&v, "r0:a1");
	assert_int_equal(c.pieces, 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_end_with_the_byte_behind_them),
		cmocka_unit_test(products_come_from_arguments_and_results),
		cmocka_unit_test(wide_characters_count_all_their_bytes),
		cmocka_unit_test(bytes_and_copies_have_limits),
		cmocka_unit_test(what_decides_how_long_is_read_in_pieces),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
