#include "unit.h"

#include "model/event.h"
#include "model/memory_model.h"
#include "model/schedule.h"

static const struct wire_choice sample[] = {
	{CHOICE_RUN, 0, 0, 3},
	{CHOICE_RUN, 0, 1, 1},
	{CHOICE_FLUSH, 0, 1, 2},
	{CHOICE_RUN, 0, 1, 1},
	{CHOICE_TIMEOUT, 0, 2, 0},
	{CHOICE_PICK, 0, 1, 4},
	{CHOICE_PICK, 0, THREAD_NONE, 1},
	{CHOICE_RUN, 0, 0, 1},
};
#define SAMPLE (sizeof(sample) / sizeof(sample[0]))

static void expanding_and_compacting_are_inverse(void **state)
{
	struct model_schedule longer = {.count = 0}, again = {.count = 0};
	struct err e = ERR_INIT;

	assert_ok(model_schedule_expand(&longer, sample, SAMPLE, 100, &e), e);
	assert_int_equal(longer.count, 10);
	assert_int_equal(longer.items[2].arg, 1);
	model_schedule_compact(&again, longer.items, longer.count);
	assert_int_equal(again.count, SAMPLE);
	assert_memory_equal(again.items, sample, sizeof(sample));
	vec_free(&longer);
	vec_free(&again);
}

static void expansion_is_bounded(void **state)
{
	struct wire_choice huge = {CHOICE_RUN, 0, 0, UINT32_MAX};
	struct model_schedule out = {.count = 0};
	struct err e = ERR_INIT;

	assert_error(model_schedule_expand(&out, &huge, 1, 1000, &e), ERR_LIMIT, e);
	assert_int_equal(out.count, 0);
	assert_error(model_schedule_expand(&out, sample, SAMPLE, 9, &e), ERR_LIMIT, e);
	vec_free(&out);
}

static void compaction_does_not_overflow(void **state)
{
	struct wire_choice two[2] = {{CHOICE_RUN, 0, 0, UINT32_MAX}, {CHOICE_RUN, 0, 0, 1}};
	struct model_schedule out = {.count = 0};

	model_schedule_compact(&out, two, 2);
	assert_int_equal(out.count, 2);
	vec_free(&out);
}

static void figures_are_right(void **state)
{
	struct model_schedule_summary s;

	model_schedule_count(&s, sample, SAMPLE);
	assert_int_equal(s.steps, 6);
	assert_int_equal(s.switches, 2);
	assert_int_equal(s.flushes, 1);
	assert_int_equal(s.timeouts, 1);
	assert_int_equal(s.picks, 2);
	assert_int_equal(s.threads, 2);
	model_schedule_count(&s, NULL, 0);
	assert_int_equal(s.steps + s.switches, 0);
}

static void text_goes_out_and_comes_back(void **state)
{
	struct model_schedule back = {.count = 0};
	struct strbuf b = STRBUF_INIT;
	struct err e = ERR_INIT;

	model_schedule_print(sample, SAMPLE, 100, &b);
	assert_string_equal(b.text, "T0*3 T1 T1.flush2 T1 T2.timeout T1.pick4 -.pick1 T0\n");
	assert_ok(model_schedule_parse(&back, b.text, &e), e);
	assert_int_equal(back.count, SAMPLE);
	assert_memory_equal(back.items, sample, sizeof(sample));
	strbuf_clear(&b);
	model_schedule_print(sample, 3, 8, &b);
	assert_string_equal(b.text, "T0*3 T1\nT1.flush2\n");
	strbuf_clear(&b);
	model_schedule_print(sample, 2, 0, &b);
	assert_string_equal(b.text, "T0*3\nT1\n");
	vec_clear(&back);
	assert_ok(model_schedule_parse(&back, "# start\n T1 # one\n\tT2*7", &e), e);
	assert_int_equal(back.count, 2);
	assert_int_equal(back.items[1].arg, 7);
	strbuf_free(&b);
	vec_free(&back);
}

static void malformed_text_is_named(void **state)
{
	static const char *const bad[] = {"x",
					  "T",
					  "T1*",
					  "T1*0",
					  "T65535",
					  "T1.flush",
					  "T1.timeout3",
					  "T1.pick",
					  "-",
					  "-.flush0",
					  "T1*4294967296",
					  "T1T2",
					  "T-1",
					  "T1.",
					  "1",
					  "T1*99999999999999999999"};
	struct model_schedule out = {.count = 0};
	struct err e = ERR_INIT;

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		char *text = xasprintf("T0\n%s T1", bad[i]);

		assert_error(model_schedule_parse(&out, text, &e), ERR_FORMAT, e);
		assert_contains(e.text, "line 2");
		assert_contains(e.text, bad[i]);
		free(text);
	}
	vec_free(&out);
}

static void kinds_have_names_and_classes(void **state)
{
	assert_string_equal(model_event_name(EVENT_COND_TIMEOUT), "wait-timeout");
	assert_string_equal(model_event_name(10), "?");
	assert_string_equal(model_event_name(1000), "?");
	assert_int_equal(model_event_find("spin-park"), EVENT_SPIN_PARK);
	assert_int_equal(model_event_find("nonsense"), EVENT_NONE);
	assert_int_equal(model_event_class(EVENT_RMW), EVENT_CLASS_ACCESS);
	assert_int_equal(model_event_class(EVENT_LOCK), EVENT_CLASS_SYNC);
	assert_int_equal(model_event_class(EVENT_EXIT), EVENT_CLASS_LIFE);
	assert_int_equal(model_event_class(EVENT_YIELD), EVENT_CLASS_MARKER);
	assert_int_equal(model_event_class(10), EVENT_CLASS_NONE);
	assert_true(model_event_reads(EVENT_RMW) && model_event_writes(EVENT_RMW));
	assert_false(model_event_writes(EVENT_ISSUE) || model_event_writes(EVENT_CAS_FAIL));
	assert_false(model_event_has_address(EVENT_IO) || model_event_has_address(EVENT_FENCE));
	for (unsigned kind = 0; kind < EVENT_KIND_MAX; kind++) {
		if (model_event_class(kind) != EVENT_CLASS_NONE)
			assert_int_equal(model_event_find(model_event_name(kind)), kind);
	}
}

static void models_are_found_by_name(void **state)
{
	assert_int_equal(model_memory_find("TSO"), MODEL_TSO);
	assert_int_equal(model_memory_find("pso"), MODEL_PSO);
	assert_int_equal(model_memory_find("arm"), -1);
	assert_null(model_memory_get(3));
	assert_false(model_memory_get(MODEL_SC)->buffered);
	assert_true(model_memory_get(MODEL_TSO)->keeps_write_write);
	assert_false(model_memory_get(MODEL_PSO)->keeps_write_write);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(expanding_and_compacting_are_inverse),
		cmocka_unit_test(expansion_is_bounded),
		cmocka_unit_test(compaction_does_not_overflow),
		cmocka_unit_test(figures_are_right),
		cmocka_unit_test(text_goes_out_and_comes_back),
		cmocka_unit_test(malformed_text_is_named),
		cmocka_unit_test(kinds_have_names_and_classes),
		cmocka_unit_test(models_are_found_by_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
