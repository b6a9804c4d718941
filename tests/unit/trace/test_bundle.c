#include "unit.h"

#include <glob.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "support_bundle.h"
#include "trace/bundle/reader.h"
#include "trace/bundle/writer.h"

static char *scratch, *dir;
static struct trace_bundle sample;

static int setup(void **state)
{
	memset(&sample, 0, sizeof(sample));
	support_bundle_fill(&sample);
	scratch = unit_scratch();
	dir = fs_join(scratch, "b");
	return 0;
}

static int teardown(void **state)
{
	fs_remove_flat_dir(dir, NULL);
	trace_bundle_fini(&sample);
	assert_int_equal(rmdir(scratch), 0); /* nothing half-written is left */
	free(dir);
	free(scratch);
	return 0;
}

static void what_is_written_is_read_back(void **state)
{
	struct trace_bundle back = TRACE_BUNDLE_INIT;
	struct err e = ERR_INIT;

	assert_ok(trace_bundle_write(dir, &sample, &e), e);
	assert_ok(trace_bundle_read(dir, &back, &e), e);
	support_bundle_assert_equal(&sample, &back);
	trace_bundle_fini(&back);
}

static void the_same_bundle_gives_the_same_bytes(void **state)
{
	char *second = fs_join(scratch, "c");
	static const char *const names[] = {"MANIFEST", "meta",	   "schedule", "events",
					    "threads",	"failure", "sites",    "symbols",
					    "notes",	"output",  "counters"};
	struct err e = ERR_INIT;

	assert_ok(trace_bundle_write(dir, &sample, &e), e);
	assert_ok(trace_bundle_write(second, &sample, &e), e);
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *a = fs_join(dir, names[i]), *b = fs_join(second, names[i]), *x, *y;
		size_t nx, ny;

		assert_ok(fs_read_file(a, 1 << 20, &x, &nx, &e), e);
		assert_ok(fs_read_file(b, 1 << 20, &y, &ny, &e), e);
		assert_int_equal(nx, ny);
		assert_memory_equal(x, y, nx);
		free(x);
		free(y);
		free(a);
		free(b);
	}
	assert_ok(trace_bundle_remove(second, &e), e);
	free(second);
}

static void existing_target_is_left_alone(void **state)
{
	struct err e = ERR_INIT;

	assert_int_equal(mkdir(dir, 0755), 0);
	assert_error(trace_bundle_write(dir, &sample, &e), ERR_EXISTS, e);
	assert_contains(e.text, dir);
}

static void unwritable_place_is_an_error(void **state)
{
	struct err e = ERR_INIT;

	assert_error(trace_bundle_write("/nonexistent/place/b", &sample, &e), ERR_IO, e);
	assert_error(trace_bundle_write("/proc/b", &sample, &e), ERR_IO, e);
}

static void inconsistent_recording_is_not_written(void **state)
{
	struct err e = ERR_INIT;

	sample.events.items[0].tid = 99;
	assert_error(trace_bundle_write(dir, &sample, &e), ERR_FORMAT, e);
	assert_contains(e.text, "thread 99");
	assert_false(fs_exists(dir));
}

static void abandoned_writer_leaves_nothing(void **state)
{
	struct trace_writer *w;
	struct err e = ERR_INIT;

	assert_ok(trace_writer_open(dir, &w, &e), e);
	assert_ok(trace_writer_parts(w, &sample, &e), e);
	trace_writer_abort(w);
	assert_false(fs_exists(dir));
	/* A commit without its parts fails and cleans up as well. */
	assert_ok(trace_writer_open(dir, &w, &e), e);
	assert_error(trace_writer_commit(w, &e), ERR_INTERNAL, e);
	assert_false(fs_exists(dir));
}

/* The child dies in the middle of writing; what it leaves is beside the target and has no MANIFEST.
 */
static void killed_writer_leaves_a_clearly_incomplete_bundle(void **state)
{
	struct trace_bundle back = TRACE_BUNDLE_INIT;
	struct err e = ERR_INIT;
	char *pattern = xasprintf("%s.incomplete-*", dir);
	glob_t found;
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		struct trace_writer *w;

		if (trace_writer_open(dir, &w, NULL) || trace_writer_parts(w, &sample, NULL) ||
		    trace_writer_events(w, sample.events.items, sample.events.count, NULL))
			_exit(1);
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_false(fs_exists(dir));
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	assert_int_equal(found.gl_pathc, 1);
	assert_error(trace_bundle_read(found.gl_pathv[0], &back, &e), ERR_INCOMPLETE, e);
	assert_ok(trace_bundle_remove(found.gl_pathv[0], &e), e);
	globfree(&found);
	free(pattern);
}

