#include "unit.h"

#include "model/path.h"

/* One unit with three points, the middle one not marked; main and its two threads, a handler between. */
static void fill(struct trace_recording *r)
{
	struct trace_marks m = {.head = {.points = 3, .words = 1}};
	static const uint32_t states[] = {RECORD_THREAD_RUNS, RECORD_THREAD_ENDED,
					  RECORD_THREAD_HANDLER, RECORD_THREAD_ENDED};
	static const uint32_t indices[] = {0, 0, 0, 1};
	struct trace_function f = {xstrdup("visit"), 1};

	memset(r, 0, sizeof(*r));
	m.words = xcalloc(1, sizeof(*m.words));
	m.words[0] = 5;
	vec_push(&r->marks, m);
	vec_push(&r->functions, f);
	for (uint32_t i = 0; i < 4; i++) {
		struct trace_task t = {.entry = xstrdup("")};

		t.row.state = states[i];
		t.row.creator = i ? 0 : RECORD_NO_THREAD;
		t.row.index = indices[i];
		vec_push(&r->tasks, t);
	}
}

static void push(struct trace_task *t, uint64_t value, unsigned bits)
{
	while (bits--)
		trace_task_push(t, (unsigned)(value >> bits & 1));
}

static void answers_come_in_order_at_marked_points_only(void **state)
{
	struct model_path_question branch = {0, 0, MODEL_PATH_BRANCH, 0};
	struct model_path_question unmarked = {0, 1, MODEL_PATH_BRANCH, 0};
	struct model_path_question way = {0, 2, MODEL_PATH_SUCCESSOR, 5};
	struct trace_recording r;
	struct model_path p;
	uint64_t out = 9;

	fill(&r);
	push(&r.tasks.items[0], 1, 1);
	push(&r.tasks.items[0], 4, 3);
	push(&r.tasks.items[0], 0, 1);
	model_path_begin(&p, &r, 0);
	assert_int_equal(model_path_next(&p, &branch, &out), MODEL_PATH_IS);
	assert_int_equal(out, 1);
	assert_int_equal(model_path_next(&p, &unmarked, &out), MODEL_PATH_UNMARKED);
	assert_int_equal(model_path_next(&p, &way, &out), MODEL_PATH_IS);
	assert_int_equal(out, 4);
	assert_false(model_path_done(&p));
	/* One bit is left: too few for a successor, enough for a branch. */
	assert_int_equal(model_path_next(&p, &way, &out), MODEL_PATH_END);
	assert_int_equal(model_path_next(&p, &branch, &out), MODEL_PATH_IS);
	assert_int_equal(out, 0);
	assert_true(model_path_done(&p));
	assert_int_equal(model_path_next(&p, &branch, &out), MODEL_PATH_END);
	trace_recording_fini(&r);
}

static void impossible_answers_are_refused(void **state)
{
	struct model_path_question way = {0, 2, MODEL_PATH_SUCCESSOR, 5};
	struct model_path_question call = {0, 0, MODEL_PATH_CALL, 0};
	struct trace_recording r;
	struct model_path p;
	uint64_t out;

	fill(&r);
	push(&r.tasks.items[0], 6, 3);
	push(&r.tasks.items[1], 1, RECORD_TARGET_BITS);
	push(&r.tasks.items[3], 0, RECORD_TARGET_BITS);
	push(&r.tasks.items[3], RECORD_TARGET_OUTSIDE, RECORD_TARGET_BITS);
	model_path_begin(&p, &r, 0);
	assert_int_equal(model_path_next(&p, &way, &out), MODEL_PATH_BROKEN);
	model_path_begin(&p, &r, 1);
	assert_int_equal(model_path_next(&p, &call, &out), MODEL_PATH_BROKEN);
	model_path_begin(&p, &r, 3);
	assert_int_equal(model_path_next(&p, &call, &out), MODEL_PATH_IS);
	assert_int_equal(out, 0);
	assert_int_equal(model_path_next(&p, &call, &out), MODEL_PATH_IS);
	assert_int_equal(out, RECORD_TARGET_OUTSIDE);
	trace_recording_fini(&r);
}

static void children_are_found_by_number(void **state)
{
	struct trace_recording r;

	fill(&r);
	assert_int_equal(model_path_child(&r, 0, 0), 1);
	assert_int_equal(model_path_child(&r, 0, 1), 3);
	assert_int_equal(model_path_child(&r, 0, 2), RECORD_NO_THREAD);
	assert_int_equal(model_path_child(&r, 1, 0), RECORD_NO_THREAD);
	trace_recording_fini(&r);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(answers_come_in_order_at_marked_points_only),
		cmocka_unit_test(impossible_answers_are_refused),
		cmocka_unit_test(children_are_found_by_number),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
