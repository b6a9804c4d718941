/* heddle check: a program under many schedules. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/exec.h"
#include "cli/exhaustive.h"
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
#define PREEMPTIONS_DEFAULT 2
#define EXHAUSTIVE STRATEGY_REPLAY /* no way to draw schedules: all of them */
#define EXHAUSTIVE_NS UINT64_C(60000000000)
/* What is tried before an exhaustive search: shallow failures show in milliseconds. */
#define PORTFOLIO_RUNS 5000
#define PORTFOLIO_NS UINT64_C(700000000) /* of each strategy */
#define PORTFOLIO_STEPS 20000

struct cmd_check_opts {
	struct cli_exec_opts exec;
	uint64_t runs, time_ns, jobs;
	const char *out;
	bool keep_going, json, stats, no_simplify, stop_on_first;
	int algorithm, races, static_deps;
	uint64_t loop_bound, max_executions;
};

#define UNSET (-1)

#define AT(field) offsetof(struct cmd_check_opts, field)

static const struct cli_option table[] = {
	{0, "algorithm", OPTION_CHOICE, AT(algorithm), NULL, 0, 0,
	 "learn|complete|classic|se|se-strong|dfs|dpor",
	 "exhaustive search: learn is exact and the default, the others are for comparison"},
	CLI_EXEC_CHOICE_OF(struct cmd_check_opts, "1000000", "random|pct|rr|dfs|exhaustive", NULL),
	{0, "preemptions", OPTION_UINT, AT(exec.preemptions), NULL, 0, 1000, "N",
	 "only schedules with so many preemptions [no bound; --strategy=dfs: 2]"},
	{0, "delays", OPTION_UINT, AT(exec.delays), NULL, 0, 1000, "N",
	 "dfs: most delays in a schedule, instead of preemptions"},
	{'n', "runs", OPTION_UINT, AT(runs), NULL, 1, UINT64_C(1000000000000000), "N",
	 "draw so many schedules [random unless --strategy says otherwise: 10000; dfs 100000]"},
	{'t', "time", OPTION_DURATION, AT(time_ns), NULL, 0, 0, "TIME", "stop after so long [exhaustive: 60 s]"},
	{'j', "jobs", OPTION_UINT, AT(jobs), "1", 1, 256, "N", "processes at the same time"},
	{0, "static-deps", OPTION_CHOICE, AT(static_deps), "off", 0, 0, "off|s|s+",
	 "classic, se: let reads change that nothing depends on (MCR-S, MCR-S+)"},
	{0, "loop-bound", OPTION_UINT, AT(loop_bound), NULL, 1, 1000000, "N",
	 "exhaustive: a thread passes a place in a loop at most so often"},
	{0, "max-executions", OPTION_UINT, AT(max_executions), NULL, 1, UINT64_C(1000000000000), "N",
	 "exhaustive: most executions of the program"},
	{0, "races", OPTION_CHOICE, AT(races), "warn", 0, 0, "error|warn|off",
	 "data races in an exhaustive search: a failure, listed, or not looked for"},
	{'k', "keep-going", OPTION_FLAG, AT(keep_going), NULL, 0, 0, NULL,
	 "go on after a failure and report every distinct one"},
	{0, "all", OPTION_FLAG, AT(keep_going), NULL, 0, 0, NULL, "the same"},
	{0, "stop-on-first", OPTION_FLAG, AT(stop_on_first), NULL, 0, 0, NULL,
	 "end at the first failure (the default)"},
	{'o', "output", OPTION_STRING, AT(out), CLI_OUT_DEFAULT, 0, 0, "DIR",
	 "directory for the recordings of failures"},
	{0, "no-simplify", OPTION_FLAG, AT(no_simplify), NULL, 0, 0, NULL,
	 "do not look for a failing schedule with fewer context switches"},
	{0, "json", OPTION_FLAG, AT(json), NULL, 0, 0, NULL, "report as JSON"},
	{0, "stats", OPTION_FLAG, AT(stats), NULL, 0, 0, NULL, "print counters at the end"},
	CLI_EXEC_ENGINE(struct cmd_check_opts),
	{0, NULL, OPTION_FLAG, 0, NULL, 0, 0, NULL, NULL},
};

static const struct cli_options options = {
	.command = "check",
	.operands = "PROGRAM [ARGUMENT...]",
	.about =
		"Looks at every behaviour of a program built with heddle cc, or at many schedules "
		"of it with --strategy or --runs, and reports failures: assertions, aborts, fatal "
		"signals, deadlocks, livelocks, heap misuse, data races. Each one is kept as a "
		"recording that heddle replay runs again.",
	.table = table,
};

struct cmd_check {
	struct cmd_check_opts opts;
	struct cli_exec exec;
	struct cli_out out;
	struct run_campaign campaign;
	struct cli_exhaustive exhaustive;
	struct cli_exhaustive_opts exhaustive_opts;
	bool is_exhaustive;
	struct report report;
	uint64_t unconfirmed;
	char unconfirmed_why[1024];
};

