/* heddle check: a program under many schedules. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/check/each.h"
#include "cli/check/select.h"
#include "cli/commands.h"
#include "cli/exec.h"
#include "cli/exhaustive.h"
#include "cli/exit.h"
#include "cli/finding.h"
#include "cli/out.h"
#include "cli/print.h"
#include "cli/progress.h"
#include "cli/stable_check.h"
#include "cli/verdict.h"
#include "cli/version.h"
#include "report/term.h"
#include "report/words.h"

struct cmd_check_opts {
	struct cli_exec_opts exec;
	uint64_t runs, jobs;
	const char *out;
	bool report[REPORT_FORMATS]; /* formats asked for */
	bool keep_going, json, stats, no_simplify, stop_on_first;
	int algorithm, races, static_deps;
	uint64_t loop_bound, max_executions;
	struct cli_side_opts side;
	struct cli_selection_opts select;
	struct cli_stable_opts stable;
};

#define UNSET CHECK_ANY

/* As in enum wire_strategy up to the search; what follows it: see choose_strategy(). */
#define STRATEGIES "random|pct|rr|dfs|exhaustive|surw|pos|feedback|mix"
#define AT(field) offsetof(struct cmd_check_opts, field)

static const struct cli_option table[] = {
	{0, "algorithm", OPTION_CHOICE, AT(algorithm), NULL, 0, 0,
	 "learn|complete|classic|se|se-strong|dfs|dpor",
	 "exhaustive search: learn is exact and the default, the others are for comparison"},
	CLI_EXEC_CHOICE_OF(struct cmd_check_opts, "1000000", STRATEGIES, NULL),
	{0, "preemptions", OPTION_UINT, AT(exec.preemptions), NULL, 0, 1000, "N",
	 "only schedules with so many preemptions [no bound; --strategy=dfs: 2]"},
	{0, "delays", OPTION_UINT, AT(exec.delays), NULL, 0, 1000, "N",
	 "dfs: most delays in a schedule, instead of preemptions"},
	{'n', "runs", OPTION_UINT, AT(runs), NULL, 1, UINT64_C(1000000000000000), "N",
	 "draw so many schedules [random unless --strategy says otherwise: 10000; dfs 100000]"},
	{'t', "time", OPTION_DURATION, AT(exec.time_ns), NULL, 0, 0, "TIME",
	 "end after so long, whatever is under way [exhaustive search: 60 s]"},
	{'j', "jobs", OPTION_UINT, AT(jobs), "1", 1, 256, "N", "processes at the same time"},
	{0, "static-deps", OPTION_CHOICE, AT(static_deps), "off", 0, 0, "off|s|s+",
	 "classic, se: let reads change that nothing depends on (MCR-S, MCR-S+)"},
	{0, "loop-bound", OPTION_UINT, AT(loop_bound), NULL, 1, 1000000, "N",
	 "exhaustive: a thread passes a place in a loop at most so often"},
	{0, "trust", OPTION_STRING, AT(exec.trust), NULL, 0, 0, "FUNCTION,...",
	 "functions that are not instrumented and touch nothing that threads share"},
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
	CLI_SELECTION_OPTIONS(AT(select)),
	CLI_STABLE_OPTIONS(AT(stable)),
	{0, "suppressions", OPTION_STRING, AT(side.suppressions), NULL, 0, 0, "FILE",
	 "findings that are known, lines kind:pattern; the others are all looked for"},
	{0, "baseline", OPTION_STRING, AT(side.baseline), NULL, 0, 0, "FILE",
	 "findings that are known, as --save-baseline wrote them"},
	{0, "save-baseline", OPTION_STRING, AT(side.save_baseline), NULL, 0, 0, "FILE",
	 "write all findings as a baseline"},
	{0, "junit", OPTION_STRING, AT(side.junit), NULL, 0, 0, "FILE", "write a JUnit report, too"},
	{0, "annotations", OPTION_CHOICE, AT(side.annotations), "auto", 0, 0, "auto|github|off",
	 "findings as annotations of GitHub on stderr; auto: where GITHUB_ACTIONS is true"},
	{0, "json", OPTION_FLAG, AT(json), NULL, 0, 0, NULL, "report as JSON"},
#define X(word, help) CLI_FORMAT_OPTION(word, help)
#include "report/formats.def"
#undef X
	{0, "stats", OPTION_FLAG, AT(stats), NULL, 0, 0, NULL, "print counters at the end"},
	CLI_EXEC_ENGINE(struct cmd_check_opts),
	{0, NULL, OPTION_FLAG, 0, NULL, 0, 0, NULL, NULL},
};

