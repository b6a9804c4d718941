/* heddle analyze: what may go wrong in a program, without running it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/fs.h"
#include "cli/analyze/run.h"
#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/out.h"
#include "cli/print.h"
#include "cli/version.h"
#include "report/analysis.h"

#define AT(field) offsetof(struct cli_analyze_opts, field)

static const struct cli_option table[] = {
	{0, "all", OPTION_FLAG, AT(all), NULL, 0, 0, NULL,
	 "also pairs of accesses that are kept apart, and what does it"},
	{0, "races", OPTION_FLAG, AT(races), NULL, 0, 0, NULL,
	 "races and lock orders: the default"},
	{0, "alias", OPTION_FLAG, AT(alias), NULL, 0, 0, NULL,
	 "only how many pairs of accesses may be to the same memory"},
	{0, "slice", OPTION_STRING, AT(slice), NULL, 0, 0, "FILE:LINE",
	 "only the code that may decide whether the line is reached, and with which values"},
	{0, "schedule", OPTION_STRING, AT(schedule), NULL, 0, 0, "LOG",
	 "only what can happen under the schedule in a log of heddle stable"},
	{0, "confirm", OPTION_FLAG, AT(confirm), NULL, 0, 0, NULL,
	 "run the program under control and keep executions that show what was found"},
	{'t', "time", OPTION_DURATION, AT(exec.time_ns), "60", 0, 0, "TIME",
	 "end after so long, whatever is under way; 0: no limit"},
	{'o', "output", OPTION_STRING, AT(out), CLI_OUT_DEFAULT, 0, 0, "DIR",
	 "directory for recordings of --confirm"},
	{0, "max-steps", OPTION_UINT, AT(exec.max_steps), "1000000", 0, UINT64_C(1000000000000),
	 "N", "--confirm: end a run after so many scheduling steps; 0: no limit"},
	{0, "json", OPTION_FLAG, AT(json), NULL, 0, 0, NULL, "report as JSON"},
#define X(word, help) CLI_FORMAT_OPTION(word, help)
#include "report/formats.def"
#undef X
	CLI_EXEC_ENGINE(struct cli_analyze_opts),
	{0, NULL, OPTION_FLAG, 0, NULL, 0, 0, NULL, NULL},
};

static const struct cli_options options = {
	.command = "analyze",
	.operands = "PROGRAM [ARGUMENT...]",
	.about =
		"Reads the code that a program built with heddle cc keeps, without running it, and "
		"lists pairs of accesses that no lock and no order of threads keeps apart, and "
		"orders of locks that go round. Exit code 1: something may go wrong (--confirm: "
		"does), 0: nothing can, and all code was understood, 4: some was not. With --slice "
		"0: the slice is whole. Arguments "
		"are for --confirm.",
	.table = table,
};

struct analyze {
	struct cli_analyze_opts opts;
	struct analysis a;
	struct cli_analyze_confirmed confirmed;
	struct limit limit;
	uint64_t begin_ns;
};

/* Findings that are not known to be impossible. */
static uint64_t open_findings(const struct analyze *p)
{
	uint64_t n = 0;

	for (size_t i = 0; i < p->a.rows.count; i++)
		n += p->a.rows.items[i].class != ANALYSIS_IMPOSSIBLE;
	return n;
}

static int exit_code_of(const struct analyze *p)
{
	uint64_t open = open_findings(p);

	/* A failure that was met on the way is one, too. */
	if (p->confirmed.findings || p->confirmed.others)
		return CLI_FINDINGS;
	if (!p->opts.confirm && open)
		return CLI_FINDINGS;
	return open || p->a.notes.count ? CLI_INCONCLUSIVE : CLI_CLEAN;
}

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void say_slice(const struct analyze *p, struct strbuf *to)
{
	strbuf_addf(to,
		    "%zu of %" PRIu64 " lines and %" PRIu64 " of %" PRIu64
		    " branches may decide whether %s is reached%s, and with which values",
		    p->a.slice.count, p->a.slice_all, p->a.slice_branches, p->a.branches_all,
		    p->opts.slice, p->opts.schedule ? " under the schedule" : "");
	if (p->a.notes.count)
		strbuf_addf(to, "; %zu part%s of the code not understood", p->a.notes.count,
			    plural(p->a.notes.count));
}

