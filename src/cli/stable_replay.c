/* heddle replay of what heddle check --stable recorded. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "cli/exit.h"
#include "cli/stable_check.h"
#include "explore/nested/record.h"

bool cli_stable_is_record(const char *dir)
{
	char *name = fs_join(dir, NESTED_RECORD_FILE);
	bool is = fs_is_file(name);

	free(name);
	return is;
}

/* The program's output is shown only when it is run once. */
static int run(struct nested_program *p, const struct nested_finding *f, uint64_t times,
	       uint64_t *same_times, struct err *e)
{
	int rc = 0;

	for (uint64_t i = 0; rc == 0 && i < times; i++) {
		struct nested_run once = {.status = 0};
		bool same = false;

		rc = nested_again(p, f, &same, &once, e);
		*same_times += same;
		if (times == 1 && once.output)
			fputs(once.output, stderr);
		nested_run_fini(&once);
		if (limit_reached(p->limit) != LIMIT_NONE)
			return err_set(e, ERR_LIMIT, "%s", limit_text(limit_reached(p->limit)));
	}
	return rc;
}

static int prepare(const struct nested_record *r, struct cli_exec *x, const struct cli_exec_opts *o,
		   struct nested_program *p, struct err *e)
{
	struct cli_exec_opts opts = *o;
	int rc;

	if (!opts.stdin_path)
		opts.stdin_path = r->input && strcmp(r->input, "-") != 0 ? r->input : "/dev/null";
	rc = cli_exec_prepare(x, "replay", &opts, true, e);
	if (rc == 0 && chdir(r->directory) != 0)
		rc = err_errno(e, ERR_IO, "%s", r->directory);
	p->path = r->program;
	p->argv = r->arguments.items;
	p->det = r->det;
	p->exit_fails = r->exit_fails;
	p->input = x->in_fd;
	p->hang_ns = o->hang_ns;
	p->limit = &x->limit;
	return rc ? rc : nested_program_begin(p, e);
}

int cli_stable_replay(const char *dir, const struct cli_exec_opts *o, uint64_t times)
{
	struct cli_exec x = {.in_fd = -1};
	struct nested_record r = {.program = NULL};
	struct nested_program p = {.input = -1};
	struct err e = ERR_INIT;
	char *library = NULL;
	uint64_t same = 0;
	int rc = nested_record_read(dir, &r, &e);

	if (rc == 0)
		rc = cli_stable_library(&library, &e);
	p.library = library;
	if (rc == 0)
		rc = prepare(&r, &x, o, &p, &e);
	if (rc == 0)
		rc = run(&p, &r.finding, times, &same, &e);
	if (rc == 0)
		printf("replay: %s in %" PRIu64 " of %" PRIu64 " executions (%s)\n",
		       same ? "it failed in the same way" : "it did not fail in the same way",
		       same ? same : times, times, r.kind);
	nested_program_end(&p);
	nested_record_fini(&r);
	free(library);
	cli_exec_end(&x);
	if (rc)
		return cli_exit_error("replay", &e);
	return same == times ? CLI_FINDINGS : CLI_INCONCLUSIVE;
}