/* Asking for a number of runs is asking for schedules drawn at random. */
static int choose_strategy(struct cmd_check_opts *o, struct err *e)
{
	bool drawn = o->exec.strategy != UNSET && o->exec.strategy != EXHAUSTIVE;

	if (drawn && o->algorithm != UNSET)
		return err_set(e, ERR_USAGE,
			       "--algorithm is for an exhaustive search, --strategy draws schedules");
	if (o->algorithm > EXPLORE_ALGORITHMS)
		return err_set(e, ERR_USAGE, "this algorithm is not built in");
	if (o->static_deps && (o->algorithm < CLI_OTHERS + (int)EXPLORE_CLASSIC ||
			       o->algorithm > CLI_OTHERS + (int)EXPLORE_SE_STRONG))
		return err_set(e, ERR_USAGE,
			       "--static-deps goes with --algorithm=classic, se or se-strong");
	if (o->keep_going && o->stop_on_first)
		return err_set(e, ERR_USAGE, "--all and --stop-on-first contradict each other");
	if (o->exec.strategy == STRATEGY_DFS && o->exec.preemptions == CLI_EXEC_UNSET)
		o->exec.preemptions = PREEMPTIONS_DEFAULT;
	if (o->exec.strategy == UNSET)
		o->exec.strategy = o->runs && o->algorithm == UNSET ? STRATEGY_RANDOM : EXHAUSTIVE;
	return 0;
}

static void choose_runs(struct cmd_check *c)
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
static int measure_steps(struct cmd_check *c, struct err *e)
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

static int draw_schedules(struct cmd_check *c, struct err *e)
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

/* Random and priority-based schedules, round robin, few preemptions: none of them for long. */
static int try_portfolio(struct cmd_check *c, struct err *e)
{
	static const uint32_t strategies[] = {STRATEGY_RANDOM, STRATEGY_PCT, STRATEGY_RR,
					      STRATEGY_DFS};
	uint64_t runs = c->opts.runs, time_ns = c->opts.time_ns;
	struct wire_job job = c->exec.job;
	int rc = 0;

	c->opts.runs = PORTFOLIO_RUNS;
	c->opts.time_ns = PORTFOLIO_NS;
	for (size_t i = 0; i < sizeof(strategies) / sizeof(strategies[0]) && rc == 0 &&
			   c->campaign.findings.count == 0 && !c->campaign.stats.in_trouble;
	     i++) {
		c->exec.job = job;
		c->exec.job.strategy = strategies[i];
		c->exec.job.bound = strategies[i] == STRATEGY_DFS ? PREEMPTIONS_DEFAULT
								  : (uint32_t)c->opts.exec.depth;
		c->exec.job.runs = PORTFOLIO_RUNS;
		if (job.max_steps == 0 || job.max_steps > PORTFOLIO_STEPS)
			c->exec.job.max_steps = PORTFOLIO_STEPS;
		if (strategies[i] == STRATEGY_PCT)
			rc = measure_steps(c, e);
		if (rc == 0)
			rc = draw_schedules(c, e);
	}
	if (c->campaign.findings.count == 0 || c->opts.keep_going)
		c->exec.job = job;
	c->opts.runs = runs;
	c->opts.time_ns = time_ns;
	return rc;
}

/* A program that the search cannot hold still deserves many schedules. */
static int draw_instead(struct cmd_check *c, struct err *e)
{
	uint64_t time_ns = c->opts.time_ns;
	int rc;

	c->opts.runs = RUNS_DEFAULT;
	c->opts.time_ns = time_ns ? time_ns : EXHAUSTIVE_NS;
	c->exec.job.strategy = STRATEGY_RANDOM;
	c->exec.job.runs = RUNS_DEFAULT;
	rc = draw_schedules(c, e);
	c->exhaustive.drawn = c->campaign.stats.runs;
	c->opts.time_ns = time_ns;
	return rc;
}

static int search_all(struct cmd_check *c, struct err *e)
{
	struct cli_exhaustive_opts *o = &c->exhaustive_opts;
	struct run_guest *guest = NULL;
	int rc = 0;

	*o = (struct cli_exhaustive_opts){
		.algorithm = c->opts.algorithm == UNSET ? CLI_LEARN : c->opts.algorithm,
		.races = c->opts.races,
		.all = c->opts.keep_going,
		.loop_bound = c->opts.loop_bound,
		.max_executions = c->opts.max_executions,
		.limit_ns = c->opts.time_ns ? c->opts.time_ns : EXHAUSTIVE_NS,
		.preemptions = c->opts.exec.preemptions,
		.jobs = c->opts.jobs,
		.static_deps = c->opts.static_deps,
	};
	if (c->opts.algorithm == UNSET)
		rc = try_portfolio(c, e);
	if (rc || (c->campaign.findings.count && !c->opts.keep_going) ||
	    c->campaign.stats.in_trouble || c->campaign.stats.stopped)
		return rc;
	c->is_exhaustive = true;
	rc = run_guest_new(&c->exec.guest, &guest, e);
	if (rc == 0)
		rc = cli_exhaustive_run(&c->exhaustive, &c->exec, guest, o, e);
	run_guest_free(guest);
	if (rc == 0 && c->exhaustive.result.unmodelled && c->opts.algorithm == UNSET &&
	    c->exhaustive.result.findings.count == 0)
		rc = draw_instead(c, e);
	return rc;
}

