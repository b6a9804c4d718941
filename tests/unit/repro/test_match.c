#include "unit.h"

#include "repro/search/match.h"

/* main, two workers and one that flushes; the second worker failed at line 7, column 3. */
static void record(struct trace_recording *r, uint32_t kind, const char *text)
{
	static const char *const entries[] = {"main", "work", "work", "flush"};

	memset(r, 0, sizeof(*r));
	for (uint32_t i = 0; i < 4; i++) {
		struct trace_task t = {.entry = xstrdup(entries[i])};

		t.row.state = RECORD_THREAD_RUNS;
		t.row.creator = i ? 0 : RECORD_NO_THREAD;
		t.row.index = i ? i - 1 : 0;
		vec_push(&r->tasks, t);
	}
	r->failure.kind = kind;
	r->failure.signal = kind == RECORD_FAIL_SIGNAL ? 11 : 6;
	r->failure.thread = 2;
	snprintf(r->failure.text, sizeof(r->failure.text), "%s", text);
	r->place = (struct trace_place){xstrdup("step"), xstrdup("/src/a.c"), 7, 3};
}

/* Sites 1 and 2 are two reads of line 7. */
static void begin(struct repro_match *m, const struct trace_recording *r)
{
	repro_match_init(m, r);
	m->loaded = true;
	for (uint16_t i = 1; i <= 2; i++)
		vec_push(&m->sites, ((struct trace_site){.id = i,
							 .file = "a.c",
							 .dir = "",
							 .func = "step",
							 .name = "",
							 .line = 7,
							 .column = i * 3}));
}

static enum repro_likeness compare(const struct trace_recording *r, uint32_t kind, uint32_t tid,
				   uint32_t site, const char *text, enum repro_near *near)
{
	struct run_result now = RUN_RESULT_INIT;
	enum repro_likeness same;
	struct repro_match m;

	begin(&m, r);
	now.verdict = RUN_FAILURE;
	for (uint16_t i = 0; i < 5; i++)
		vec_push(&now.threads,
			 ((struct wire_thread){.tid = i, .child_index = i ? i - 1u : 0}));
	now.wire.failure.kind = kind;
	now.wire.failure.value = 11;
	now.wire.failure.tid = tid;
	now.wire.failure.site = site;
	snprintf(now.wire.failure.text, sizeof(now.wire.failure.text), "%s", text);
	same = repro_match(&m, &now);
	if (near)
		*near = m.near;
	repro_match_fini(&m);
	run_result_free(&now);
	return same;
}

static void a_thread_is_who_created_it_as_which_child(void **state)
{
	struct trace_recording r;
	enum repro_near near;

	(void)state;
	record(&r, RECORD_FAIL_SIGNAL, "");
	assert_int_equal(compare(&r, FAILURE_SIGNAL, 2, 1, "", &near), REPRO_SAME);
	assert_int_equal(compare(&r, FAILURE_SIGNAL, 1, 1, "", &near), REPRO_NEAR);
	assert_int_equal(near, REPRO_NEAR_THREAD);
	assert_int_equal(compare(&r, FAILURE_SIGNAL, 3, 1, "", NULL), REPRO_OTHER);
	assert_int_equal(compare(&r, FAILURE_SIGNAL, 0, 1, "", NULL), REPRO_OTHER);
	/* A child more than there were may be any of them, but never main. */
	assert_int_equal(compare(&r, FAILURE_SIGNAL, 4, 1, "", NULL), REPRO_NEAR);
	r.failure.thread = 0;
	assert_int_equal(compare(&r, FAILURE_SIGNAL, 4, 1, "", NULL), REPRO_OTHER);
	trace_recording_fini(&r);
}

static void operations_of_one_line_are_told_apart(void **state)
{
	struct trace_recording r;
	enum repro_near near;

	(void)state;
	record(&r, RECORD_FAIL_SIGNAL, "");
	assert_int_equal(compare(&r, FAILURE_SIGNAL, 2, 2, "", &near), REPRO_NEAR);
	assert_int_equal(near, REPRO_NEAR_LINE);
	/* The recorded column is nothing the program under control has: it says nothing. */
	r.place.column = 5;
	assert_int_equal(compare(&r, FAILURE_SIGNAL, 2, 2, "", NULL), REPRO_SAME);
	trace_recording_fini(&r);
}

static void assertions_of_one_line_are_told_apart(void **state)
{
	static const char *const text = "a.c:7: step: Assertion `f(\"x\") (y)' failed.";
	struct trace_recording r;

	(void)state;
	record(&r, RECORD_FAIL_ASSERT, text);
	assert_int_equal(compare(&r, FAILURE_ASSERT, 2, 1, "\"f(\"x\") (y)\" (a.c:7 step)", NULL),
			 REPRO_SAME);
	assert_int_equal(compare(&r, FAILURE_ASSERT, 2, 1, "\"g\" (a.c:7 step)", NULL),
			 REPRO_OTHER);
	assert_int_equal(compare(&r, FAILURE_ABORT, 2, 1, "", NULL), REPRO_OTHER);
	trace_recording_fini(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_thread_is_who_created_it_as_which_child),
		cmocka_unit_test(operations_of_one_line_are_told_apart),
		cmocka_unit_test(assertions_of_one_line_are_told_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
