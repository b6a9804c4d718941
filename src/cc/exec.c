#include "cc/exec.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/log.h"
#include "base/proc.h"
#include "cc/whole.h"
#include "instr/extract.h"
#include "instr/instr.h"

/*
 * A signal from the terminal ends the running tool as well; this process only has to live long
 * enough to remove what is left.
 */
static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
	interrupted = number;
}

static void catch_signals(void)
{
	static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
	struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};

	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++)
		sigaction(numbers[i], &action, NULL);
}

static int run_tool(const struct cc_step *step, int *status, struct err *e)
{
	struct proc_result result = {0};
	int rc;

	for (size_t i = 0; step->args.items[i]; i++)
		log_debug(LOG_CC, "%s%s", i ? "    " : "run ", step->args.items[i]);
	rc = proc_run(step->args.items, 0, &result, e);
	if (!rc)
		*status = proc_exit_code(result.status);
	return rc;
}

/* Without the marks of the whole the program is as good, only slower when it is recorded. */
static int run_whole(struct cc_plan *p, const struct cc_step *step, int *status, struct err *e)
{
	struct cc_whole w = {.compiler = step->args.items[0],
			     .trial = step->from,
			     .dir = p->dir,
			     .flavor = p->flavor,
			     .link = step->args.items,
			     .output = step->to};
	struct cc_whole_files made = {NULL, 0, 0};
	int rc = cc_whole(&w, &made, e);

	for (size_t i = 0; i < made.count; i++)
		vec_push(&p->scratch, made.items[i]);
	vec_free(&made);
	if (!rc || interrupted)
		return rc;
	log_info(LOG_CC, "%s: %s; every point of it will be recorded", step->to, e->text);
	return run_tool(step, status, e);
}

static int run_step(struct cc_plan *p, const struct cc_step *step, int *status, struct err *e)
{
	struct instr_options options = {
		.flavor = instr_flavor_find(p->flavor),
		.source = step->source,
		.args = (const char *const *)step->args.items,
		.keep_debug = p->keep_debug,
		.mark_all = p->mark_all,
		.wanted = p->wanted,
	};
	int rc;

	switch (step->kind) {
	case STEP_RUN:
		return run_tool(step, status, e);
	case STEP_INSTRUMENT:
		rc = instr_file(step->from, step->to, &options, e);
		return rc ? err_wrap(e, "%s", step->source) : 0;
	case STEP_EXTRACT:
		return instr_extract(step->from, step->to, e);
	case STEP_WHOLE:
		return run_whole(p, step, status, e);
	case STEP_RENAME:
		if (rename(step->from, step->to))
			return err_errno(e, ERR_IO, "cannot write %s", step->to);
		return 0;
	}
	return 0;
}

static void clean_up(struct cc_plan *p)
{
	for (size_t i = 0; i < p->scratch.count; i++)
		unlink(p->scratch.items[i]);
	if (p->dir)
		rmdir(p->dir);
}

int cc_exec(struct cc_plan *p, bool verbose, int *status, struct err *e)
{
	int rc = 0;

	*status = 0;
	if (p->only_pass) {
		char **args = p->steps.items[0].args.items;

		execv(args[0], args);
		return err_errno(e, ERR_TOOL, "cannot run %s", args[0]);
	}
	catch_signals();
	for (size_t i = 0; i < p->steps.count && !rc && !*status && !interrupted; i++)
		rc = run_step(p, &p->steps.items[i], status, e);
	clean_up(p);
	if (interrupted) {
		signal(interrupted, SIG_DFL);
		raise(interrupted);
	}
	return rc;
}
