#include "unit.h"

#include <signal.h>
#include <sys/stat.h>

#include "base/proc.h"

static void output_is_captured(void **state)
{
	char *argv[] = {"sh", "-c", "echo out; echo err >&2", NULL};
	struct proc_result r;
	struct err e = ERR_INIT;

	assert_ok(proc_run(argv, PROC_CAPTURE | PROC_MERGE, &r, &e), e);
	assert_int_equal(proc_exit_code(r.status), 0);
	assert_string_equal(r.out, "out\nerr\n");
	assert_int_equal(r.out_bytes, 8);
	free(r.out);
}

static void much_output_does_not_block(void **state)
{
	char *argv[] = {"sh", "-c", "head -c 1000000 /dev/zero", NULL};
	struct proc_result r;
	struct err e = ERR_INIT;

	assert_ok(proc_run(argv, PROC_CAPTURE, &r, &e), e);
	assert_int_equal(r.out_bytes, 1000000);
	free(r.out);
}

static void exit_status_and_signals_come_back(void **state)
{
	char *exits[] = {"sh", "-c", "exit 7", NULL};
	char *dies[] = {"sh", "-c", "kill -9 $$", NULL};
	struct proc_result r;
	struct err e = ERR_INIT;

	assert_ok(proc_run(exits, PROC_QUIET, &r, &e), e);
	assert_int_equal(proc_exit_code(r.status), 7);
	assert_null(r.out);
	assert_ok(proc_run(dies, PROC_QUIET, &r, &e), e);
	assert_int_equal(proc_exit_code(r.status), 128 + SIGKILL);
}

static void absent_and_unusable_programs_are_named(void **state)
{
	char *absent[] = {"no-such-program-anywhere", NULL};
	char *text_file[] = {NULL, NULL};
	char *dir = unit_scratch(), *path = fs_join(dir, "bad");
	struct proc_result r;
	struct err e = ERR_INIT;

	assert_error(proc_run(absent, 0, &r, &e), ERR_NOT_FOUND, e);
	assert_contains(e.text, "no-such-program-anywhere");
	/* Executable by its mode, but no program: exec itself fails. */
	assert_ok(fs_write_file(path,
				"\x7f"
				"ELFgarbage",
				11, &e),
		  e);
	assert_int_equal(chmod(path, 0700), 0);
	text_file[0] = path;
	assert_error(proc_run(text_file, PROC_CAPTURE, &r, &e), ERR_TOOL, e);
	assert_contains(e.text, path);
	assert_ok(fs_remove_flat_dir(dir, &e), e);
	free(path);
	free(dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(output_is_captured),
		cmocka_unit_test(much_output_does_not_block),
		cmocka_unit_test(exit_status_and_signals_come_back),
		cmocka_unit_test(absent_and_unusable_programs_are_named),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
