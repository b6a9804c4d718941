#include "cli/check/each.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/limit.h"
#include "base/mem.h"
#include "base/proc.h"
#include "cli/check/each_report.h"
#include "cli/check/tests.h"
#include "cli/exec.h"
#include "cli/exit.h"

#define LARGEST_OUTPUT ((size_t)256 << 20)

struct each {
	const struct cli_each *o;
	struct cli_tests tests;
	char *dir; /* of the outputs; ours alone, removed at the end */
	VEC(struct cli_each_test) all;
	size_t next; /* to be started */
	unsigned running;
};

static char *file_of(const struct each *x, size_t test, const char *ending)
{
	return xasprintf("%s/%zu.%s", x->dir, test, ending);
}

/* Everything the user said but that, and what makes it one test. */
static char **child_argv(const struct each *x, const struct cli_each_test *t)
{
	const struct cli_each *o = x->o;
	size_t n = 0, words = 0;
	char **argv;

	while (o->words[words])
		words++;
	argv = xcalloc(o->option_count + words + 10, sizeof(*argv));
	argv[n++] = xstrdup("heddle");
	argv[n++] = xstrdup("check");
	for (size_t i = 0; i < o->option_count; i++)
		if (strcmp(o->options[i], "--each-test") != 0 && strcmp(o->options[i], "--") != 0)
			argv[n++] = xstrdup(o->options[i]);
	argv[n++] = xstrdup("--jobs=1");
	argv[n++] = xstrdup("--shard=1/1");
	argv[n++] = xasprintf("--test=%s", t->name);
	argv[n++] = xstrdup("--junit=");
	argv[n++] = xstrdup("--");
	for (size_t i = 0; i < words; i++)
		argv[n++] = xstrdup(o->words[i]);
	return argv;
}