static const struct cli_options options = {
	.command = "check",
	.operands = "PROGRAM [ARGUMENT...]",
	.about = "Looks at every behaviour of a program built with heddle cc, or at many schedules "
		 "of it with --strategy or --runs, and reports failures: assertions, aborts, fatal "
		 "signals, deadlocks, livelocks, heap misuse, data races. Each one is kept as a "
		 "recording that heddle replay runs again.",
	.table = table,
};

struct cmd_check {
	struct cmd_check_opts opts;
	struct cli_exec exec;
	struct cli_out out;
	struct check_plan plan;
	struct check_outcome outcome;
	struct cli_progress progress;
	struct cli_exhaustive exhaustive;
	struct report report;
	struct cli_side side;
	struct cli_selection selection;
	uint64_t unconfirmed, left_out;
	char unconfirmed_why[1024];
};

/* Asking for a number of runs is asking for schedules drawn at random. */
static int choose_strategy(struct cmd_check_opts *o, struct err *e)
{
	bool drawn;

	if (o->exec.strategy > CHECK_EXHAUSTIVE)
		o->exec.strategy += STRATEGY_SURW - (CHECK_EXHAUSTIVE + 1);
	drawn = o->exec.strategy != UNSET && o->exec.strategy != CHECK_EXHAUSTIVE;
	if (drawn && o->algorithm != UNSET)
		return err_set(
			e, ERR_USAGE,
			"--algorithm is for an exhaustive search, --strategy draws schedules");
	if (o->algorithm > EXPLORE_ALGORITHMS)
		return err_set(e, ERR_USAGE, "this algorithm is not built in");
	if (o->static_deps && (o->algorithm < CHECK_OTHERS + (int)EXPLORE_CLASSIC ||
			       o->algorithm > CHECK_OTHERS + (int)EXPLORE_SE_STRONG))
		return err_set(e, ERR_USAGE,
			       "--static-deps goes with --algorithm=classic, se or se-strong");
	if (o->exec.spurious && o->algorithm != UNSET && o->algorithm != CHECK_LEARN)
		return err_set(e, ERR_USAGE, "--spurious=on goes with --algorithm=learn");
	/* What is known may hide what is new. */
	o->keep_going |= cli_side_wants_all(&o->side);
	if (o->keep_going && o->stop_on_first)
		return err_set(e, ERR_USAGE,
			       "--stop-on-first does not go with --all, suppressions or a baseline");
	if (o->exec.strategy == STRATEGY_DFS && o->exec.preemptions == CLI_EXEC_UNSET)
		o->exec.preemptions = CHECK_PREEMPTIONS_DEFAULT;
	if (o->exec.strategy == UNSET)
		o->exec.strategy = o->runs && o->algorithm == UNSET ? STRATEGY_RANDOM : CHECK_EXHAUSTIVE;
	/* A test that fails says so by its status. */
	o->exec.exit_code |= cli_selection_is_test(&o->select);
	return 0;
}

static void make_plan(struct cmd_check *c)
{
	const struct cmd_check_opts *o = &c->opts;

	c->plan = (struct check_plan){
		.strategy = o->exec.strategy,
		.algorithm = o->algorithm,
		.keep_going = o->keep_going,
		.races = o->races != CLI_RACES_OFF,
		.stop_on_race = o->races == CLI_RACES_ERROR && !o->keep_going,
		.runs = o->runs,
		.time_ns = o->exec.time_ns,
		.depth = o->exec.depth,
		.preemptions = o->exec.preemptions,
		.loop_bound = o->loop_bound,
		.max_executions = o->max_executions,
		.static_deps = o->static_deps,
		.jobs = (unsigned)o->jobs,
	};
	if (o->exec.strategy == STRATEGY_DFS && o->jobs > 1) {
		if (!o->exec.quiet)
			fprintf(stderr, "heddle check: a dfs search uses one process\n");
		c->plan.jobs = 1;
	}
}

