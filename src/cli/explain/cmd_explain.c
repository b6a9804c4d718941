/* heddle explain: why it failed, beside a schedule that does not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/fs.h"
#include "cli/commands.h"
#include "cli/exec.h"
#include "cli/exit.h"
#include "cli/explain/forms.h"
#include "cli/explain/recording.h"
#include "cli/finding.h"
#include "cli/out.h"
#include "cli/place.h"
#include "cli/version.h"
#include "explain/explain.h"
#include "run/guest/inputs.h"
#include "run/guest/keep.h"
#include "trace/bundle/recording.h"

struct explain_cmd_opts {
	struct cli_exec_opts exec;
	struct cli_explain_forms forms;
	const char *out, *beside;
	bool all;
	uint64_t runs;
};

#define AT(field) offsetof(struct explain_cmd_opts, field)

static const struct cli_option table[] = {
	{0, "html", OPTION_STRING, AT(forms.html), NULL, 0, 0, "FILE",
	 "write a page for a browser, which needs nothing else"},
	{0, "dot", OPTION_STRING, AT(forms.dot), NULL, 0, 0, "FILE", "write a graph for Graphviz"},
	{0, "chrome", OPTION_STRING, AT(forms.chrome), NULL, 0, 0, "FILE",
	 "write both executions for the trace viewers of Chromium and Perfetto"},
	{0, "json", OPTION_FLAG, AT(forms.json), NULL, 0, 0, NULL, "print JSON"},
	{0, "sarif", OPTION_FLAG, AT(forms.sarif), NULL, 0, 0, NULL, "print SARIF"},
	{0, "all", OPTION_FLAG, AT(all), NULL, 0, 0, NULL,
	 "try all candidates instead of ending at the first good one"},
	{0, "beside", OPTION_STRING, AT(beside), NULL, 0, 0, "BUNDLE",
	 "set it beside this passing execution, or one nearer to it whose threads take the same "
	 "paths"},
	{0, "runs", OPTION_UINT, AT(runs), "1500", 1, UINT64_C(100000000), "N",
	 "schedules that are run in the search"},
	{'o', "out", OPTION_STRING, AT(out), CLI_OUT_DEFAULT, 0, 0, "DIR",
	 "where the passing execution is kept"},
	{'t', "time", OPTION_DURATION, AT(exec.time_ns), "60", 0, 0, "TIME",
	 "end the search after so long"},
	{0, "stdin", OPTION_STRING, AT(exec.stdin_path), NULL, 0, 0, "FILE|-",
	 "standard input of the program; the default is that of the bundle"},
	CLI_EXEC_ENGINE(struct explain_cmd_opts),
	{0, NULL, OPTION_FLAG, 0, NULL, 0, 0, NULL, NULL},
};

static const struct cli_options options = {
	.command = "explain",
	.operands = "BUNDLE|PACK|RECORDING",
	.about = "Explains a failing execution: finds one that passes and differs from it as "
		 "little as possible, runs both, and shows what differs, with advice that was "
		 "tested. Exit code 1: explained, 0: the bundle has no failure, 4: no passing "
		 "execution was found.",
	.table = table,
};

struct command {
	struct explain_cmd_opts opts;
	struct cli_exec exec;
	const char *dir;
	const char *name; /* what the user calls it */
	char *reproduced; /* bundle made from a recording */
	struct trace_bundle bundle;
	struct trace_bundle beside; /* bundle that passes */
	struct model_schedule beside_schedule;
	struct run_inputs inputs;
	struct run_guest *guest;
	struct explanation explanation;
};

static int read_bundle(struct command *c, struct err *e)
{
	int rc = trace_bundle_read(c->dir, &c->bundle, e);

	if (rc == 0 && !c->opts.exec.stdin_path)
		c->opts.exec.stdin_path = run_keep_input(&c->bundle);
	return rc;
}

static int read_beside(struct command *c, struct err *e)
{
	int rc = trace_bundle_read(c->opts.beside, &c->beside, e);

	if (rc == 0 && c->beside.outcome.outcome == OUTCOME_FAILURE)
		return err_set(e, ERR_USAGE, "the execution in %s did not pass", c->opts.beside);
	if (rc == 0 && strcmp(c->beside.meta.program, c->bundle.meta.program) != 0)
		return err_set(e, ERR_USAGE, "%s is of another program", c->opts.beside);
	for (size_t i = 0; rc == 0 && i < c->beside.schedule.count; i++)
		vec_push(&c->beside_schedule, c->beside.schedule.items[i]);
	return rc;
}

static int open_program(struct command *c, struct err *e)
{
	const struct trace_meta *m = &c->bundle.meta;
	int rc;

	if (m->argv.count == 0)
		return err_set(e, ERR_FORMAT, "%s does not say how to start the program", c->name);
	rc = trace_meta_check_binaries(m, e);
	if (rc == ERR_MISMATCH)
		return err_wrap(e, "the program is not the recorded one");
	if (rc != 0)
		return rc;
	run_program_set(&c->exec.program, m->program, m->cwd);
	run_program_set_argv(&c->exec.program, m->argv.items, m->argv.count);
	run_program_set_envp(&c->exec.program, m->environ.items, m->environ.count);
	if (run_keep_inputs(&c->bundle)) {
		rc = run_inputs_read(&c->inputs, run_keep_inputs(&c->bundle), e);
		c->exec.guest.inputs = &c->inputs;
	}
	return rc == 0 ? run_program_check(&c->exec.program, e) : rc;
}

static struct wire_job job_of(const struct trace_bundle *b)
{
	return (struct wire_job){
		.model = b->meta.model,
		.flags = b->meta.flags,
		.seed = b->meta.seed,
		.max_steps = b->meta.max_steps,
		.bound = b->meta.bound,
		.runs = 1,
	};
}