static void say_result(const struct analyze *p, struct strbuf *to)
{
	uint64_t open = open_findings(p);

	if (exit_code_of(p) == CLI_INCONCLUSIVE)
		strbuf_add(to, "inconclusive: ");
	if (p->opts.slice) {
		say_slice(p, to);
		return;
	}
	if (open)
		strbuf_addf(to, "%" PRIu64 " thing%s may go wrong", open, plural(open));
	else
		strbuf_add(to, p->a.notes.count ? "nothing was found"
						: "no data race is possible and no orders of "
						  "locks go round");
	if (p->opts.confirm)
		strbuf_addf(to, ", %" PRIu64 " of them confirmed", p->confirmed.findings);
	if (p->confirmed.others)
		strbuf_addf(to, ", %" PRIu64 " other failure%s met", p->confirmed.others,
			    plural(p->confirmed.others));
	if (p->opts.confirm && open > p->confirmed.findings)
		strbuf_addf(to, "; executions looked at: %s%s",
			    p->confirmed.complete ? "all with this input" : "not all, ",
			    p->confirmed.complete ? "" : p->confirmed.reason);
	if (p->a.notes.count)
		strbuf_addf(to, "; %zu part%s of the code not understood", p->a.notes.count,
			    plural(p->a.notes.count));
	strbuf_addf(to,
		    "; %" PRIu64 " functions in %" PRIu64 " contexts, %" PRIu64 " threads, %" PRIu64
		    " pairs of accesses (%" PRIu64 " kept apart by locks, %" PRIu64
		    " by the order of threads, %" PRIu64 " by elements)",
		    p->a.functions, p->a.contexts, p->a.threads, p->a.pairs, p->a.locked,
		    p->a.ordered, p->a.disjoint);
	if (p->opts.alias || p->opts.schedule)
		strbuf_addf(to, "; %" PRIu64 " of %" PRIu64 " pairs may be to the same memory%s",
			    p->a.alias_specialised, p->a.alias_all,
			    p->opts.schedule ? " at the same time under the schedule" : "");
}

static void render_json(const struct analyze *p, const char *text, struct strbuf *to)
{
	struct cli_answer answer = {.command = "analyze",
				    .text = text,
				    .exit_code = exit_code_of(p),
				    .begin_ns = p->begin_ns};
	struct json_out j;

	json_out_init(&j, to);
	json_out_object_begin(&j, NULL);
	json_out_string(&j, "command", "analyze");
	report_analysis_json(&p->a, &j);
	if (p->opts.confirm) {
		json_out_uint(&j, "confirmed", p->confirmed.findings);
		json_out_uint(&j, "others", p->confirmed.others);
	}
	cli_print_json_end(&answer, &j, to);
}

static int finish(struct analyze *p)
{
	const struct report_ops *format = cli_print_format(p->opts.report, p->opts.json);
	struct strbuf text = STRBUF_INIT, to = STRBUF_INIT;
	struct err e = ERR_INIT;
	int code = exit_code_of(p);

	say_result(p, &text);
	if (format->write) {
		format->write(&p->a.findings, "analyze", HEDDLE_VERSION, &to);
	} else if (p->opts.json) {
		render_json(p, text.text, &to);
	} else {
		if (!p->opts.exec.quiet && !p->opts.alias)
			report_analysis_text(&p->a, p->opts.all, &to);
		strbuf_addf(&to, "%s\n", text.text);
	}
	fputs(to.text, stdout);
	strbuf_free(&text);
	strbuf_free(&to);
	if (fs_finish_output(stdout, "standard output", &e) != 0)
		return cli_exit_error("analyze", &e);
	return code;
}

/* "FILE:LINE" */
static bool names_line(const char *text)
{
	const char *colon = strrchr(text, ':');

	return colon && colon != text && colon[1] &&
	       strspn(colon + 1, "0123456789") == strlen(colon + 1);
}

static int check_options(const struct cli_analyze_opts *o, struct err *e)
{
	if (o->schedule && o->confirm)
		return err_set(e, ERR_USAGE,
			       "--confirm looks at all schedules and does not go with --schedule");
	if (o->slice && (o->confirm || o->races || o->alias || o->all))
		return err_set(e, ERR_USAGE, "--slice goes with --schedule only");
	if (o->slice && !names_line(o->slice))
		return err_set(e, ERR_USAGE, "--slice=%s: FILE:LINE is meant", o->slice);
	return 0;
}

int cmd_analyze_run(int argc, char **argv)
{
	struct analyze p = {.opts = {.exec = CLI_EXEC_OPTS_INIT}, .begin_ns = limit_now()};
	struct err e = ERR_INIT;
	int rest, rc = cli_options_parse(&options, &p.opts, argc, argv, &rest, &e);

	if (rc == 0)
		rc = check_options(&p.opts, &e);
	if (rc == 0 && rest >= argc)
		rc = err_set(&e, ERR_USAGE, "a program is missing (see heddle analyze --help)");
	if (rc != 0)
		return cli_exit_options(&options, rc, &e);
	p.limit = cli_exec_interruptible();
	p.limit = limit_within(&p.limit, p.opts.exec.time_ns);
	rc = cli_analyze_ask(&p.opts, argv[rest], &p.limit, &p.a, &e);
	if (rc == 0 && p.opts.confirm && open_findings(&p))
		rc = cli_analyze_confirm(&p.opts, argv + rest, &p.a, &p.confirmed, &e);
	rc = rc == 0 ? finish(&p) : cli_exit_error("analyze", &e);
	analysis_fini(&p.a);
	return rc;
}