static void begin_progress(void *arg, uint64_t runs)
{
	struct cmd_check *c = arg;

	cli_progress_begin(&c->progress, !c->opts.exec.quiet, runs);
}

static void end_progress(void *arg)
{
	struct cmd_check *c = arg;

	cli_progress_end(&c->progress);
}

static void show_drawn(void *arg, const struct run_stats *s)
{
	struct cmd_check *c = arg;

	cli_progress_show(&c->progress, s);
}

static int show_search(void *arg, const struct check_stats *s)
{
	struct cmd_check *c = arg;

	cli_exhaustive_progress(&c->exhaustive, s);
	return 0;
}

static int carry_out(struct cmd_check *c, struct err *e)
{
	struct check_means means = {
		.program = &c->exec.program,
		.engine = &c->exec.engine,
		.guest = &c->exec.guest,
		.job = c->exec.job,
		.limit = &c->exec.limit,
		.draws = begin_progress,
		.drawn = end_progress,
		.draw_progress = show_drawn,
		.search_progress = show_search,
		.arg = c,
	};
	int rc;

	c->exhaustive.plan = &c->plan;
	c->exhaustive.outcome = &c->outcome;
	c->exhaustive.quiet = c->exec.quiet;
	c->exhaustive.races_fail = c->opts.races == CLI_RACES_ERROR;
	rc = check_carry_out(&c->plan, &means, &c->outcome, e);
	c->exec.job = c->outcome.job;
	if (c->outcome.is_exhaustive)
		cli_exhaustive_end(&c->exhaustive);
	return rc;
}

/* A failure that does not come back is counted and explained, not reported as a finding. */
static int report_one(struct cmd_check *c, const struct cli_finding *ctx,
		      const struct run_finding *f, struct err *e)
{
	struct err why = ERR_INIT;
	int rc;

	/* The first is shown in any case. */
	if (c->report.findings && limit_reached(&c->exec.limit) != LIMIT_NONE) {
		c->left_out++;
		return 0;
	}
	rc = cli_finding_add(ctx, f, &why);

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
	for (size_t i = 0; i < c->outcome.campaign.findings.count; i++)
		if (c->outcome.campaign.findings.items[i]->key == key)
			return true;
	return false;
}

static int keep_race(void *arg, const struct trace_bundle *b, char **dir, struct err *e)
{
	struct cmd_check *c = arg;

	return cli_out_write(&c->out, b, dir, e);
}

static int record_races(struct cmd_check *c, struct run_guest *guest, struct err *e)
{
	struct check_recorder with = {
		.again = {.engine = &c->exec.engine, .guest = guest, .job = c->exec.job},
		.program = &c->exec.program,
		.version = HEDDLE_VERSION,
		.limit = &c->exec.limit,
		.keep = keep_race,
		.arg = c,
	};

	return check_races_record(&c->exhaustive.races, &with, c->outcome.result.races.items,
				  c->outcome.result.races.count, e);
}

static int report_findings(struct cmd_check *c, struct err *e)
{
	struct check_result *all = &c->outcome.result;
	struct cli_finding ctx = {
		.exec = &c->exec,
		.out = &c->out,
		.report = &c->report,
		.simplify = !c->opts.no_simplify,
		.side = &c->side,
	};
	int rc = 0;

	if (c->outcome.campaign.findings.count + all->findings.count + all->races.count == 0)
		return 0;
	rc = run_guest_new(&c->exec.guest, &ctx.guest, e);
	for (size_t i = 0; rc == 0 && i < c->outcome.campaign.findings.count; i++)
		rc = report_one(c, &ctx, c->outcome.campaign.findings.items[i], e);
	for (size_t i = 0; rc == 0 && i < all->findings.count; i++)
		if (!campaign_has(c, all->findings.items[i]->key))
			rc = report_one(c, &ctx, all->findings.items[i], e);
	if (rc == 0)
		rc = record_races(c, ctx.guest, e);
	cli_side_races(&c->side, &c->exhaustive.races,
		       c->opts.races == CLI_RACES_ERROR ? FINDING_ERROR : FINDING_WARNING);
	run_guest_free(ctx.guest);
	return rc;
}

