/*
 * Damaged bundles: every kind of damage has its own error, and no damage at any byte makes the
 * reader misbehave.
 */
#include "unit.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "support_bundle.h"
#include "trace/bundle/manifest.h"
#include "trace/bundle/writer.h"

static const char *const names[] = {"MANIFEST", "meta",	   "schedule", "events",
				    "threads",	"failure", "sites",    "symbols",
				    "notes",	"output",  "counters"};
#define NAMES (sizeof(names) / sizeof(names[0]))

static char *scratch, *dir;
static struct trace_bundle sample;

static int setup(void **state)
{
	struct err e = ERR_INIT;

	memset(&sample, 0, sizeof(sample));
	support_bundle_fill(&sample);
	scratch = unit_scratch();
	dir = fs_join(scratch, "b");
	return trace_bundle_write(dir, &sample, &e);
}

static int teardown(void **state)
{
	fs_remove_flat_dir(dir, NULL);
	rmdir(scratch);
	trace_bundle_fini(&sample);
	free(dir);
	free(scratch);
	return 0;
}

static void read_file(const char *name, char **text, size_t *n)
{
	char *path = fs_join(dir, name);
	struct err e = ERR_INIT;

	assert_ok(fs_read_file(path, 1 << 20, text, n, &e), e);
	free(path);
}

/* In place: the tests below write thousands of times, and truncating to nothing makes disks busy.
 */
static void write_file(const char *name, const char *text, size_t n)
{
	char *path = fs_join(dir, name);
	int fd = open(path, O_WRONLY | O_CREAT, 0644);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, n), n);
	assert_int_equal(ftruncate(fd, (off_t)n), 0);
	assert_int_equal(close(fd), 0);
	free(path);
}

/* Reads the bundle and expects this error, in one line that names the bundle and `words'. */
static void assert_refused(int code, const char *words)
{
	struct trace_bundle back = TRACE_BUNDLE_INIT;
	struct err e = ERR_INIT;

	assert_error(trace_bundle_read(dir, &back, &e), code, e);
	assert_contains(e.text, dir);
	assert_contains(e.text, words);
	assert_null(strchr(e.text, '\n'));
	assert_int_equal(back.threads.count, 0);
}

static void absent_bundle_is_not_found(void **state)
{
	fs_remove_flat_dir(dir, NULL);
	assert_refused(ERR_NOT_FOUND, "no bundle there");
}

static void a_file_is_no_bundle(void **state)
{
	struct err e = ERR_INIT;

	fs_remove_flat_dir(dir, NULL);
	assert_ok(fs_write_file(dir, "hello", 5, &e), e);
	assert_refused(ERR_FORMAT, "not a bundle");
	unlink(dir);
}

static void a_foreign_directory_is_no_bundle(void **state)
{
	fs_remove_flat_dir(dir, NULL);
	assert_int_equal(mkdir(dir, 0755), 0);
	assert_refused(ERR_FORMAT, "not a bundle");
	write_file("meta", "something else", 14);
	assert_refused(ERR_FORMAT, "not a bundle");
	write_file("MANIFEST", "Manifest-Version: 1.0\n", 22);
	assert_refused(ERR_FORMAT, "not a bundle");
}

static void without_manifest_it_is_incomplete(void **state)
{
	char *path = fs_join(dir, "MANIFEST");

	unlink(path);
	assert_refused(ERR_INCOMPLETE, "interrupted");
	free(path);
}

static void missing_and_truncated_and_longer_parts_are_told_apart(void **state)
{
	for (size_t i = 1; i < NAMES; i++) {
		char *path = fs_join(dir, names[i]), *text;
		size_t n;

		read_file(names[i], &text, &n);
		write_file(names[i], text, n - 1);
		assert_refused(ERR_INCOMPLETE, "truncated");
		write_file(names[i], text, n + 1);
		assert_refused(ERR_CHECKSUM, "corrupted");
		unlink(path);
		assert_refused(ERR_INCOMPLETE, "missing");
		write_file(names[i], text, n);
		free(text);
		free(path);
	}
}

static void newer_version_is_named(void **state)
{
	write_file("MANIFEST", "heddle-bundle 2\nwhatever\n", 25);
	assert_refused(ERR_VERSION, "version 2");
}

static void parts_of_another_bundle_do_not_fit(void **state)
{
	char *other = fs_join(scratch, "other"), *from = fs_join(other, "failure"), *text;
	struct err e = ERR_INIT;
	size_t n;

	sample.outcome.failure.value++;
	assert_ok(trace_bundle_write(other, &sample, &e), e);
	assert_ok(fs_read_file(from, 1 << 20, &text, &n, &e), e);
	write_file("failure", text, n);
	assert_refused(ERR_CHECKSUM, "failure");
	fs_remove_flat_dir(other, NULL);
	free(text);
	free(from);
	free(other);
}

/*
 * Reads the bundle whatever it is now: an error with a text, or a bundle that passes every check.
 * Returns the code.
 */
static int read_whatever(void)
{
	struct trace_bundle back = TRACE_BUNDLE_INIT;
	struct err e = ERR_INIT;
	int rc = trace_bundle_read(dir, &back, &e);

	if (rc) {
		assert_int_equal(e.code, rc);
		assert_true(e.text[0] != '\0');
		assert_int_equal(back.threads.count, 0);
	} else {
		assert_int_equal(back.threads.count, 3);
		trace_bundle_fini(&back);
	}
	return rc;
}

static void every_changed_byte_is_noticed(void **state)
{
	for (size_t i = 0; i < NAMES; i++) {
		char *text;
		size_t n;

		read_file(names[i], &text, &n);
		for (size_t at = 0; at < n; at++) {
			char kept = text[at];

			text[at] = (char)(kept ^ (at % 3 ? 0x01 : 0x80));
			write_file(names[i], text, n);
			assert_int_not_equal(read_whatever(), 0);
			text[at] = kept;
		}
		write_file(names[i], text, n);
		free(text);
	}
	assert_int_equal(read_whatever(), 0);
}

static void every_truncation_is_noticed(void **state)
{
	for (size_t i = 0; i < NAMES; i++) {
		char *text;
		size_t n;

		read_file(names[i], &text, &n);
		for (size_t length = 0; length < n; length++) {
			write_file(names[i], text, length);
			assert_int_not_equal(read_whatever(), 0);
		}
		write_file(names[i], text, n);
		free(text);
	}
	assert_int_equal(read_whatever(), 0);
}

#define test(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		test(absent_bundle_is_not_found),
		test(a_file_is_no_bundle),
		test(a_foreign_directory_is_no_bundle),
		test(without_manifest_it_is_incomplete),
		test(missing_and_truncated_and_longer_parts_are_told_apart),
		test(newer_version_is_named),
		test(parts_of_another_bundle_do_not_fit),
		test(every_changed_byte_is_noticed),
		test(every_truncation_is_noticed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
