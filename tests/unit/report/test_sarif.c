/* Findings of any analysis as SARIF. */
#include "unit.h"

#include "report/formats.h"

static void add_access(struct finding *f, const char *text, uint64_t line)
{
	struct finding_event *e =
		finding_add_event(f, text, finding_place("dir/a.c", line, 3, NULL));

	vec_push(&e->stack, finding_place("dir/a.c", line, 3, "work"));
	vec_push(&e->stack, finding_place(NULL, 0, 0, "thread"));
}

static char *written(struct findings *all)
{
	struct strbuf to = STRBUF_INIT;

	report_sarif_write(all, "check", "1.2", &to);
	return to.text;
}

static unsigned count(const char *text, const char *what)
{
	unsigned n = 0;

	for (const char *at = text; (at = strstr(at, what)) != NULL; at++)
		n++;
	return n;
}

static void a_rule_is_listed_once_however_many_results_it_has(void **state)
{
	struct findings all = VEC_INIT;
	char *text;

	for (uint64_t i = 1; i <= 3; i++)
		add_access(findings_add(&all, "race", FINDING_ERROR, "two writes"), "T1 writes x", i);
	findings_add(&all, "deadlock", FINDING_UNDECIDED, "not known");
	text = written(&all);
	assert_int_equal(count(text, "\"id\": \"race\""), 1);
	assert_int_equal(count(text, "\"ruleId\": \"race\""), 3);
	assert_int_equal(count(text, "\"level\": \"error\""), 3);
	assert_int_equal(count(text, "\"level\": \"note\""), 1);
	free(text);
	findings_fini(&all);
}

static void every_event_has_its_place_and_its_stack(void **state)
{
	struct findings all = VEC_INIT;
	struct finding *f = findings_add(&all, "race", FINDING_WARNING, "a \"quoted\" race");
	char *text;

	add_access(f, "T1 writes x", 7);
	add_access(f, "T2 reads x", 9);
	text = written(&all);
	assert_int_equal(count(text, "\"startLine\": 7"), 2);
	assert_int_equal(count(text, "\"startLine\": 9"), 2);
	assert_int_equal(count(text, "\"startColumn\": 3"), 4);
	assert_int_equal(count(text, "\"name\": \"thread\""), 2);
	assert_int_equal(count(text, "\"relatedLocations\""), 1);
	assert_non_null(strstr(text, "a \\\"quoted\\\" race"));
	free(text);
	findings_fini(&all);
}

static void nothing_found_is_a_run_without_results(void **state)
{
	struct findings all = VEC_INIT;
	char *text = written(&all);

	assert_non_null(strstr(text, "\"name\": \"heddle check\""));
	assert_null(strstr(text, "ruleId"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_rule_is_listed_once_however_many_results_it_has),
		cmocka_unit_test(every_event_has_its_place_and_its_stack),
		cmocka_unit_test(nothing_found_is_a_run_without_results),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
