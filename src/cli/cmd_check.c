/* heddle check: a program under many schedules. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/exec.h"
#include "cli/exit.h"
#include "cli/finding.h"
#include "cli/out.h"
#include "cli/print.h"
#include "cli/progress.h"
#include "cli/verdict.h"
#include "report/words.h"
#include "run/campaign.h"
#include "run/confirm.h"

#define RUNS_DEFAULT 10000
#define RUNS_DEFAULT_DFS 100000

struct check_opts {
	struct cli_exec_opts exec;
	uint64_t runs, time_ns, jobs;
	const char *out;
	bool keep_going, json, stats, no_simplify;
};

#define AT(field) offsetof(struct check_opts, field)

static const struct cli_option table[] = {
	CLI_EXEC_CHOICE(struct check_opts, "1000000"),
	{0, "preemptions", OPTION_UINT, AT(exec.preemptions), "2", 0, 1000, "N",
	 "dfs: most preemptions in a schedule"},
	{0, "delays", OPTION_UINT, AT(exec.delays), NULL, 0, 1000, "N",
	 "dfs: most delays in a schedule, instead of preemptions"},
	{'n', "runs", OPTION_UINT, AT(runs), NULL, 1, UINT64_C(1000000000000000), "N",
	 "runs [10000; dfs 100000; no limit with --time]"},
	{'t', "time", OPTION_DURATION, AT(time_ns), NULL, 0, 0, "TIME", "stop after so long"},
	{'j', "jobs", OPTION_UINT, AT(jobs), "1", 1, 256, "N", "processes at the same time"},
	{'k', "keep-going", OPTION_FLAG, AT(keep_going), NULL, 0, 0, NULL,
	 "go on after a failure and report every distinct one"},
	{'o', "output", OPTION_STRING, AT(out), CLI_OUT_DEFAULT, 0, 0, "DIR",
	 "directory for the recordings of failures"},
	{0, "no-simplify", OPTION_FLAG, AT(no_simplify), NULL, 0, 0, NULL,
	 "do not look for a failing schedule with fewer context switches"},
	{0, "json", OPTION_FLAG, AT(json), NULL, 0, 0, NULL, "report as JSON"},
	{0, "stats", OPTION_FLAG, AT(stats), NULL, 0, 0, NULL, "print counters at the end"},
	CLI_EXEC_ENGINE(struct check_opts),
	{0, NULL, OPTION_FLAG, 0, NULL, 0, 0, NULL, NULL},
};

static const struct cli_options options = {
	.command = "check",
	.operands = "PROGRAM [ARGUMENT...]",
	.about =
		"Runs a program built with heddle cc under many schedules and reports failures: "
		"assertions, aborts, fatal signals, deadlocks, livelocks, heap misuse. Each one is "
		"kept as a recording that heddle replay runs again.",
	.table = table,
};

struct check {
	struct check_opts opts;
	struct cli_exec exec;
	struct cli_out out;
	struct run_campaign campaign;
	struct report report;
	uint64_t unconfirmed;
	char unconfirmed_why[1024];
};

static void choose_runs(struct check *c)
{
	if (c->opts.runs == 0 && c->opts.time_ns == 0)
		c->opts.runs =
			c->opts.exec.strategy == STRATEGY_DFS ? RUNS_DEFAULT_DFS : RUNS_DEFAULT;
	c->exec.job.runs = c->opts.runs;
	if (c->opts.exec.strategy == STRATEGY_DFS && c->opts.jobs > 1) {
		if (!c->opts.exec.quiet)
			fprintf(stderr, "heddle check: a dfs search uses one process\n");
		c->opts.jobs = 1;
	}
}

/* PCT spreads its change points over the length of a run, so one run is made to measure it. */
static int measure_steps(struct check *c, struct err *e)
{
	struct run_result r = RUN_RESULT_INIT;
	struct run_guest *guest = NULL;
	struct wire_job job = c->exec.job;
	int rc = run_guest_new(&c->exec.guest, &guest, e);

	job.strategy = STRATEGY_RR;
	job.runs = 1;
	if (rc == 0)
		rc = run_engine_job(&c->exec.engine, guest, &job, NULL, &r, e);
	c->exec.job.expected_steps = r.wire.steps > 0 ? r.wire.steps : 1;
	run_result_free(&r);
	run_guest_free(guest);
	return rc;
}

