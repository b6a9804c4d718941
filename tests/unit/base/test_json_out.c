#include "unit.h"

#include <math.h>

#include "base/json_out.h"

static void nesting_gets_commas_and_indentation(void **state)
{
	struct strbuf b = STRBUF_INIT;
	struct json_out j;

	json_out_init(&j, &b);
	json_out_object_begin(&j, NULL);
	json_out_int(&j, "a", -5);
	json_out_array_begin(&j, "list");
	json_out_uint(&j, NULL, UINT64_MAX);
	json_out_bool(&j, NULL, true);
	json_out_array_end(&j);
	json_out_array_begin(&j, "empty");
	json_out_array_end(&j);
	json_out_hex(&j, "addr", 0xdeadbeef);
	json_out_string(&j, "none", NULL);
	json_out_object_end(&j);
	assert_string_equal(b.text, "{\n"
				    "  \"a\": -5,\n"
				    "  \"list\": [\n"
				    "    18446744073709551615,\n"
				    "    true\n"
				    "  ],\n"
				    "  \"empty\": [],\n"
				    "  \"addr\": \"0xdeadbeef\",\n"
				    "  \"none\": null\n"
				    "}\n");
	strbuf_free(&b);
}

/* What one string looks like in JSON. */
static void assert_quoted(const char *value, const char *want)
{
	struct strbuf b = STRBUF_INIT;
	struct json_out j;

	json_out_init(&j, &b);
	json_out_string(&j, NULL, value);
	assert_string_equal(b.text, want);
	strbuf_free(&b);
}

static void special_characters_are_escaped(void **state)
{
	assert_quoted("a\"b\\c\n\t\r\x01\x7f", "\"a\\\"b\\\\c\\n\\t\\r\\u0001\\u007f\"");
}

static void utf8_passes_and_bad_bytes_are_replaced(void **state)
{
	assert_quoted("\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80",
		      "\"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80\"");
	assert_quoted("a\xff", "\"a\\ufffd\"");
	assert_quoted("\xc3", "\"\\ufffd\"");				       /* cut short */
	assert_quoted("\xc0\x80", "\"\\ufffd\\ufffd\"");		       /* overlong */
	assert_quoted("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"");	       /* surrogate */
	assert_quoted("\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""); /* too large */
}

static void numbers_that_json_lacks_become_null(void **state)
{
	struct strbuf b = STRBUF_INIT;
	struct json_out j;

	json_out_init(&j, &b);
	json_out_array_begin(&j, NULL);
	json_out_real(&j, NULL, 0.25);
	json_out_real(&j, NULL, INFINITY);
	json_out_real(&j, NULL, NAN);
	json_out_array_end(&j);
	assert_string_equal(b.text, "[\n  0.25,\n  null,\n  null\n]\n");
	strbuf_free(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nesting_gets_commas_and_indentation),
		cmocka_unit_test(special_characters_are_escaped),
		cmocka_unit_test(utf8_passes_and_bad_bytes_are_replaced),
		cmocka_unit_test(numbers_that_json_lacks_become_null),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
