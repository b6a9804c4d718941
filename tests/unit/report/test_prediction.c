/* What heddle predict says, made by hand: the page, the object, and what belongs to nobody else. */
#include "unit.h"

#include "report/formats.h"
#include "report/prediction.h"

/* One race with a witness of three events, the third of a thread whose creator is known. */
static void fill(struct prediction *p)
{
	struct finding *f = findings_add(&p->findings, "race", FINDING_ERROR, "x: m");
	struct finding_event *e = finding_add_event(f, "T1 writes x", finding_place("a.c", 7, 0, NULL));

	e->number = 3;
	e->line = 2;
	e->thread = xstrdup("T1");
	e->object = xstrdup("x");
	e->held = xstrdup("l");
	e->operation = "w";
	e->at.name = xstrdup("a.c:7");
	e->created = xstrdup("main at a.c:20");
	vec_push(&e->stack, finding_place(NULL, 0, 0, "work"));
	f->prediction = prediction_new("x: T1 writes");
	f->prediction->number = 1;
	f->prediction->why = xstrdup("Because.");
	f->prediction->answer = "feasible";
	f->prediction->model = "cdsr";
	f->prediction->stage = "sync";
	f->prediction->steps = 3;
	vec_push(&f->prediction->runs, ((struct prediction_run){0, 2}));
	vec_push(&f->prediction->runs, ((struct prediction_run){1, 1}));
	vec_push(&p->threads, xstrdup("main"));
	vec_push(&p->threads, xstrdup("T1"));
	p->file = "t.trace";
	p->model = "cdsr";
	p->totals[PREDICTION_RACE] = (struct prediction_total){
		.kind = "race", .wanted = true, .candidates = 1, .decided = 1, .feasible = 1};
	p->totals[PREDICTION_DEADLOCK] = (struct prediction_total){.kind = "deadlock", .wanted = true};
	p->totals[PREDICTION_ATOMICITY].kind = "atomicity";
	p->totals[PREDICTION_ORDER].kind = "order";
}

static char *text_of(const struct prediction *p)
{
	struct strbuf to = STRBUF_INIT;

	report_prediction_text(p, false, &to);
	return to.text;
}

#define ASSERT_SAYS(text, words) assert_non_null(strstr(text, words))
#define ASSERT_SAYS_NOT(text, words) assert_null(strstr(text, words))

static void a_finding_has_its_schedule_and_its_stack(void **state)
{
	struct prediction p = {.file = NULL};
	char *text;

	fill(&p);
	text = text_of(&p);
	ASSERT_SAYS(text, "race 1: x: T1 writes\n  feasible under cdsr (stage sync)\n");
	ASSERT_SAYS(text, "  #3 T1 writes x\n      work                 ?\n");
	ASSERT_SAYS(text, "      thread created by main at a.c:20\n");
	ASSERT_SAYS(text, "  why: Because.\n  schedule: main x2, T1 x1\n");
	ASSERT_SAYS(text, "race: 1 feasible, 0 infeasible, 0 unknown (of 1 candidate)\n");
	ASSERT_SAYS(text, "deadlock: no candidates\n");
	ASSERT_SAYS_NOT(text, "predictable");
	free(text);
	prediction_fini(&p);
}

static void what_is_brief_or_suppressed_is_only_counted(void **state)
{
	struct prediction p = {.file = NULL};
	char *text;

	fill(&p);
	p.findings.items[0].prediction->brief = true;
	p.totals[PREDICTION_RACE].hidden = 1;
	text = text_of(&p);
	ASSERT_SAYS_NOT(text, "race 1:");
	ASSERT_SAYS(text, "race: 1 more places, shown with --show=0\n");
	free(text);
	p.findings.items[0].suppressed = true;
	text = text_of(&p);
	ASSERT_SAYS(text, "1 suppressed\n");
	free(text);
	prediction_fini(&p);
}

/* Nothing found is said only when everything was decided. */
static void undecided_is_not_clean(void **state)
{
	struct prediction p = {.file = NULL};
	char *text;

	fill(&p);
	findings_fini(&p.findings);
	p.totals[PREDICTION_RACE].feasible = 0;
	p.totals[PREDICTION_RACE].unknown = 1;
	text = text_of(&p);
	ASSERT_SAYS(text, "nothing found, but 1 of 1 candidates are undecided");
	free(text);
	p.totals[PREDICTION_RACE].unknown = 0;
	p.totals[PREDICTION_DEADLOCK].cut_at = 4;
	text = text_of(&p);
	ASSERT_SAYS(text, "nothing found, but not every cycle of locks was looked at\n");
	free(text);
	p.totals[PREDICTION_DEADLOCK].cut_at = 0;
	text = text_of(&p);
	ASSERT_SAYS(text, "no data race or deadlock is predictable from this trace under cdsr; "
			  "1 candidate, decided\n");
	free(text);
	prediction_fini(&p);
}

static void the_object_has_the_same(void **state)
{
	struct prediction p = {.file = NULL};
	struct strbuf to = STRBUF_INIT;
	struct json_out j;

	fill(&p);
	json_out_init(&j, &to);
	report_prediction_json(&p, &j);
	ASSERT_SAYS(to.text, "\"kind\": \"race\"");
	ASSERT_SAYS(to.text, "\"site\": \"a.c:7\"");
	ASSERT_SAYS(to.text, "\"steps\": 3");
	ASSERT_SAYS_NOT(to.text, "confirmation");
	strbuf_free(&to);
	prediction_fini(&p);
}

static void what_was_confirmed_is_summed_up(void **state)
{
	struct prediction p = {.file = NULL};
	struct strbuf to = STRBUF_INIT;

	fill(&p);
	p.confirmed = (struct prediction_confirmed){
		.feasible = 2, .run = 1, .confirmed = 1, .not_run = xstrdup("no time")};
	p.findings.items[0].prediction->confirmation = xstrdup("it got there");
	report_prediction_confirmed(&p, &to);
	assert_string_equal(to.text, "race: x: T1 writes: it got there\n"
				     "1 of 2 predictions confirmed by running them; 1 was not run: "
				     "no time\n");
	strbuf_free(&to);
	prediction_fini(&p);
}

/* What the user asked about and cannot be is an answer, no result; rules of it are none either. */
static void what_cannot_be_is_no_result(void **state)
{
	struct prediction p = {.file = NULL};
	struct findings all = VEC_INIT;
	struct strbuf to = STRBUF_INIT;

	fill(&p);
	findings_add(&p.findings, "order", FINDING_EXCLUDED, "no");
	p.findings.items[1].prediction = prediction_new("no");
	findings_move(&p.findings, &all);
	assert_int_equal(p.findings.count, 0);
	report_sarif_write(&all, "predict", "1", &to);
	ASSERT_SAYS(to.text, "\"ruleId\": \"race\"");
	ASSERT_SAYS_NOT(to.text, "order");
	strbuf_free(&to);
	findings_fini(&all);
	prediction_fini(&p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_finding_has_its_schedule_and_its_stack),
		cmocka_unit_test(what_is_brief_or_suppressed_is_only_counted),
		cmocka_unit_test(undecided_is_not_clean),
		cmocka_unit_test(the_object_has_the_same),
		cmocka_unit_test(what_was_confirmed_is_summed_up),
		cmocka_unit_test(what_cannot_be_is_no_result),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