static void ask_weak(void *arg, const struct run_again *again, const struct run_result *r,
		     struct model_weak *out)
{
	cli_finding_advise(arg, again, r, out);
}

static int find_explanation(struct command *c, struct err *e)
{
	struct wire_job job = job_of(&c->bundle);
	struct explain_opts o = {
		.again = {.engine = &c->exec.engine, .guest = c->guest, .job = job},
		.keep = {&c->exec.program, HEDDLE_VERSION, &job, NULL, run_keep_inputs(&c->bundle)},
		.bundle = &c->bundle,
		.limit = &c->exec.limit,
		.max_runs = c->opts.runs,
		.all = c->opts.all,
		.beside = c->opts.beside ? &c->beside_schedule : NULL,
		.weak = ask_weak,
		.arg = &c->exec,
	};

	c->exec.job = (struct wire_job){
		.model = job.model,
		.flags = job.flags & (JOB_NATURE | JOB_SPURIOUS),
		.seed = job.seed,
		.max_steps = job.max_steps,
		.runs = 1,
	};
	return explain(&o, &c->explanation, e);
}

/* The passing execution is worth keeping: it can be replayed and debugged. */
static int keep_passing(struct command *c, struct err *e)
{
	struct strbuf name = STRBUF_INIT;
	struct cli_out out;
	int rc;

	/* That of a pack names files that are gone when we end. */
	if (!c->explanation.found || cli_place_sources())
		return 0;
	strbuf_addf(&name, "%s-passing", c->bundle.meta.program);
	rc = cli_out_init(&out, c->opts.out, name.text, e);
	strbuf_free(&name);
	if (rc != 0)
		return rc;
	rc = cli_out_write(&out, &c->explanation.passing.bundle, &c->explanation.passing.dir, e);
	cli_out_fini(&out);
	return rc;
}

static int run(struct command *c, struct err *e)
{
	int rc = cli_exec_prepare(&c->exec, "explain", &c->opts.exec, true, e);

	if (rc == 0)
		rc = open_program(c, e);
	if (rc == 0)
		rc = run_guest_new(&c->exec.guest, &c->guest, e);
	if (rc == 0)
		rc = find_explanation(c, e);
	return rc == 0 ? keep_passing(c, e) : rc;
}

static int no_failure(const struct command *c)
{
	if (c->opts.forms.json)
		printf("{\n  \"failing\": [],\n  \"alternate\": [],\n  \"variations\": [],\n"
		       "  \"branches\": [],\n  \"advice\": [],\n  \"events_all\": %zu,\n"
		       "  \"events_shown\": 0,\n  \"flows_shown\": 0,\n  \"pairs_tried\": 0,\n"
		       "  \"same_path\": false,\n  \"confirmed\": {\"failing\": false, "
		       "\"alternate\": false},\n  \"alternate_clean\": false,\n"
		       "  \"reason\": \"the execution did not fail\"\n}\n",
		       c->bundle.events.count);
	else
		printf("explain: the execution in %s did not fail, there is nothing to explain\n",
		       c->name);
	return CLI_CLEAN;
}

static int finish(struct command *c, struct err *e)
{
	const struct explanation *x = &c->explanation;
	int rc = cli_explain_write(&c->opts.forms, x, c->reproduced ? c->reproduced : c->name, e);

	if (rc != 0)
		return cli_exit_error("explain", e);
	if (x->found)
		return CLI_FINDINGS;
	if (!c->opts.forms.json && !c->opts.forms.sarif)
		printf("\nexplain: not explained: %s\n", x->reason);
	return CLI_INCONCLUSIVE;
}

static int answer(struct command *c, struct err *e)
{
	int rc = cli_place_open(&c->dir, false, e);

	if (rc != 0)
		return cli_exit_error("explain", e);
	if (fs_is_dir(c->dir) && trace_recording_is(c->dir)) {
		int code = cli_explain_reproduce(c->dir, c->opts.out, &c->reproduced, e);

		if (code != CLI_FINDINGS)
			return code == CLI_CLEAN ? no_failure(c) : code;
		c->dir = c->reproduced;
	}
	rc = read_bundle(c, e);
	if (rc == 0 && c->opts.beside)
		rc = read_beside(c, e);
	if (rc != 0)
		return cli_exit_error("explain", e);
	if (c->bundle.outcome.outcome != OUTCOME_FAILURE)
		return no_failure(c);
	rc = run(c, e);
	return rc == 0 ? finish(c, e) : cli_exit_error("explain", e);
}

int cmd_explain_run(int argc, char **argv)
{
	struct command c = {
		.opts = {.exec = CLI_EXEC_OPTS_INIT},
		.exec = {.in_fd = -1},
		.explanation = EXPLANATION_INIT,
	};
	struct err e = ERR_INIT;
	int rest, rc = cli_options_parse(&options, &c.opts, argc, argv, &rest, &e);

	if (rc == 0 && rest >= argc)
		rc = err_set(&e, ERR_USAGE, "a bundle is missing (see heddle explain --help)");
	else if (rc == 0 && rest + 1 < argc)
		rc = err_set(&e, ERR_USAGE, "'%s' is one word too many", argv[rest + 1]);
	if (rc != 0)
		return cli_exit_options(&options, rc, &e);
	c.dir = c.name = argv[rest];
	rc = answer(&c, &e);
	explanation_fini(&c.explanation);
	free(c.reproduced);
	run_guest_free(c.guest);
	vec_free(&c.inputs);
	trace_bundle_fini(&c.bundle);
	trace_bundle_fini(&c.beside);
	vec_free(&c.beside_schedule);
	cli_exec_end(&c.exec);
	return rc;
}
