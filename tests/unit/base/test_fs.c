#include "unit.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static char *scratch;

static int make_scratch(void **state)
{
	scratch = unit_scratch();
	return 0;
}

static int remove_scratch(void **state)
{
	struct err e = ERR_INIT;
	int rc = fs_remove_flat_dir(scratch, &e);

	free(scratch);
	return rc;
}

static void what_is_written_is_read_back(void **state)
{
	char *path = fs_join(scratch, "file"), *text;
	struct err e = ERR_INIT;
	size_t n;

	assert_ok(fs_write_file(path, "a\0b", 3, &e), e);
	assert_ok(fs_read_file(path, 100, &text, &n, &e), e);
	assert_int_equal(n, 3);
	assert_memory_equal(text, "a\0b", 4);
	free(text);
	assert_true(fs_is_file(path) && fs_exists(path) && !fs_is_dir(path));
	free(path);
}

static void too_large_and_absent_and_odd_files_are_errors(void **state)
{
	char *path = fs_join(scratch, "large"), *fifo = fs_join(scratch, "fifo"), *text;
	struct err e = ERR_INIT;

	assert_ok(fs_write_file(path, "12345", 5, &e), e);
	assert_error(fs_read_file(path, 4, &text, NULL, &e), ERR_LIMIT, e);
	assert_ok(fs_read_file(path, 5, &text, NULL, &e), e);
	free(text);
	assert_error(fs_read_file("/nonexistent/file", 10, &text, NULL, &e), ERR_NOT_FOUND, e);
	assert_error(fs_read_file(scratch, 10, &text, NULL, &e), ERR_FORMAT, e);
	assert_int_equal(mkfifo(fifo, 0600), 0);
	assert_error(fs_read_file(fifo, 10, &text, NULL, &e), ERR_FORMAT, e);
	free(fifo);
	free(path);
}

static void links_are_followed_only_where_they_are_trusted(void **state)
{
	char *path = fs_join(scratch, "target"), *link = fs_join(scratch, "link"), *text;
	struct err e = ERR_INIT;

	assert_ok(fs_write_file(path, "secret", 6, &e), e);
	assert_int_equal(symlink(path, link), 0);
	assert_ok(fs_read_file(link, 10, &text, NULL, &e), e);
	free(text);
	assert_error(fs_read_file_here(link, 10, &text, NULL, &e), ERR_IO, e);
	assert_ok(fs_read_file_here(path, 10, &text, NULL, &e), e);
	free(text);
	free(link);
	free(path);
}

static void failed_write_leaves_nothing(void **state)
{
	struct err e = ERR_INIT;

	assert_error(fs_write_file("/nonexistent/dir/file", "x", 1, &e), ERR_IO, e);
	assert_contains(e.text, "/nonexistent/dir/file");
	/* A directory in the place of the file: the rename fails, the temporary file goes. */
	char *dir = fs_join(scratch, "taken");
	assert_ok(fs_make_dirs(dir, &e), e);
	assert_error(fs_write_file(dir, "x", 1, &e), ERR_IO, e);
	char *temporary = xasprintf("%s.tmp.%d", dir, (int)getpid());
	assert_false(fs_exists(temporary));
	free(temporary);
	rmdir(dir);
	free(dir);
}

static void a_full_device_is_noticed(void **state)
{
	struct err e = ERR_INIT;
	int fd = open("/dev/full", O_WRONLY);
	FILE *f = fopen("/dev/full", "w");

	assert_true(fd >= 0 && f);
	assert_int_equal(fs_write_all(fd, "x", 1), -1);
	assert_int_equal(errno, ENOSPC);
	fputs("x", f);
	assert_error(fs_finish_output(f, "there", &e), ERR_IO, e);
	assert_contains(e.text, "there");
	fclose(f);
	close(fd);
}

