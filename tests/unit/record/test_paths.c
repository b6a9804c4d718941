#include "record/paths.h"

#include <stdlib.h>
#include <string.h>

#include "unit.h"

/*
 * Points 0 and 1 in a row, then 2 behind the first way of 1; point 5 is a switch of four ways.
 * Paths from 0: way 0 ends (1 path); way 1 leads to 1, of which way 0 leads to 2 (2 paths) and way 1
 * ends.
 */
static struct record_path_start starts[] = {{1, 0}, {5, 1}, {8, 2}, {10, 5}};
static struct record_path_row rows[] = {
	{0, RECORD_WAY_BIT, 2, 1, {RECORD_NO_POINT, 1}},
	{1, RECORD_WAY_BIT, 2, 2, {2, RECORD_NO_POINT}},
	{2, RECORD_WAY_BIT, 2, 1, {RECORD_NO_POINT, RECORD_NO_POINT}},
	{5, RECORD_WAY_NUMBER, 4, 0, {RECORD_NO_POINT, RECORD_NO_POINT}},
};
static struct record_path_unit unit = {7, 4, 4, starts, rows};
static const struct record_path_tables tables = {&unit, 1, 1};

static void add_entry(struct trace_task *t, uint32_t of, uint32_t number)
{
	uint64_t entry = (uint64_t)of << 32 | number;

	for (unsigned k = RECORD_WORD_BITS; k-- > 0;)
		trace_task_push(t, entry >> k & 1);
}

static void expect_bits(const struct trace_task *t, const char *bits)
{
	assert_int_equal(t->bits, strlen(bits));
	for (size_t i = 0; bits[i]; i++)
		assert_int_equal(trace_task_bit(t, i), bits[i] - '0');
}

static struct trace_recording one_task(void)
{
	struct trace_recording r = TRACE_RECORDING_INIT;
	struct trace_task t = {.bits = 0};

	t.entry = strdup("main");
	vec_push(&r.tasks, t);
	return r;
}

static void every_path_has_its_ways(void **state)
{
	static const char *const expected[] = {"1", "011", "010", "00"};

	for (uint32_t k = 0; k < 4; k++) {
		struct trace_recording r = one_task();

		add_entry(&r.tasks.items[0], 7, 1 + k);
		record_paths_translate(&tables, &r);
		expect_bits(&r.tasks.items[0], expected[k]);
		trace_recording_fini(&r);
	}
}

static void switches_and_targets_are_numbers(void **state)
{
	struct trace_recording r = one_task();

	add_entry(&r.tasks.items[0], 7, 12);
	add_entry(&r.tasks.items[0], 0, 6);
	record_paths_translate(&tables, &r);
	expect_bits(&r.tasks.items[0], "10" "00000000000000000000000000000101");
	trace_recording_fini(&r);
}

static void places_move_with_their_entries(void **state)
{
	struct trace_recording r = one_task();
	struct record_stamp s = {.bits = 2 * RECORD_WORD_BITS, .kind = RECORD_AT_LOCK};

	add_entry(&r.tasks.items[0], 7, 2);
	add_entry(&r.tasks.items[0], 7, 4);
	add_entry(&r.tasks.items[0], 7, 1);
	vec_push(&r.tasks.items[0].stamps, s);
	record_paths_translate(&tables, &r);
	expect_bits(&r.tasks.items[0], "011001");
	assert_int_equal(r.tasks.items[0].stamps.items[0].bits, 5);
	trace_recording_fini(&r);
}

static void what_is_no_path_ends_the_stream(void **state)
{
	static const struct {
		uint32_t unit, number;
	} bad[] = {{7, 0}, {7, 14}, {8, 1}, {7, UINT32_MAX}};

	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		struct trace_recording r = one_task();

		add_entry(&r.tasks.items[0], 7, 2);
		add_entry(&r.tasks.items[0], bad[i].unit, bad[i].number);
		add_entry(&r.tasks.items[0], 7, 1);
		record_paths_translate(&tables, &r);
		expect_bits(&r.tasks.items[0], "011");
		assert_int_equal(r.notes.count, 1);
		trace_recording_fini(&r);
	}
}

static void damaged_tables_are_refused(void **state)
{
	struct record_paths head = {.magic = RECORD_PATHS_MAGIC, .unit = 7, .starts = 1};
	struct record_path_tables t = {NULL, 0, 0};
	struct err e = ERR_INIT;

	assert_int_equal(record_paths_parse(&t, (const char *)&head, sizeof(head), &e), ERR_FORMAT);
	assert_int_equal(record_paths_parse(&t, (const char *)&head, 7, &e), ERR_FORMAT);
	head.magic++;
	head.starts = 0;
	assert_int_equal(record_paths_parse(&t, (const char *)&head, sizeof(head), &e), ERR_FORMAT);
	record_paths_free(&t);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_path_has_its_ways),
		cmocka_unit_test(switches_and_targets_are_numbers),
		cmocka_unit_test(places_move_with_their_entries),
		cmocka_unit_test(what_is_no_path_ends_the_stream),
		cmocka_unit_test(damaged_tables_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
