/* Shared bytes, direct conflicts, and names of C++. */
#include "unit.h"

#include "report/demangle.h"
#include "report/sharing.h"

static void add(struct trace_bundle *b, uint16_t tid, uint8_t kind, uint64_t addr, uint8_t size)
{
	struct wire_event v = { .addr = addr, .tid = tid, .kind = kind, .size = size };

	vec_push(&b->events, v);
}

static uint8_t *marks_of(const struct trace_bundle *b)
{
	uint8_t *marks = xcalloc(b->events.count, 1);

	report_sharing(b, marks);
	return marks;
}

static void a_read_conflicts_with_the_next_write_of_another_thread(void **state)
{
	struct trace_bundle b = TRACE_BUNDLE_INIT;
	uint8_t *marks;

	add(&b, 0, EVENT_READ, 0x100, 4);
	add(&b, 1, EVENT_READ, 0x100, 4);
	add(&b, 1, EVENT_WRITE, 0x100, 4);
	add(&b, 1, EVENT_READ, 0x100, 4);
	marks = marks_of(&b);
	assert_int_equal(marks[0], SHARING_SHARED | SHARING_CONFLICT);
	assert_int_equal(marks[1], SHARING_SHARED);
	assert_int_equal(marks[2], SHARING_SHARED | SHARING_CONFLICT);
	assert_int_equal(marks[3], SHARING_SHARED);
	free(marks);
	trace_bundle_fini(&b);
}

static void only_the_first_read_after_a_write_conflicts(void **state)
{
	struct trace_bundle b = TRACE_BUNDLE_INIT;
	uint8_t *marks;

	add(&b, 0, EVENT_WRITE, 0x100, 8);
	add(&b, 1, EVENT_READ, 0x104, 4);
	add(&b, 1, EVENT_READ, 0x104, 4);
	marks = marks_of(&b);
	assert_true(marks[0] & SHARING_CONFLICT);
	assert_true(marks[1] & SHARING_CONFLICT);
	assert_false(marks[2] & SHARING_CONFLICT);
	free(marks);
	trace_bundle_fini(&b);
}

static void neighbours_in_one_word_are_not_shared(void **state)
{
	struct trace_bundle b = TRACE_BUNDLE_INIT;
	uint8_t *marks;

	add(&b, 0, EVENT_WRITE, 0x100, 4);
	add(&b, 1, EVENT_WRITE, 0x104, 4);
	add(&b, 1, EVENT_WRITE, 0x107, 1);
	marks = marks_of(&b);
	for (size_t i = 0; i < b.events.count; i++)
		assert_int_equal(marks[i], 0);
	free(marks);
	trace_bundle_fini(&b);
}

static void what_main_prepared_alone_is_not_shared(void **state)
{
	struct trace_bundle b = TRACE_BUNDLE_INIT;
	uint8_t *marks;

	add(&b, 0, EVENT_WRITE, 0x100, 4);
	add(&b, 0, EVENT_THREAD_CREATE, 0, 0);
	add(&b, 1, EVENT_READ, 0x100, 4);
	marks = marks_of(&b);
	assert_int_equal(marks[0], 0);
	assert_int_equal(marks[2], 0);
	free(marks);
	trace_bundle_fini(&b);
}

static void extreme_addresses_and_sizes_are_survived(void **state)
{
	struct trace_bundle b = TRACE_BUNDLE_INIT;
	uint8_t *marks;

	add(&b, 0, EVENT_WRITE, UINT64_MAX, 8);
	add(&b, 1, EVENT_READ, UINT64_MAX - 3, 255);
	add(&b, 0, EVENT_WRITE_RANGE, 8, 0);
	b.events.items[2].value = UINT64_MAX;
	add(&b, 1, EVENT_READ, 16, 8);
	marks = marks_of(&b);
	assert_true(marks[3] & SHARING_CONFLICT);
	free(marks);
	trace_bundle_fini(&b);
}

static void simple_names_are_demangled_and_others_left_alone(void **state)
{
	static const struct {
		const char *name, *plain;
	} cases[] = {
		{ "counter", "counter" },
		{ "_ZL5first", "first" },
		{ "_ZN4bank7balanceE", "bank::balance" },
		{ "_ZN12_GLOBAL__N_13logE", "(anonymous)::log" },
		{ "_ZNK4bank3sumEv", "bank::sum" },
		{ "_Z6workerPv", "worker" },
		{ "_ZSt4cout", "std::cout" },
		{ "_ZN4pairIiiE1aE", "_ZN4pairIiiE1aE" },
		{ "_ZL99first", "_ZL99first" },
		{ "_ZN", "_ZN" },
		{ "_Z", "_Z" },
		{ "", "" },
	};

	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		struct strbuf text = STRBUF_INIT;

		report_demangle(cases[i].name, &text);
		assert_string_equal(text.text ? text.text : "", cases[i].plain);
		strbuf_free(&text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_read_conflicts_with_the_next_write_of_another_thread),
		cmocka_unit_test(only_the_first_read_after_a_write_conflicts),
		cmocka_unit_test(neighbours_in_one_word_are_not_shared),
		cmocka_unit_test(what_main_prepared_alone_is_not_shared),
		cmocka_unit_test(extreme_addresses_and_sizes_are_survived),
		cmocka_unit_test(simple_names_are_demangled_and_others_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