static int explore(struct check *c, struct err *e)
{
	struct run_strategy_opts so = {c->exec.job, (unsigned)c->opts.jobs};
	struct cli_progress progress;
	struct run_campaign_opts co = {
		.guest = c->exec.guest,
		.engine = &c->exec.engine,
		.guests = (unsigned)c->opts.jobs,
		.limit_ns = c->opts.time_ns,
		.keep_going = c->opts.keep_going,
		.progress = cli_progress_show,
		.arg = &progress,
	};
	int rc;

	co.strategy = c->exec.job.strategy == STRATEGY_DFS ? run_strategy_dfs(&so)
							   : run_strategy_seeds(&so);
	cli_progress_begin(&progress, !c->opts.exec.quiet, c->opts.runs);
	rc = run_campaign(&c->campaign, &co, e);
	cli_progress_end(&progress);
	run_strategy_free(co.strategy);
	return rc;
}

/* A failure that does not come back is counted and explained, not reported as a finding. */
static int report_findings(struct check *c, struct err *e)
{
	struct cli_finding ctx = {
		.exec = &c->exec,
		.out = &c->out,
		.report = &c->report,
		.simplify = !c->opts.no_simplify,
	};
	struct err why = ERR_INIT;
	int rc = 0;

	if (c->campaign.findings.count == 0)
		return 0;
	rc = run_guest_new(&c->exec.guest, &ctx.guest, e);
	for (size_t i = 0; rc == 0 && i < c->campaign.findings.count; i++) {
		rc = cli_finding_add(&ctx, c->campaign.findings.items[i], &why);
		if (rc == ERR_MISMATCH) {
			c->unconfirmed++;
			snprintf(c->unconfirmed_why, sizeof(c->unconfirmed_why), "%s", why.text);
			rc = 0;
		} else if (rc != 0) {
			*e = why;
		}
	}
	run_guest_free(ctx.guest);
	return rc;
}

static int finish(struct check *c)
{
	struct cli_verdict verdict = {
		.job = &c->exec.job,
		.stats = &c->campaign.stats,
		.keep_going = c->opts.keep_going,
		.findings = c->report.findings,
		.unconfirmed = c->unconfirmed,
		.why = c->unconfirmed_why,
		.first = c->campaign.findings.count ? c->campaign.findings.items[0] : NULL,
	};
	struct report_summary summary = {
		.command = "check",
		.program = c->exec.program.path,
		.engine = report_word_engine(run_engine_now(&c->exec.engine)),
		.show_stats = c->opts.stats,
	};
	struct strbuf text = STRBUF_INIT;

	cli_verdict_check(&verdict, &summary, &text);
	report_end(&c->report, &summary);
	cli_print_report(&c->report, stdout);
	strbuf_free(&text);
	return summary.exit_code;
}

static int check(struct check *c, char **words, struct err *e)
{
	int rc = cli_exec_begin(&c->exec, "check", &c->opts.exec, words, true, e);

	if (rc == 0)
		rc = cli_out_init(&c->out, c->opts.out, c->exec.program.path, e);
	if (rc != 0)
		return rc;
	choose_runs(c);
	cli_print_begin(&c->report, c->opts.json, stdout);
	if (c->exec.job.strategy == STRATEGY_PCT)
		rc = measure_steps(c, e);
	if (rc == 0)
		rc = explore(c, e);
	return rc == 0 ? report_findings(c, e) : rc;
}

int cmd_check_run(int argc, char **argv)
{
	struct check c = {.opts = {.exec = CLI_EXEC_OPTS_INIT}};
	struct err e = ERR_INIT;
	int rest, rc = cli_options_parse(&options, &c.opts, argc, argv, &rest, &e);

	if (rc == 0 && rest >= argc)
		rc = err_set(&e, ERR_USAGE, "a program is missing (see heddle check --help)");
	if (rc != 0)
		return cli_exit_options(&options, rc, &e);
	rc = check(&c, argv + rest, &e);
	rc = rc == 0 ? finish(&c) : cli_exit_error("check", &e);
	run_campaign_fini(&c.campaign);
	strbuf_free(&c.report.to);
	cli_out_fini(&c.out);
	cli_exec_end(&c.exec);
	return rc;
}
