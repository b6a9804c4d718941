/* heddle predict: bugs that another order of one recorded execution has. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/fs.h"
#include "base/mem.h"
#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/predict_confirm.h"
#include "cli/predict_input.h"
#include "cli/predict_words.h"
#include "cli/version.h"
#include "predict/analysis.h"
#include "predict/check.h"
#include "predict/read.h"
#include "predict/render.h"
#include "predict/suppress.h"
#include "predict/write.h"

struct predict_cmd_opts {
	int model, format, convert;
	const char *find, *stages, *ask, *suppressions, *output, *save, *seed;
	uint64_t lookahead, budget, time_ns, limit, distance, show;
	bool table, all, strict_targets, strict, json, sarif, witness, stats, confirm;
};

#define AT(field) offsetof(struct predict_cmd_opts, field)

static const struct cli_option table[] = {
	{'m', "model", OPTION_CHOICE, AT(model), "cdsr", 0, 0, "csr|cdsr|branch",
	 "widest model that counts: cdsr (every read keeps its writer), branch (only reads a "
	 "branch may depend on), csr (synchronisation only)"},
	{'f', "find", OPTION_STRING, AT(find), NULL, 0, 0, "LIST",
	 "race, deadlock, atomicity or none, separated by commas [all, none when questions are "
	 "asked]"},
	{'q', "ask", OPTION_STRING, AT(ask), NULL, 0, 0, "FILE", "questions to decide"},
	{0, "all", OPTION_FLAG, AT(all), NULL, 0, 0, NULL,
	 "every combination of events, not one per combination of source places"},
	{'T', "table", OPTION_FLAG, AT(table), NULL, 0, 0, NULL,
	 "every race candidate or question under every method, side by side"},
	{0, "stages", OPTION_STRING, AT(stages), NULL, 0, 0, "LIST",
	 "stages to use: sync, closure, trace, cp, late, lookahead, search [all]"},
	{0, "lookahead", OPTION_UINT, AT(lookahead), "2", 0, 16, "N", "depth of the look-ahead"},
	{0, "budget", OPTION_UINT, AT(budget), "100000", 1, UINT64_C(1000000000000), "N",
	 "propagations of the search per question"},
	{'t', "time", OPTION_DURATION, AT(time_ns), "10", 0, 0, "TIME", "limit per question"},
	{0, "limit", OPTION_UINT, AT(limit), "1000000", 1, UINT64_C(1000000000), "N",
	 "candidates looked at per location; more are unknown"},
	{0, "strict-targets", OPTION_FLAG, AT(strict_targets), NULL, 0, 0, NULL,
	 "a racing read must be about to see the write it saw"},
	{0, "atomic-distance", OPTION_UINT, AT(distance), "0", 0, 1000000, "N",
	 "take a read and the next write of a location as atomic when at most N events apart"},
	{0, "suppressions", OPTION_STRING, AT(suppressions), NULL, 0, 0, "FILE",
	 "findings to leave out, lines kind:pattern"},
	{0, "confirm", OPTION_FLAG, AT(confirm), NULL, 0, 0, NULL,
	 "run the program along each witness and say whether it got there"},
	{0, "seed", OPTION_STRING, AT(seed), "1", 0, 0, "N|random", "of the run of a PROGRAM"},
	{0, "format", OPTION_CHOICE, AT(format), "auto", 0, 0, "auto|native|std|speedygo|rapid",
	 "of trace files"},
	{0, "strict", OPTION_FLAG, AT(strict), NULL, 0, 0, NULL,
	 "what would be repaired in a trace is an error"},
	{0, "convert", OPTION_CHOICE, AT(convert), "no", 0, 0, "no|native|std",
	 "write the trace in this format instead of analysing it"},
	{'o', "output", OPTION_STRING, AT(output), NULL, 0, 0, "FILE",
	 "where the result goes [standard output]"},
	{'n', "show", OPTION_UINT, AT(show), "10", 0, UINT64_C(1000000000), "N",
	 "findings of a kind written out in text; 0 = all"},
	{'w', "witness", OPTION_FLAG, AT(witness), NULL, 0, 0, NULL,
	 "print every event of the witnesses"},
	{0, "save-witness", OPTION_STRING, AT(save), NULL, 0, 0, "DIR",
	 "write each witness as a trace of its own"},
	{0, "json", OPTION_FLAG, AT(json), NULL, 0, 0, NULL, "report as JSON"},
	{0, "sarif", OPTION_FLAG, AT(sarif), NULL, 0, 0, NULL, "report as SARIF 2.1.0"},
	{0, "stats", OPTION_FLAG, AT(stats), NULL, 0, 0, NULL,
	 "figures of the trace and of the stages"},
	{0, NULL, OPTION_FLAG, 0, NULL, 0, 0, NULL, NULL},
};

static const struct cli_options options = {
	.command = "predict",
	.operands = "FILE... | PROGRAM [ARGUMENT...]",
	.about = "Decides from one execution whether another order of the same events has a data "
		 "race, a deadlock or an atomicity violation. FILE is a bundle of heddle run or a "
		 "trace (RAPID STD, SpeedyGo log, heddle-trace(5)); a PROGRAM built with heddle cc "
		 "is run once. Every finding has a witness that was checked.",
	.table = table,
};

/* One file and everything computed from it; kept until the report is written. */
struct unit {
	struct cli_predict_source source;
	struct predict_trace *t; /* of the source */
	struct predict_engine *engine;
	struct predict_asks asks;
	struct predict_result result;
	struct predict_table table;
	struct predict_report report;
};

