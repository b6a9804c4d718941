/* What an analysis says, as lines and back; damaged lines are errors. */
#include "unit.h"

#include <string.h>

#include "base/rng.h"
#include "model/analysis.h"

static void fill(struct analysis *a)
{
	struct finding *f;
	struct finding_event *e;

	f = analysis_add(a, "race", ANALYSIS_INPUT, "a\ttab,\na line and a \\");
	e = finding_add_event(f, "T1 writes x", finding_place("dir/a.c", 3, 4, "f"));
	e->thread = xstrdup("T1");
	e->operation = "write";
	vec_push(&e->stack, finding_place("a.c", 9, 0, NULL));
	finding_add_event(f, "T2 reads x", finding_place(NULL, 0, 0, NULL));
	vec_last(&a->rows).input = xstrdup("2 2 0");
	vec_last(&a->rows).contexts = 7;
	analysis_note(a, "call", "strange", finding_place("b.c", 1, 0, "g"));
	a->pairs = 12;
}

static void what_is_written_is_read(void **state)
{
	struct analysis a = {0}, b;
	struct strbuf first = STRBUF_INIT, second = STRBUF_INIT;
	struct err e = ERR_INIT;

	fill(&a);
	analysis_write(&a, &first);
	assert_int_equal(analysis_read(&b, first.text, first.length, &e), 0);
	analysis_write(&b, &second);
	assert_string_equal(first.text, second.text);
	assert_string_equal(b.findings.items[0].message, "a\ttab,\na line and a \\");
	assert_int_equal(b.findings.items[0].events.items[0].stack.items[0].line, 9);
	assert_int_equal(b.rows.items[0].class, ANALYSIS_INPUT);
	assert_int_equal(b.pairs, 12);
	analysis_fini(&a);
	analysis_fini(&b);
	strbuf_free(&first);
	strbuf_free(&second);
}

static void damaged_lines_are_errors(void **state)
{
	struct analysis a = {0}, b;
	struct strbuf text = STRBUF_INIT;
	struct rng r;
	unsigned refused = 0;

	rng_seed(&r, 5);
	fill(&a);
	analysis_write(&a, &text);
	for (size_t n = 0; n < text.length; n++) {
		struct err e = ERR_INIT;

		assert_int_not_equal(analysis_read(&b, text.text, n, &e), 0);
	}
	/* A line of no file. */
	{
		static const char no_file[] = "heddle-analysis 1\nslice\t\t7\t3\tf\tcalls\nend\n";
		struct err e = ERR_INIT;

		assert_int_equal(analysis_read(&b, no_file, sizeof(no_file) - 1, &e), 0);
		assert_int_equal(b.slice.items[0].at.line, 0);
		analysis_fini(&b);
	}
	for (int i = 0; i < 3000; i++) {
		char *copy = xstrndup(text.text, text.length);
		struct err e = ERR_INIT;

		for (int k = 0; k < 3; k++)
			copy[rng_below(&r, text.length)] = (char)rng_below(&r, 128);
		if (analysis_read(&b, copy, text.length, &e) == 0)
			analysis_fini(&b);
		else
			refused++;
		free(copy);
	}
	assert_true(refused > 100);
	analysis_fini(&a);
	strbuf_free(&text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(damaged_lines_are_errors),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