/* A failure that does not come back is counted and explained, not reported as a finding. */
static int report_one(struct cmd_check *c, const struct cli_finding *ctx, const struct run_finding *f,
		      struct err *e)
{
	struct err why = ERR_INIT;
	int rc = cli_finding_add(ctx, f, &why);

	if (rc == ERR_MISMATCH) {
		c->unconfirmed++;
		snprintf(c->unconfirmed_why, sizeof(c->unconfirmed_why), "%s", why.text);
		return 0;
	}
	if (rc != 0)
		*e = why;
	return rc;
}

static bool campaign_has(const struct cmd_check *c, uint64_t key)
{
	for (size_t i = 0; i < c->campaign.findings.count; i++)
		if (c->campaign.findings.items[i]->key == key)
			return true;
	return false;
}

static int report_findings(struct cmd_check *c, struct err *e)
{
	struct check_result *all = &c->exhaustive.result;
	struct cli_finding ctx = {
		.exec = &c->exec,
		.out = &c->out,
		.report = &c->report,
		.simplify = !c->opts.no_simplify,
	};
	int rc = 0;

	if (c->campaign.findings.count + all->findings.count + all->races.count == 0)
		return 0;
	rc = run_guest_new(&c->exec.guest, &ctx.guest, e);
	for (size_t i = 0; rc == 0 && i < c->campaign.findings.count; i++)
		rc = report_one(c, &ctx, c->campaign.findings.items[i], e);
	for (size_t i = 0; rc == 0 && i < all->findings.count; i++)
		if (!campaign_has(c, all->findings.items[i]->key))
			rc = report_one(c, &ctx, all->findings.items[i], e);
	if (rc == 0)
		rc = cli_exhaustive_races(&c->exhaustive, &ctx, e);
	run_guest_free(ctx.guest);
	return rc;
}

static int finish(struct cmd_check *c)
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

	if (c->is_exhaustive) {
		summary.model = report_word_model(c->exec.job.model);
		if (c->unconfirmed)
			cli_exhaustive_doubt(&c->exhaustive, c->unconfirmed_why);
		cli_exhaustive_verdict(&c->exhaustive, &c->exhaustive_opts, c->report.findings,
				       &summary, &text);
	} else {
		cli_verdict_check(&verdict, &summary, &text);
	}
	report_end(&c->report, &summary);
	cli_print_report(&c->report, stdout);
	strbuf_free(&text);
	return summary.exit_code;
}

static int check(struct cmd_check *c, char **words, struct err *e)
{
	int rc = cli_exec_begin(&c->exec, "check", &c->opts.exec, words, true, e);

	if (rc == 0)
		rc = cli_out_init(&c->out, c->opts.out, c->exec.program.path, e);
	if (rc != 0)
		return rc;
	if (c->exec.job.strategy != EXHAUSTIVE)
		choose_runs(c);
	cli_print_begin(&c->report, c->opts.json, stdout);
	if (c->exec.job.strategy == STRATEGY_PCT)
		rc = measure_steps(c, e);
	if (rc == 0 && c->exec.job.strategy == EXHAUSTIVE)
		rc = search_all(c, e);
	else if (rc == 0)
		rc = draw_schedules(c, e);
	return rc == 0 ? report_findings(c, e) : rc;
}

int cmd_check_run(int argc, char **argv)
{
	struct cmd_check c = {.opts = {.exec = CLI_EXEC_OPTS_INIT, .algorithm = UNSET}};
	struct err e = ERR_INIT;
	int rest, rc;

	c.opts.exec.strategy = UNSET;
	c.opts.exec.preemptions = CLI_EXEC_UNSET;
	rc = cli_options_parse(&options, &c.opts, argc, argv, &rest, &e);

	if (rc == 0)
		rc = choose_strategy(&c.opts, &e);
	if (rc == 0 && rest >= argc)
		rc = err_set(&e, ERR_USAGE, "a program is missing (see heddle check --help)");
	if (rc != 0)
		return cli_exit_options(&options, rc, &e);
	rc = check(&c, argv + rest, &e);
	rc = rc == 0 ? finish(&c) : cli_exit_error("check", &e);
	run_campaign_fini(&c.campaign);
	cli_exhaustive_fini(&c.exhaustive);
	strbuf_free(&c.report.to);
	cli_out_fini(&c.out);
	cli_exec_end(&c.exec);
	return rc;
}