static int finish(struct cmd_check *c, struct err *e)
{
	struct cli_verdict verdict = {
		.job = &c->exec.job,
		.stats = &c->outcome.campaign.stats,
		.keep_going = c->opts.keep_going,
		.findings = c->report.findings,
		.unconfirmed = c->unconfirmed,
		.why = c->unconfirmed_why,
		.left_out = c->left_out,
		.known = c->side.known_count,
		.first = c->outcome.campaign.findings.count ? c->outcome.campaign.findings.items[0] : NULL,
	};
	struct report_summary summary = {
		.command = "check",
		.version = HEDDLE_VERSION,
		.races_fail = c->opts.races == CLI_RACES_ERROR,
		.program = c->exec.program.path,
		.engine = report_word_engine(run_engine_now(&c->exec.engine)),
		.show_stats = c->opts.stats,
	};
	struct strbuf text = STRBUF_INIT;
	char unseen[512];
	int rc;

	if (run_engine_unseen(&c->exec.engine)) {
		run_engine_say_unseen(&c->exec.engine, unseen, sizeof(unseen));
		verdict.unseen = unseen;
	}
	if (c->outcome.is_exhaustive) {
		summary.model = report_word_model(c->exec.job.model);
		c->exhaustive.left_out = c->left_out;
		c->exhaustive.known = c->side.known_count;
		if (c->unconfirmed)
			cli_exhaustive_doubt(&c->exhaustive, c->unconfirmed_why);
		cli_exhaustive_verdict(&c->exhaustive, c->report.findings, &summary, &text);
	} else {
		cli_verdict_check(&verdict, &summary, &text);
	}
	report_end(&c->report, &summary);
	rc = cli_side_end(&c->side, &summary, cli_selection_name(&c->selection, summary.program),
			  c->report.ops == &report_term ? c->report.to.text : NULL, e);
	cli_print_report(&c->report, stdout);
	strbuf_free(&text);
	return rc == 0 ? summary.exit_code : cli_exit_error("check", e);
}

/* One of several jobs: its part of the schedules that would be drawn. */
static int share_out(struct cmd_check *c, struct err *e)
{
	struct cmd_check_opts *o = &c->opts;
	uint64_t first, count;

	if (c->selection.shards == 1)
		return 0;
	if (o->exec.strategy != STRATEGY_RANDOM && o->exec.strategy != STRATEGY_PCT)
		return err_set(e, ERR_USAGE,
			       "--shard goes with --each-test, or with --runs or --strategy=random or "
			       "pct: an exhaustive search is not shared out");
	if (!o->runs)
		o->runs = CHECK_RUNS_DEFAULT;
	cli_selection_share(&c->selection, o->runs, &first, &count);
	if (count == 0)
		return err_set(e, ERR_USAGE, "--shard: there are fewer schedules than shards");
	c->exec.job.seed += first;
	o->runs = count;
	return 0;
}

static int check(struct cmd_check *c, char **words, struct err *e)
{
	int rc = cli_selection_begin(&c->selection, &c->opts.select, words, e);

	if (rc == 0)
		rc = cli_side_begin(&c->side, &c->opts.side, e);
	if (rc == 0)
		rc = cli_exec_begin(&c->exec, "check", &c->opts.exec, c->selection.words, true, e);
	/* Guests share the room for events, whatever their number. */
	c->exec.guest.sizes.events /= c->opts.jobs;
	if (rc == 0)
		rc = cli_out_init(&c->out, c->opts.out,
				  cli_selection_stem(&c->selection, c->exec.program.path), e);
	if (rc == 0)
		rc = share_out(c, e);
	if (rc != 0)
		return rc;
	make_plan(c);
	cli_print_begin(&c->report, cli_print_format(c->opts.report, c->opts.json), stdout);
	rc = carry_out(c, e);
	return rc == 0 ? report_findings(c, e) : rc;
}