/* In the child; only what may be done between fork and exec. */
static _Noreturn void become(char **argv, const char *out, const char *err)
{
	int to = open(out, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	int log = open(err, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	if (to >= 0 && log >= 0 && dup2(to, 1) >= 0 && dup2(log, 2) >= 0)
		execv("/proc/self/exe", argv);
	_exit(CLI_FAILURE);
}

static int start(struct each *x, size_t i, struct err *e)
{
	struct cli_each_test *t = &x->all.items[i];
	char **argv = child_argv(x, t);
	char *out = file_of(x, i, "out"), *err = file_of(x, i, "err");

	t->begun = limit_now();
	t->pid = fork();
	if (t->pid == 0)
		become(argv, out, err);
	free(out);
	free(err);
	cli_tests_argv_free(argv);
	if (t->pid < 0)
		return err_errno(e, ERR_IO, "cannot start a check");
	x->running++;
	return 0;
}

static char *read_output(const struct each *x, size_t i, const char *ending)
{
	char *path = file_of(x, i, ending), *text = NULL;
	struct err e = ERR_INIT;
	size_t bytes;

	if (fs_read_file(path, LARGEST_OUTPUT, &text, &bytes, &e) != 0)
		text = xasprintf("heddle check: %s\n", e.text);
	free(path);
	return text;
}

static void finish(struct each *x, pid_t pid, int status)
{
	for (size_t i = 0; i < x->all.count; i++) {
		struct cli_each_test *t = &x->all.items[i];

		if (t->pid != pid)
			continue;
		t->pid = 0;
		t->ns = limit_now() - t->begun;
		t->code = proc_exit_code(status);
		/* A check that died is a failure of the tool. */
		if (t->code > CLI_INCONCLUSIVE)
			t->code = CLI_FAILURE;
		t->out = read_output(x, i, "out");
		t->err = read_output(x, i, "err");
		t->done = true;
		x->running--;
	}
}

/* After an interruption nothing more is started; the checks have had the signal as well. */
static int run_all(struct each *x, struct err *e)
{
	unsigned jobs = x->o->jobs ? x->o->jobs : (unsigned)sysconf(_SC_NPROCESSORS_ONLN);
	int rc = 0, status;

	while (x->running || (rc == 0 && !cli_exec_stop && x->next < x->all.count)) {
		pid_t pid;

		while (rc == 0 && !cli_exec_stop && x->running < jobs && x->next < x->all.count)
			rc = start(x, x->next++, e);
		if (!x->running)
			break;
		pid = waitpid(-1, &status, 0);
		if (pid > 0)
			finish(x, pid, status);
		else if (errno != EINTR)
			return err_errno(e, ERR_IO, "waiting for the checks");
	}
	return rc;
}

static void choose(struct each *x)
{
	const struct cli_each *o = x->o;

	assert(o->shards >= 1 && o->shard >= 1 && o->shard <= o->shards);
	for (size_t i = 0; i < x->tests.names.count; i++)
		if (i % o->shards == o->shard - 1)
			vec_push(&x->all, ((struct cli_each_test){.name = x->tests.names.items[i],
								  .number = x->all.count}));
}

static void free_tests(struct each *x)
{
	for (size_t i = 0; i < x->all.count; i++) {
		free(x->all.items[i].out);
		free(x->all.items[i].err);
	}
	vec_free(&x->all);
	cli_tests_fini(&x->tests);
	if (x->dir)
		fs_remove_flat_dir(x->dir, NULL);
	free(x->dir);
}

/* The test cases that the checks wrote, as one suite. */
static int write_junit(struct each *x, struct err *e)
{
	struct report_junit junit = {.tests = 0};
	struct strbuf text = STRBUF_INIT;
	int rc;

	for (size_t i = 0; i < x->all.count; i++) {
		const struct cli_each_test *t = &x->all.items[i];

		report_junit_add(
			&junit, &(struct report_case){.suite = x->o->words[0],
						      .name = t->name,
						      .exit_code = t->code,
						      .message = t->verdict,
						      .text = t->out && t->out[0] ? t->out : t->err,
						      .ns = t->ns});
	}
	report_junit_write(&junit, x->o->words[0], &text);
	rc = fs_write_file(x->o->junit, text.text, text.length, e);
	report_junit_fini(&junit);
	strbuf_free(&text);
	return rc;
}

int cli_each_worse(int a, int b)
{
	static const int order[] = {CLI_CLEAN, CLI_INCONCLUSIVE, CLI_FAILURE, CLI_USAGE,
				    CLI_FINDINGS};
	int ranks[2] = {0, 0};

	for (int i = 0; i < 5; i++) {
		ranks[0] = order[i] == a ? i : ranks[0];
		ranks[1] = order[i] == b ? i : ranks[1];
	}
	return ranks[0] >= ranks[1] ? a : b;
}

/* A test that was not run is no success. */
static int sum_up(struct each *x)
{
	int code = x->all.count ? CLI_CLEAN : CLI_INCONCLUSIVE;

	for (size_t i = 0; i < x->all.count; i++) {
		struct cli_each_test *t = &x->all.items[i];

		if (!t->done)
			t->code = CLI_INCONCLUSIVE;
		cli_each_report_verdict(t);
		code = cli_each_worse(code, t->code);
	}
	return code;
}

int cli_each_run(const struct cli_each *each, int *code, struct err *e)
{
	struct each x = {.o = each};
	struct cli_each_report report;
	int rc;

	(void)cli_exec_interruptible();
	rc = cli_tests_list(&x.tests, each->words, e);
	if (rc == 0)
		rc = fs_make_temporary_dir("heddle-each", &x.dir, e);
	if (rc == 0) {
		choose(&x);
		rc = run_all(&x, e);
	}
	if (rc == 0) {
		*code = sum_up(&x);
		report = (struct cli_each_report){.program = each->words[0],
						  .tests = x.all.items,
						  .count = x.all.count,
						  .of = x.tests.names.count,
						  .disabled = x.tests.disabled,
						  .shard = each->shard,
						  .shards = each->shards,
						  .code = *code};
		cli_each_report(&report, each->json    ? CLI_EACH_JSON
					 : each->sarif ? CLI_EACH_SARIF
						       : CLI_EACH_TEXT);
	}
	if (rc == 0 && each->junit)
		rc = write_junit(&x, e);
	for (size_t i = 0; i < x.all.count; i++)
		free(x.all.items[i].verdict);
	free_tests(&x);
	return rc;
}