static void directories_are_made_with_their_parents(void **state)
{
	char *deep = fs_join(scratch, "a/b//c/"), *file = fs_join(scratch, "plain");
	char *below = fs_join(file, "x");
	struct err e = ERR_INIT;

	assert_ok(fs_make_dirs(deep, &e), e);
	assert_true(fs_is_dir(deep));
	assert_ok(fs_make_dirs(deep, &e), e);
	assert_ok(fs_write_file(file, "", 0, &e), e);
	assert_error(fs_make_dirs(file, &e), ERR_IO, e);
	assert_error(fs_make_dirs(below, &e), ERR_IO, e);
	for (int i = 0; i < 3; i++) {
		*strrchr(deep, '/') = '\0';
		rmdir(deep);
	}
	free(below);
	free(file);
	free(deep);
	char *a = fs_join(scratch, "a");
	rmdir(a);
	free(a);
}

static void flat_removal_spares_directories_inside(void **state)
{
	char *dir = fs_join(scratch, "d"), *inner = fs_join(dir, "inner");
	struct err e = ERR_INIT;

	assert_ok(fs_remove_flat_dir(dir, &e), e);
	assert_ok(fs_make_dirs(inner, &e), e);
	assert_error(fs_remove_flat_dir(dir, &e), ERR_IO, e);
	assert_true(fs_is_dir(inner));
	rmdir(inner);
	assert_ok(fs_remove_flat_dir(dir, &e), e);
	assert_false(fs_exists(dir));
	free(inner);
	free(dir);
}

static void programs_are_found_in_the_path(void **state)
{
	char *found = fs_find_program("sh"), *self;

	assert_non_null(found);
	assert_int_equal(found[0], '/');
	free(found);
	assert_null(fs_find_program("no-such-program-anywhere"));
	assert_null(fs_find_program("/etc/passwd"));
	assert_null(fs_find_program(""));
	self = fs_self_dir();
	assert_true(fs_is_dir(self));
	free(self);
}

static void hash_is_fnv1a(void **state)
{
	char *path = fs_join(scratch, "hashed");
	struct err e = ERR_INIT;
	uint64_t hash;

	/* Published test vectors of FNV-1a 64. */
	assert_true(fs_hash(FS_HASH_START, "", 0) == UINT64_C(0xcbf29ce484222325));
	assert_true(fs_hash(FS_HASH_START, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
	assert_true(fs_hash(FS_HASH_START, "foobar", 6) == UINT64_C(0x85944171f73967e8));
	assert_ok(fs_write_file(path, "foobar", 6, &e), e);
	assert_ok(fs_hash_file(path, &hash, &e), e);
	assert_true(hash == UINT64_C(0x85944171f73967e8));
	free(path);
}

static void temporary_directories_are_where_the_user_wants_them(void **state)
{
	struct err e = ERR_INIT;
	struct stat st;
	char *dir;

	assert_int_equal(setenv("TMPDIR", scratch, 1), 0);
	assert_ok(fs_make_temporary_dir("one", &dir, &e), e);
	assert_int_equal(strncmp(dir, scratch, strlen(scratch)), 0);
	assert_int_equal(stat(dir, &st), 0);
	assert_int_equal(st.st_mode & 0777, 0700);
	assert_ok(fs_remove_flat_dir(dir, &e), e);
	free(dir);
	assert_int_equal(setenv("TMPDIR", "/nonexistent", 1), 0);
	assert_error(fs_make_temporary_dir("one", &dir, &e), ERR_IO, e);
	assert_null(dir);
	assert_int_equal(setenv("TMPDIR", "", 1), 0);
	assert_string_equal(fs_temporary_root(), "/tmp");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read_back),
		cmocka_unit_test(too_large_and_absent_and_odd_files_are_errors),
		cmocka_unit_test(links_are_followed_only_where_they_are_trusted),
		cmocka_unit_test(failed_write_leaves_nothing),
		cmocka_unit_test(a_full_device_is_noticed),
		cmocka_unit_test(directories_are_made_with_their_parents),
		cmocka_unit_test(flat_removal_spares_directories_inside),
		cmocka_unit_test(programs_are_found_in_the_path),
		cmocka_unit_test(hash_is_fnv1a),
		cmocka_unit_test(temporary_directories_are_where_the_user_wants_them),
	};

	return cmocka_run_group_tests(tests, make_scratch, remove_scratch);
}