struct predict_cmd {
	struct predict_cmd_opts opts;
	struct predict_opts analysis;
	VEC(struct unit *) units;
	struct strbuf confirmed; /* what --confirm has to say */
	uint64_t unconfirmed;
};

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int configure(struct predict_cmd *c, struct err *e)
{
	struct predict_opts *a = &c->analysis;
	int rc;

	*a = (struct predict_opts)PREDICT_OPTS_INIT;
	a->model = (enum predict_model)c->opts.model;
	a->all = c->opts.all;
	a->strict_targets = c->opts.strict_targets;
	a->distance = (uint32_t)c->opts.distance;
	a->pair_limit = c->opts.limit;
	a->limits.lookahead = (uint32_t)c->opts.lookahead;
	a->limits.nodes = c->opts.budget;
	a->limits.seconds = (double)c->opts.time_ns * 1e-9;
	rc = cli_predict_stages(c->opts.stages, &a->limits.stages, e);
	return rc ? rc : cli_predict_kinds(c->opts.find, a, e);
}

static int read_questions(const struct predict_cmd *c, struct unit *u, struct err *e)
{
	int rc = predict_ask_trace(u->t, &u->asks, e);

	if (!rc && c->opts.ask)
		rc = predict_ask_file(u->t, c->opts.ask, &u->asks, e);
	return rc;
}

static int analyse(const struct predict_cmd *c, struct unit *u, struct err *e)
{
	struct predict_opts a = c->analysis;
	uint8_t *keep = xcalloc(u->t->events.count + 1, 1);
	uint64_t suppressed;
	double started = now();
	int rc = 0;

	predict_ask_keep(&u->asks, keep);
	u->engine = predict_engine_new(u->t, keep);
	free(keep);
	if (c->opts.stats)
		predict_engine_hb(u->engine);
	predict_stats_of(u->engine->core, &u->report.stats);
	u->report.linear_seconds = now() - started;
	u->engine->limits = a.limits;
	if (u->asks.count > 0 && !c->opts.find)
		a.races = a.deadlocks = a.atomicity = false;
	if (c->opts.table)
		rc = predict_table_fill(u->engine, &u->asks, a.pair_limit, a.strict_targets,
					&u->table, e);
	else
		rc = predict_analyse(u->engine, &a, &u->asks, &u->result, e);
	if (!rc && c->opts.suppressions)
		rc = predict_suppress(c->opts.suppressions, u->t, &u->result, &suppressed, e);
	u->report.seconds = now() - started;
	return rc;
}

static int load(struct predict_cmd *c, int argc, char **argv, struct unit *u, int *used,
		struct err *e)
{
	struct cli_predict_input in = {(enum predict_format)c->opts.format, c->opts.strict,
				       c->analysis.model == MODEL_BRANCH, c->opts.seed};
	double started = now();
	int rc = cli_predict_load(&in, argc, argv, &u->source, used, e);

	u->t = u->source.t;
	u->report.read_seconds = now() - started;
	u->report.file = argv[0];
	if (!rc)
		rc = predict_check_trace(u->t, e);
	if (!rc)
		rc = read_questions(c, u, e);
	if (!rc && c->opts.convert == 0)
		rc = analyse(c, u, e);
	u->report.engine = u->engine;
	u->report.opts = &c->analysis;
	u->report.result = &u->result;
	u->report.table = c->opts.table ? &u->table : NULL;
	u->report.show = c->opts.show;
	u->report.witness = c->opts.witness;
	u->report.details = c->opts.stats;
	return rc;
}

