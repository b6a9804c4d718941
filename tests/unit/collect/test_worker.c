/* What a worker may do, and that nothing of it is left. */
#include "collect/worker.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/fs.h"

static char *dir, *output;
static _Atomic bool stop;

static int set_up(void **state)
{
	struct err e = ERR_INIT;

	stop = false;
	if (fs_make_temporary_dir("heddle-worker", &dir, &e))
		return -1;
	output = fs_join(dir, "output");
	return 0;
}

static int tear_down(void **state)
{
	fs_remove_tree(dir);
	free(dir);
	free(output);
	return 0;
}

static int run(const char *script, unsigned seconds, int *status, struct err *e)
{
	struct collect_worker w = {
		.dir = dir, .programs = dir, .self = dir, .seconds = seconds, .stop = &stop};
	char *argv[] = {"/bin/sh", "-c", (char *)script, NULL};

	*status = -1;
	return collect_worker_run(&w, argv, output, status, e);
}

static char *text_of(const char *name)
{
	struct err e = ERR_INIT;
	char *path = fs_join(dir, name), *text = NULL;

	assert_int_equal(fs_read_file(path, 4096, &text, NULL, &e), 0);
	free(path);
	return text;
}

/* The process whose number is in the file is over. */
static void expect_over(const char *name)
{
	char *text = text_of(name);
	pid_t pid = (pid_t)atol(text);

	assert_true(pid > 1);
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(errno, ESRCH);
	free(text);
}

static void status_and_output_are_handed_on(void **state)
{
	struct err e = ERR_INIT;
	char *text;
	int status;

	assert_int_equal(run("echo said; exit 5", 60, &status, &e), 0);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 5);
	text = text_of("output");
	assert_string_equal(text, "said\n");
	free(text);
}

static void a_signal_is_a_status(void **state)
{
	struct err e = ERR_INIT;
	int status;

	assert_int_equal(run("kill -SEGV $$", 60, &status, &e), 0);
	assert_true(WIFEXITED(status));
	assert_int_equal(WEXITSTATUS(status), 128 + SIGSEGV);
}

static void nothing_outlives_it(void **state)
{
	struct err e = ERR_INIT;
	int status;

	assert_int_equal(run("setsid sh -c 'sh -c \"echo \\$\\$ >one; exec sleep 1000\" & "
			     "echo $$ >two; exec sleep 1000' & "
			     "until [ -s one ] && [ -s two ]; do sleep 0.01; done",
			     60, &status, &e),
			 0);
	assert_int_equal(WEXITSTATUS(status), 0);
	expect_over("one");
	expect_over("two");
}

static void time_is_a_limit_for_all_of_it(void **state)
{
	struct err e = ERR_INIT;
	int status;

	assert_int_equal(run("setsid sh -c 'echo $$ >one; exec sleep 1000' & "
			     "trap '' TERM; while :; do sleep 1; done",
			     2, &status, &e),
			 ERR_LIMIT);
	expect_over("one");
}

static void the_end_of_the_collector_is_one(void **state)
{
	struct err e = ERR_INIT;
	int status;

	stop = true;
	assert_int_equal(run("sleep 1000", 1000, &status, &e), ERR_LIMIT);
}

static void there_is_no_network(void **state)
{
	struct err e = ERR_INIT;
	int status;

	assert_int_equal(run("exec python3 -c 'import socket; socket.socket(socket.AF_INET)'", 60,
			     &status, &e),
			 0);
	assert_int_not_equal(WEXITSTATUS(status), 0);
}

static void files_of_others_are_not_read(void **state)
{
	struct err e = ERR_INIT;
	int status;

	if (!collect_worker_confined())
		skip();
	assert_int_equal(run("cat /root/.profile /var/lib/dpkg/status", 60, &status, &e), 0);
	assert_int_not_equal(WEXITSTATUS(status), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(status_and_output_are_handed_on, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_signal_is_a_status, set_up, tear_down),
		cmocka_unit_test_setup_teardown(nothing_outlives_it, set_up, tear_down),
		cmocka_unit_test_setup_teardown(time_is_a_limit_for_all_of_it, set_up, tear_down),
		cmocka_unit_test_setup_teardown(the_end_of_the_collector_is_one, set_up, tear_down),
		cmocka_unit_test_setup_teardown(there_is_no_network, set_up, tear_down),
		cmocka_unit_test_setup_teardown(files_of_others_are_not_read, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