static void trailing_slash_means_the_same_place(void **state)
{
	char *slashed = xasprintf("%s//", dir);
	struct trace_bundle back = TRACE_BUNDLE_INIT;
	struct err e = ERR_INIT;

	assert_ok(trace_bundle_write(slashed, &sample, &e), e);
	assert_ok(trace_bundle_read(slashed, &back, &e), e);
	trace_bundle_fini(&back);
	free(slashed);
}

/* 200,000 events: several frames, streamed in and out. */
static void many_events_stream(void **state)
{
	const uint32_t n = 200000;
	struct trace_writer *w;
	struct trace_reader *r;
	struct wire_event event;
	struct err e = ERR_INIT;

	assert_ok(trace_writer_open(dir, &w, &e), e);
	for (uint32_t i = 0; i < n; i++) {
		struct wire_event v = {.addr = i * UINT64_C(2654435761),
				       .value = i,
				       .site = i % 5,
				       .tix = i / 3,
				       .tid = (uint16_t)(i % 3),
				       .kind = EVENT_READ,
				       .size = 8};

		assert_ok(trace_writer_events(w, &v, 1, &e), e);
	}
	assert_ok(trace_writer_parts(w, &sample, &e), e);
	assert_ok(trace_writer_commit(w, &e), e);

	assert_ok(trace_reader_open(dir, &r, &e), e);
	assert_int_equal(trace_reader_parts(r)->threads.count, 3);
	assert_int_equal(trace_reader_parts(r)->events.count, 0);
	for (uint32_t i = 0; i < n; i++) {
		assert_int_equal(trace_reader_next(r, &event, &e), 1);
		assert_true(event.value == i && event.tid == i % 3 && event.tix == i / 3);
	}
	assert_int_equal(trace_reader_next(r, &event, &e), 0);
	assert_int_equal(trace_reader_next(r, &event, &e), 0);
	trace_reader_close(r);
}

/* Compresses better than a reader accepts, so the writer has to store such frames plain. */
static void monotonous_events_stay_readable(void **state)
{
	struct wire_event same = {.tid = 0, .kind = EVENT_WRITE, .site = SITE_NONE};
	struct trace_bundle back = TRACE_BUNDLE_INIT;
	struct err e = ERR_INIT;

	vec_clear(&sample.events);
	for (uint32_t i = 0; i < 70000; i++)
		vec_push(&sample.events, same);
	assert_ok(trace_bundle_write(dir, &sample, &e), e);
	assert_ok(trace_bundle_read(dir, &back, &e), e);
	support_bundle_assert_equal(&sample, &back);
	trace_bundle_fini(&back);
}

static void removal_refuses_what_is_not_a_bundle(void **state)
{
	char *stray = fs_join(dir, "stray"), *manifest = fs_join(dir, "MANIFEST");
	struct err e = ERR_INIT;

	assert_ok(trace_bundle_remove(dir, &e), e); /* absent */
	assert_ok(fs_make_dirs(dir, &e), e);
	assert_error(trace_bundle_remove(dir, &e), ERR_FORMAT, e);
	assert_error(trace_bundle_remove("/etc/passwd", &e), ERR_FORMAT, e);
	rmdir(dir);
	assert_ok(trace_bundle_write(dir, &sample, &e), e);
	assert_ok(fs_write_file(stray, "x", 1, &e), e);
	assert_error(trace_bundle_remove(dir, &e), ERR_FORMAT, e);
	assert_contains(e.text, "stray");
	unlink(stray);
	/* An interrupted one may go. */
	unlink(manifest);
	assert_ok(trace_bundle_remove(dir, &e), e);
	assert_false(fs_exists(dir));
	free(manifest);
	free(stray);
}

static void the_kept_sample_of_version_1_still_reads(void **state)
{
	struct trace_bundle back = TRACE_BUNDLE_INIT;
	struct err e = ERR_INIT;

	assert_ok(trace_bundle_read(TEST_DATA_DIR "/bundle-v1", &back, &e), e);
	support_bundle_assert_equal(&sample, &back);
	trace_bundle_fini(&back);
}

#define test(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(what_is_written_is_read_back),
		test(the_same_bundle_gives_the_same_bytes),
		test(existing_target_is_left_alone),
		test(unwritable_place_is_an_error),
		test(inconsistent_recording_is_not_written),
		test(abandoned_writer_leaves_nothing),
		test(killed_writer_leaves_a_clearly_incomplete_bundle),
		test(trailing_slash_means_the_same_place),
		test(many_events_stream),
		test(monotonous_events_stay_readable),
		test(removal_refuses_what_is_not_a_bundle),
		test(the_kept_sample_of_version_1_still_reads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