static void render(const struct predict_cmd *c, struct strbuf *text)
{
	struct predict_report *reports = xcalloc(c->units.count + 1, sizeof(*reports));
	struct json_out j;

	for (size_t i = 0; i < c->units.count; i++)
		reports[i] = c->units.items[i]->report;
	if (c->opts.sarif) {
		predict_render_sarif(reports, c->units.count, HEDDLE_VERSION, text);
	} else if (c->opts.json) {
		json_out_init(&j, text);
		json_out_object_begin(&j, NULL);
		json_out_array_begin(&j, "files");
		for (size_t i = 0; i < c->units.count; i++)
			predict_render_json(&reports[i], &j);
		json_out_array_end(&j);
		json_out_object_end(&j);
		strbuf_add_char(text, '\n');
	}
	for (size_t i = 0; i < c->units.count && !c->opts.sarif && !c->opts.json; i++) {
		if (c->opts.convert)
			predict_write(c->units.items[i]->t,
				      c->opts.convert == 1 ? FORMAT_NATIVE : FORMAT_STD, NULL, 0,
				      text);
		else if (c->opts.table)
			predict_render_table(&reports[i], text);
		else
			predict_render_text(&reports[i], text);
	}
	free(reports);
}

static int verdict(const struct predict_cmd *c)
{
	int code = CLI_CLEAN;

	for (size_t i = 0; i < c->units.count; i++) {
		const struct predict_result *r = &c->units.items[i]->result;

		for (size_t k = 0; k < r->findings.count; k++) {
			const struct predict_finding *f = &r->findings.items[k];

			if (f->suppressed || f->answer == ANSWER_INFEASIBLE)
				continue;
			if (f->answer == ANSWER_FEASIBLE)
				return CLI_FINDINGS;
			code = CLI_INCONCLUSIVE;
		}
		for (int k = 0; k < 4; k++)
			code = r->totals[k].left_out > 0 ? CLI_INCONCLUSIVE : code;
	}
	return code;
}

static int run(struct predict_cmd *c, int argc, char **argv, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	int rc = configure(c, e), used;

	for (int i = 0; i < argc && !rc; i += used) {
		vec_push(&c->units, xcalloc(1, sizeof(struct unit)));
		rc = load(c, argc - i, argv + i, vec_last(&c->units), &used, e);
		if (!rc && c->opts.confirm)
			rc = cli_predict_confirm(&vec_last(&c->units)->source,
						 vec_last(&c->units)->report.result, &c->confirmed,
						 &c->unconfirmed, e);
		if (!rc && c->opts.save)
			rc = cli_predict_save(c->opts.save, vec_last(&c->units)->report.result,
					      vec_last(&c->units)->t, e);
	}
	if (!rc)
		render(c, &text);
	if (c->confirmed.length > 0 && (c->opts.json || c->opts.sarif))
		fputs(c->confirmed.text, stderr);
	else if (c->confirmed.length > 0)
		strbuf_add(&text, c->confirmed.text);
	if (!rc && c->opts.output)
		rc = fs_write_file(c->opts.output, text.text, text.length, e);
	else if (!rc && text.length > 0)
		fwrite(text.text, 1, text.length, stdout);
	strbuf_free(&text);
	return rc;
}

static void release(struct predict_cmd *c)
{
	for (size_t i = 0; i < c->units.count; i++) {
		struct unit *u = c->units.items[i];

		predict_table_fini(&u->table);
		predict_result_fini(&u->result);
		predict_ask_fini(&u->asks);
		predict_engine_free(u->engine);
		cli_predict_source_fini(&u->source);
		free(u);
	}
	vec_free(&c->units);
	strbuf_free(&c->confirmed);
}

int cmd_predict_run(int argc, char **argv)
{
	struct predict_cmd c = {.units = VEC_INIT};
	struct err e = ERR_INIT;
	int rest, rc;

	rc = cli_options_parse(&options, &c.opts, argc, argv, &rest, &e);
	if (rc)
		return cli_exit_options(&options, rc, &e);
	if (rest == argc)
		rc = err_set(&e, ERR_USAGE, "a trace, a bundle or a program is missing");
	if (!rc)
		rc = run(&c, argc - rest, argv + rest, &e);
	rc = rc ? cli_exit_error("predict", &e) : verdict(&c);
	release(&c);
	return rc;
}
