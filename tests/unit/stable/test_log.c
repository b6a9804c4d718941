/* Schedule logs are input: every wrong length or reference is an error, never a crash. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/fs.h"
#include "stable/log.h"

#define ENTRIES 8

struct file {
	struct stable_log_header header;
	struct stable_entry entry[ENTRIES];
};

static const char path[] = "test_stable.log";

static struct file make(uint32_t entries)
{
	struct file f = {.header = {.magic = STABLE_LOG_MAGIC,
				    .version = STABLE_VERSION,
				    .entry_bytes = sizeof(struct stable_entry),
				    .bytes = entries * sizeof(struct stable_entry)}};
	for (uint32_t i = 0; i < ENTRIES; i++)
		f.entry[i] = (struct stable_entry){.time = i + 1, .op = STABLE_OP_MUTEX_LOCK};
	return f;
}

static int open_file(const struct file *f, size_t bytes, struct stable_log *log)
{
	struct err e = ERR_INIT;
	assert_int_equal(fs_write_file(path, f, bytes, &e), 0);
	int rc = stable_log_open(log, path, &e);
	unlink(path);
	if (rc != 0)
		assert_true(e.text[0] != 0);
	return rc;
}

static void expect_rc(const struct file *f, size_t bytes, int expected)
{
	struct stable_log log;
	assert_int_equal(open_file(f, bytes, &log), expected);
}

static void a_good_log_opens(void **state)
{
	struct file f = make(3);
	struct stable_log log;
	(void)state;
	assert_int_equal(open_file(&f, sizeof(f), &log), 0);
	assert_int_equal(log.op_count, 3);
	stable_log_close(&log);
}

static void truncation_is_noticed(void **state)
{
	struct file f = make(ENTRIES);
	(void)state;
	for (size_t bytes = 0; bytes < sizeof(f); bytes += 13)
		expect_rc(&f, bytes, bytes < sizeof(f.header) ? ERR_FORMAT : ERR_INCOMPLETE);
}

static void foreign_and_newer_files_are_refused(void **state)
{
	struct file f = make(1);
	(void)state;
	f.header.magic++;
	expect_rc(&f, sizeof(f), ERR_FORMAT);
	f = make(1);
	f.header.version++;
	expect_rc(&f, sizeof(f), ERR_VERSION);
}

static void wrong_references_are_refused(void **state)
{
	struct file f = make(2);
	(void)state;
	f.entry[1].stack = 1;
	expect_rc(&f, sizeof(f), ERR_FORMAT);
	f = make(2);
	f.entry[0].op = STABLE_OP_COUNT;
	expect_rc(&f, sizeof(f), ERR_FORMAT);
	f = make(2);
	f.entry[0] = (struct stable_entry){.op = STABLE_DEF_STACK, .stack = 2, .arg = 1};
	expect_rc(&f, sizeof(f), ERR_FORMAT);
	f = make(2);
	f.entry[0] = (struct stable_entry){.op = STABLE_DEF_STACK, .stack = 1, .arg = 60};
	expect_rc(&f, sizeof(f), ERR_FORMAT);
	f = make(2);
	f.entry[0] = (struct stable_entry){.op = STABLE_DEF_MODULE, .arg = 4000};
	expect_rc(&f, sizeof(f), ERR_FORMAT);
}

/* Any damage is an error or a log that can be read through. */
static void random_damage_never_crashes(void **state)
{
	(void)state;
	srand(1);
	for (int round = 0; round < 300; round++) {
		struct file f = make(ENTRIES);
		struct stable_log log;
		struct strbuf text = STRBUF_INIT;
		for (int i = 0; i < 6; i++)
			((unsigned char *)&f)[16 + rand() % (int)(sizeof(f) - 16)] =
				(unsigned char)rand();
		if (open_file(&f, sizeof(f), &log) == 0) {
			for (size_t i = 0; i < log.op_count; i++)
				stable_log_text(log.ops[i], &text);
			stable_log_close(&log);
		}
		strbuf_free(&text);
	}
}

static void the_first_difference_is_found(void **state)
{
	struct file f = make(4), g = make(4);
	struct stable_log a, b;
	size_t at_b;
	(void)state;
	g.entry[2].tid = 7;
	assert_int_equal(open_file(&f, sizeof(f), &a), 0);
	assert_int_equal(open_file(&g, sizeof(g), &b), 0);
	assert_int_equal(stable_log_difference(&a, &b, false, &at_b), 2);
	assert_int_equal(at_b, 2);
	assert_true(stable_log_difference(&a, &a, true, &at_b) == SIZE_MAX);
	stable_log_close(&a);
	stable_log_close(&b);
}

static void hints_and_time_do_not_count(void **state)
{
	struct file f = make(3), g = make(4);
	struct stable_log a, b;
	size_t at_b;
	(void)state;
	g.entry[1].op = STABLE_OP_SOBA_WAIT;
	assert_int_equal(open_file(&f, sizeof(f), &a), 0);
	assert_int_equal(open_file(&g, sizeof(g), &b), 0);
	assert_true(stable_log_difference(&a, &b, false, &at_b) == SIZE_MAX);
	assert_int_equal(stable_log_difference(&a, &b, true, &at_b), 1);
	stable_log_close(&a);
	stable_log_close(&b);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_good_log_opens),
		cmocka_unit_test(truncation_is_noticed),
		cmocka_unit_test(foreign_and_newer_files_are_refused),
		cmocka_unit_test(wrong_references_are_refused),
		cmocka_unit_test(random_damage_never_crashes),
		cmocka_unit_test(the_first_difference_is_found),
		cmocka_unit_test(hints_and_time_do_not_count),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
