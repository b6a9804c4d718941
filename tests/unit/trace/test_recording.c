#include "unit.h"

#include <sys/stat.h>

#include "support_recording.h"
#include "trace/bundle/bundle.h"
#include "trace/bundle/manifest.h"

static char *scratch, *dir;
static struct trace_recording sample;

static int setup(void **state)
{
	memset(&sample, 0, sizeof(sample));
	support_recording_fill(&sample);
	scratch = unit_scratch();
	dir = fs_join(scratch, "a.rec");
	return 0;
}

static int teardown(void **state)
{
	fs_remove_flat_dir(dir, NULL);
	trace_recording_fini(&sample);
	assert_int_equal(rmdir(scratch), 0); /* nothing half-written is left */
	free(dir);
	free(scratch);
	return 0;
}

static void what_is_written_is_read_back(void **state)
{
	struct trace_recording back = TRACE_RECORDING_INIT;
	struct strbuf a = STRBUF_INIT, b = STRBUF_INIT;
	struct err e = ERR_INIT;

	assert_ok(trace_recording_write(dir, &sample, &e), e);
	assert_ok(trace_recording_read(dir, &back, &e), e);
	for (size_t i = 0; i < trace_recording_part_count; i++) {
		trace_recording_parts[i].encode(&sample, &a);
		trace_recording_parts[i].encode(&back, &b);
		assert_int_equal(a.length, b.length);
	}
	assert_memory_equal(a.text, b.text, a.length);
	assert_int_equal(back.tasks.items[1].bits, 2000);
	for (unsigned i = 0; i < 2000; i++)
		assert_int_equal(trace_task_bit(&back.tasks.items[1], i), i % 3 == 0);
	assert_true(trace_marks_has(trace_recording_marks(&back, 17), 69));
	assert_false(trace_marks_has(trace_recording_marks(&back, 17), 68));
	assert_null(trace_recording_marks(&back, 18));
	trace_recording_fini(&back);
	strbuf_free(&a);
	strbuf_free(&b);
}

static void its_files_are_private(void **state)
{
	char *path = fs_join(dir, "inputs");
	struct err e = ERR_INIT;
	struct stat st;

	assert_ok(trace_recording_write(dir, &sample, &e), e);
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_int_equal(stat(dir, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	free(path);
}

static void bundle_and_recording_are_told_apart(void **state)
{
	struct trace_bundle b = TRACE_BUNDLE_INIT;
	struct err e = ERR_INIT;

	assert_ok(trace_recording_write(dir, &sample, &e), e);
	assert_true(trace_recording_is(dir));
	assert_int_equal(trace_bundle_read(dir, &b, &e), ERR_FORMAT);
	assert_non_null(strstr(e.text, "a recording, not a bundle"));
	assert_false(trace_recording_is(scratch));
}

/* Every byte of every file changed, and every file cut: always an error, never a crash. */
static void damage_is_noticed(void **state)
{
	struct err e = ERR_INIT;

	assert_ok(trace_recording_write(dir, &sample, &e), e);
	for (size_t i = 0; i < trace_recording_part_count; i++) {
		char *path = fs_join(dir, trace_manifest_part_name(trace_recording_parts[i].part));
		char *bytes;
		size_t n;

		assert_ok(fs_read_file(path, 1 << 20, &bytes, &n, &e), e);
		for (size_t at = 0; at < n; at++) {
			struct trace_recording r = TRACE_RECORDING_INIT;

			bytes[at] ^= 0x55;
			assert_ok(fs_write_file(path, bytes, n, &e), e);
			assert_true(trace_recording_read(dir, &r, &e) < 0);
			bytes[at] ^= 0x55;
			if (at % 16)
				continue;
			assert_ok(fs_write_file(path, bytes, at, &e), e);
			assert_true(trace_recording_read(dir, &r, &e) < 0);
		}
		assert_ok(fs_write_file(path, bytes, n, &e), e);
		free(bytes);
		free(path);
	}
}

/* Contents that decode but break the rules. */
static void rules_between_parts_are_checked(void **state)
{
	struct err e = ERR_INIT;

	sample.tasks.items[1].row.creator = 1;
	assert_int_equal(trace_recording_write(dir, &sample, &e), ERR_FORMAT);
	sample.tasks.items[1].row.creator = 0;
	sample.failure.thread = 2;
	assert_int_equal(trace_recording_write(dir, &sample, &e), ERR_FORMAT);
	sample.failure.thread = 1;
	sample.tasks.items[0].inputs.items[0].head.kind = RECORD_IN_MAX;
	assert_int_equal(trace_recording_write(dir, &sample, &e), ERR_FORMAT);
	sample.tasks.items[0].inputs.items[0].head.kind = RECORD_IN_READ;
	sample.tasks.items[0].stamps.items[0].kind = 0;
	assert_int_equal(trace_recording_write(dir, &sample, &e), ERR_FORMAT);
}

#define test(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(what_is_written_is_read_back),
		test(its_files_are_private),
		test(bundle_and_recording_are_told_apart),
		test(damage_is_noticed),
		test(rules_between_parts_are_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