/* Every test by itself, each in a process like this one. */
static int check_each(const struct cmd_check *c, char **argv, int rest)
{
	const struct cmd_check_opts *o = &c->opts;
	struct cli_each each = {
		.options = argv + 1,
		.option_count = (size_t)rest - 1,
		.words = argv + rest,
		.jobs = o->jobs > 1 ? (unsigned)o->jobs : 0,
		.junit = o->side.junit && o->side.junit[0] ? o->side.junit : NULL,
		.json = o->json,
		.sarif = o->report[REPORT_sarif],
	};
	struct err e = ERR_INIT;
	int code = CLI_CLEAN;
	int rc = cli_selection_shard(&o->select, &each.shard, &each.shards, &e);

	if (rc == 0 && o->side.save_baseline)
		rc = err_set(&e, ERR_USAGE, "--save-baseline is for one test: --test=NAME");
	if (rc == 0)
		rc = cli_each_run(&each, &code, &e);
	return rc == 0 ? code : cli_exit_error("check", &e);
}

/* Options that choose among schedules of heddle's own mean nothing for those of heddle stable. */
static int check_stable(const struct cmd_check_opts *o, char **words, struct err *e)
{
	struct cli_stable_how how = {
		.opts = &o->stable,
		.exec = &o->exec,
		.out = o->out,
		.executions = o->max_executions,
		.keep_going = o->keep_going,
		.json = o->json,
		.stats = o->stats,
	};

	if (o->algorithm != UNSET || o->exec.strategy != UNSET || o->runs || o->exec.model ||
	    o->exec.spurious || o->static_deps || o->loop_bound || o->select.each_test ||
	    o->select.test || o->select.list_tests || o->select.shard || o->jobs > 1) {
		err_set(e, ERR_USAGE,
			"--stable goes with none of --algorithm, --strategy, --runs, --model, "
			"--spurious, --static-deps, --loop-bound, --jobs, --shard and the "
			"options for tests");
		return cli_exit_error("check", e);
	}
	return cli_stable_check(&how, words);
}

int cmd_check_run(int argc, char **argv)
{
	struct cmd_check c = {.opts = {.exec = CLI_EXEC_OPTS_INIT, .algorithm = UNSET}};
	struct err e = ERR_INIT;
	int rest, rc;

	c.opts.exec.strategy = UNSET;
	c.opts.exec.preemptions = CLI_EXEC_UNSET;
	rc = cli_options_parse(&options, &c.opts, argc, argv, &rest, &e);

	if (rc == 0 && !c.opts.stable.on && (c.opts.stable.whole || c.opts.stable.pcs_exit))
		rc = err_set(&e, ERR_USAGE, "--pcs-exit and --no-reduction go with --stable");
	if (rc == 0 && c.opts.stable.on && rest < argc)
		return check_stable(&c.opts, argv + rest, &e);
	if (rc == 0)
		rc = choose_strategy(&c.opts, &e);
	if (rc == 0 && rest >= argc)
		rc = err_set(&e, ERR_USAGE, "a program is missing (see heddle check --help)");
	if (rc != 0)
		return cli_exit_options(&options, rc, &e);
	if (c.opts.select.list_tests)
		return cli_selection_list(argv + rest);
	if (c.opts.select.each_test && !c.opts.select.test)
		return check_each(&c, argv, rest);
	rc = check(&c, argv + rest, &e);
	rc = rc == 0 ? finish(&c, &e) : cli_exit_error("check", &e);
	cli_side_fini(&c.side);
	cli_selection_fini(&c.selection);
	check_outcome_fini(&c.outcome);
	cli_exhaustive_fini(&c.exhaustive);
	strbuf_free(&c.report.to);
	cli_out_fini(&c.out);
	cli_exec_end(&c.exec);
	return rc;
}
