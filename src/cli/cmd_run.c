/* heddle run: one controlled execution, kept as a bundle. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/commands.h"
#include "cli/exec.h"
#include "cli/exit.h"
#include "cli/out.h"
#include "cli/print.h"
#include "cli/version.h"
#include "report/term.h"
#include "report/words.h"
#include "run/guest/keep.h"

/* One run cannot measure its own length first; pct spreads its change points over so many steps. */
#define EXPECTED_STEPS 1000

struct run_opts {
	struct cli_exec_opts exec;
	const char *out;
	bool markers;
};

#define AT(field) offsetof(struct run_opts, field)

static const struct cli_option table[] = {
	CLI_EXEC_CHOICE(struct run_opts, "0"),
	{'o', "output", OPTION_STRING, AT(out), CLI_OUT_DEFAULT, 0, 0, "DIR|NAME.heddle",
	 "directory for the recording, or its own name"},
	{0, "markers", OPTION_FLAG, AT(markers), NULL, 0, 0, NULL,
	 "record branches, function entries and calls too"},
	{'t', "time", OPTION_DURATION, AT(exec.time_ns), NULL, 0, 0, "TIME",
	 "end after so long, whatever is under way"},
	CLI_EXEC_ENGINE(struct run_opts),
	{0, NULL, OPTION_FLAG, 0, NULL, 0, 0, NULL, NULL},
};

static const struct cli_options options = {
	.command = "run",
	.operands = "PROGRAM [ARGUMENT...]",
	.about =
		"Runs a program built with heddle cc once under a schedule chosen by strategy and "
		"seed, and keeps the execution as a recording. The program's input and output pass "
		"through; the summary goes to stderr.",
	.table = table,
};

/* The process ends with the run, so an engine that only differs between runs has no meaning. */
static void make_job(struct cli_exec *x, const struct run_opts *o)
{
	x->job.flags |= JOB_ONCE | JOB_EVENTS | JOB_PASS_OUTPUT;
	if (o->markers)
		x->job.flags |= JOB_MARKERS;
	x->job.engine = o->exec.engine == ENGINE_AUTO ? ENGINE_FORK : (uint32_t)o->exec.engine;
	x->job.expected_steps = EXPECTED_STEPS;
}

static int exit_code_of(const struct run_result *r)
{
	if (r->verdict == RUN_CLEAN)
		return CLI_CLEAN;
	return r->verdict == RUN_FAILURE ? CLI_FINDINGS : CLI_INCONCLUSIVE;
}

static void say_result(const struct cli_exec *x, const struct run_result *r, struct strbuf *to)
{
	if (r->verdict == RUN_CLEAN)
		strbuf_addf(to, "ended with status %" PRIu64, r->wire.exit_status);
	else if (r->verdict == RUN_FAILURE)
		strbuf_addf(to, "failure: %s", report_word_failure(r->wire.failure.kind));
	else
		strbuf_addf(to, "inconclusive: %s%s%s", run_verdict_name(r->verdict),
			    r->reason[0] ? ": " : "", r->reason);
	strbuf_addf(to,
		    "; %" PRIu64 " steps, %" PRIu64 " events, %u threads (%s, seed %" PRIu64
		    ", %s)",
		    r->wire.steps, r->wire.event_count, r->wire.threads,
		    report_word_strategy(x->job.strategy), x->job.seed,
		    report_word_model(x->job.model));
	if (r->wire.event_lost > 0)
		strbuf_addf(to, "; the last %" PRIu64 " events were lost for lack of room",
			    r->wire.event_lost);
}

static void print_result(const struct cli_exec *x, const struct run_result *r,
			 const struct trace_bundle *b, const char *path)
{
	struct report report = {.ops = NULL};
	struct strbuf text = STRBUF_INIT;
	struct report_summary summary = {.command = "run", .exit_code = exit_code_of(r)};
	struct report_finding row = {.bundle = b, .dir = path};

	say_result(x, r, &text);
	summary.text = text.text;
	cli_print_begin(&report, &report_term, stderr);
	if (r->verdict == RUN_FAILURE && b)
		report_add(&report, &row);
	report_end(&report, &summary);
	if (path && !x->quiet)
		strbuf_addf(&report.to, "recording: %s\n", path);
	cli_print_report(&report, stderr);
	strbuf_free(&report.to);
	strbuf_free(&text);
}

/* A run without an answer has no events worth keeping. */
static bool is_worth_keeping(const struct run_result *r)
{
	return r->verdict == RUN_CLEAN || r->verdict == RUN_FAILURE || r->verdict == RUN_LIMIT;
}

static int keep(struct cli_exec *x, const struct cli_out *out, const struct run_guest *g,
		struct run_result *r, struct err *e)
{
	struct trace_bundle bundle = TRACE_BUNDLE_INIT;
	struct run_keep what = {&x->program, HEDDLE_VERSION, &x->job, r, NULL};
	char *path = NULL;
	int rc;

	if (!is_worth_keeping(r)) {
		print_result(x, r, NULL, NULL);
		return 0;
	}
	/* The bundle takes its own copy out of the control block; a third would be too much. */
	vec_free(&r->events);
	vec_free(&r->choices);
	rc = run_keep(&bundle, g, &what, e);
	if (rc == 0)
		rc = cli_out_write(out, &bundle, &path, e);
	if (rc == 0)
		print_result(x, r, &bundle, path);
	free(path);
	trace_bundle_fini(&bundle);
	return rc;
}

static int run(struct cli_exec *x, const struct run_opts *o, const struct cli_out *out,
	       int *exit_code, struct err *e)
{
	struct run_result r = RUN_RESULT_INIT;
	struct run_guest *guest = NULL;
	int rc = run_guest_new(&x->guest, &guest, e);

	if (rc == 0)
		rc = run_guest_job(guest, &x->job, NULL, &r, e);
	if (rc == 0)
		rc = keep(x, out, guest, &r, e);
	*exit_code = exit_code_of(&r);
	run_result_free(&r);
	run_guest_free(guest);
	return rc;
}

int cmd_run_run(int argc, char **argv)
{
	struct run_opts o = {.exec = CLI_EXEC_OPTS_INIT};
	struct cli_exec x;
	struct cli_out out = {.dir = NULL};
	struct err e = ERR_INIT;
	int exit_code = CLI_FAILURE, rest;
	int rc = cli_options_parse(&options, &o, argc, argv, &rest, &e);

	if (rc == 0 && rest >= argc)
		rc = err_set(&e, ERR_USAGE, "a program is missing (see heddle run --help)");
	if (rc != 0)
		return cli_exit_options(&options, rc, &e);
	rc = cli_exec_begin(&x, "run", &o.exec, argv + rest, false, &e);
	if (rc == 0)
		rc = cli_out_init(&out, o.out, x.program.path, &e);
	if (rc == 0) {
		make_job(&x, &o);
		rc = run(&x, &o, &out, &exit_code, &e);
	}
	if (rc != 0)
		exit_code = cli_exit_error("run", &e);
	cli_out_fini(&out);
	cli_exec_end(&x);
	return exit_code;
}
