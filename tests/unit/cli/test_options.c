/* The option parser. */
#include "unit.h"

#include "cli/options.h"

struct values {
	bool flag;
	uint64_t number, time;
	const char *text;
	int choice;
};

static const struct cli_option table[] = {
	{'f', "flag", OPTION_FLAG, offsetof(struct values, flag), NULL, 0, 0, NULL, "a flag"},
	{'n', "number", OPTION_UINT, offsetof(struct values, number), "5", 1, 9, "N", "a number"},
	{'t', "time", OPTION_DURATION, offsetof(struct values, time), NULL, 0, 0, "T", "a time"},
	{0, "text", OPTION_STRING, offsetof(struct values, text), "x", 0, 0, "S", "a text"},
	{0, "choice", OPTION_CHOICE, offsetof(struct values, choice), "b", 0, 0, "a|b|c", "one"},
	{0, NULL, OPTION_FLAG, 0, NULL, 0, 0, NULL, NULL},
};

static const struct cli_options spec = {"test", "WORD", "About.", table};

static int parse(struct values *v, int *rest, struct err *e, const char *line)
{
	static char copy[256];
	char *argv[16] = {(char *)"test"};
	int argc = 1;

	memset(v, 0, sizeof(*v));
	strcpy(copy, line);
	for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
		argv[argc++] = word;
	return cli_options_parse(&spec, v, argc, argv, rest, e);
}

static void defaults_come_from_the_table(void **state)
{
	struct err e = ERR_INIT;
	struct values v;
	int rest;

	assert_ok(parse(&v, &rest, &e, ""), e);
	assert_int_equal(v.number, 5);
	assert_string_equal(v.text, "x");
	assert_int_equal(v.choice, 1);
	assert_int_equal(rest, 1);
}

static void every_spelling_is_understood(void **state)
{
	static const char *const lines[] = {"-n 7 prog", "-n7 prog", "--number=7 prog",
					    "--number 7 prog", "--number=0x7 -- prog"};
	struct err e = ERR_INIT;
	struct values v;
	int rest;

	for (size_t i = 0; i < 5; i++) {
		assert_ok(parse(&v, &rest, &e, lines[i]), e);
		assert_int_equal(v.number, 7);
	}
	assert_ok(parse(&v, &rest, &e, "-fn7 --choice=c -t1.5s"), e);
	assert_true(v.flag);
	assert_int_equal(v.choice, 2);
	assert_int_equal(v.time, 1500000000);
}

static void words_after_the_first_operand_are_left_alone(void **state)
{
	struct err e = ERR_INIT;
	struct values v;
	int rest;

	assert_ok(parse(&v, &rest, &e, "-n 7 prog -n 8 --nonsense"), e);
	assert_int_equal(v.number, 7);
	assert_int_equal(rest, 3);
	assert_ok(parse(&v, &rest, &e, "-- -n"), e);
	assert_int_equal(rest, 2);
}

static void mistakes_are_named(void **state)
{
	static const struct {
		const char *line, *part;
	} cases[] = {
		{"--nonsense", "unknown option --nonsense"},
		{"--nonsense=3", "unknown option --nonsense "},
		{"-x", "unknown option -x"},
		{"--number", "needs a value"},
		{"--number=0", "not between 1 and 9"},
		{"--number=-1", "not a number"},
		{"--number=7x", "not a number"},
		{"--number=99999999999999999999999", "too large"},
		{"--choice=d", "not one of a|b|c"},
		{"--flag=1", "takes no value"},
		{"--time=soon", "not a time"},
		{"--time=5y", "not a time"},
		{"--log=:", "--log"},
	};
	struct values v;
	int rest;

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct err e = ERR_INIT;

		assert_error(parse(&v, &rest, &e, cases[i].line), ERR_USAGE, e);
		assert_contains(e.text, cases[i].part);
	}
}

static void help_lists_every_option(void **state)
{
	struct strbuf text = STRBUF_INIT;
	struct err e = ERR_INIT;
	struct values v;
	int rest;

	assert_int_equal(parse(&v, &rest, &e, "--help"), CLI_OPTIONS_HELP);
	cli_options_help(&spec, &text);
	for (const struct cli_option *o = table; o->name; o++)
		assert_contains(text.text, o->name);
	assert_contains(text.text, "--log");
	strbuf_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults_come_from_the_table),
		cmocka_unit_test(every_spelling_is_understood),
		cmocka_unit_test(words_after_the_first_operand_are_left_alone),
		cmocka_unit_test(mistakes_are_named),
		cmocka_unit_test(help_lists_every_option),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
