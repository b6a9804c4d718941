/* heddle predict: bugs that another order of one recorded execution has. */
#include <stdio.h>
#include <stdlib.h>

#include "base/fs.h"
#include "base/mem.h"
#include "cli/commands.h"
#include "cli/exec.h"
#include "cli/exit.h"
#include "cli/predict/confirm.h"
#include "cli/predict/opts.h"
#include "cli/predict/save.h"
#include "cli/predict/unit.h"
#include "cli/version.h"
#include "predict/read/write.h"
#include "report/prediction.h"

struct predict_cmd {
	struct cli_predict_opts opts;
	struct predict_opts analysis;
	VEC(struct cli_predict_unit *) units;
	struct limit limit;
};

static void render_findings(const struct predict_cmd *c, const struct report_ops *format,
			    struct strbuf *text)
{
	struct findings found = VEC_INIT;

	for (size_t i = 0; i < c->units.count; i++)
		findings_move(&c->units.items[i]->page.findings, &found);
	format->write(&found, "predict", HEDDLE_VERSION, text);
	findings_fini(&found);
}

static void render_json(const struct predict_cmd *c, struct strbuf *text)
{
	struct json_out j;

	json_out_init(&j, text);
	json_out_object_begin(&j, NULL);
	json_out_array_begin(&j, "files");
	for (size_t i = 0; i < c->units.count; i++)
		report_prediction_json(&c->units.items[i]->page, &j);
	json_out_array_end(&j);
	json_out_object_end(&j);
	strbuf_add_char(text, '\n');
}

static void render_text(const struct predict_cmd *c, const struct cli_predict_unit *u,
			struct strbuf *text)
{
	if (c->opts.convert)
		predict_write(u->source.t, c->opts.convert == 1 ? FORMAT_NATIVE : FORMAT_STD, NULL,
			      0, text);
	else if (c->opts.versus != VERSUS_NO)
		report_prediction_versus(&u->page, text);
	else if (c->opts.table)
		report_prediction_table(&u->page, text);
	else
		report_prediction_text(&u->page, c->opts.stats, text);
	if (c->opts.confirm)
		report_prediction_confirmed(&u->page, text);
}

static void render(const struct predict_cmd *c, struct strbuf *text)
{
	const struct report_ops *format = cli_print_format(c->opts.report, c->opts.json);

	for (size_t i = 0; i < c->units.count; i++)
		cli_predict_unit_publish(c->units.items[i], &c->opts);
	if (format->write && !c->opts.convert)
		render_findings(c, format, text);
	else if (c->opts.json && !c->opts.convert)
		render_json(c, text);
	else
		for (size_t i = 0; i < c->units.count; i++)
			render_text(c, c->units.items[i], text);
}

static int verdict(const struct predict_cmd *c)
{
	int code = CLI_CLEAN;

	for (size_t i = 0; i < c->units.count; i++) {
		const struct predict_result *r = &c->units.items[i]->result;
		const struct cli_predict_source *s = &c->units.items[i]->source;

		/* A failure that was just found is a finding; one in a bundle is known. */
		if (s->ran && s->bundle.outcome.outcome == OUTCOME_FAILURE)
			return CLI_FINDINGS;
		if (s->ran && s->bundle.outcome.outcome == OUTCOME_LIMIT)
			code = CLI_INCONCLUSIVE;
		for (size_t k = 0; k < r->findings.count; k++) {
			const struct predict_finding *f = &r->findings.items[k];

			if (f->suppressed || f->answer == ANSWER_INFEASIBLE)
				continue;
			if (f->answer == ANSWER_FEASIBLE)
				return CLI_FINDINGS;
			code = CLI_INCONCLUSIVE;
		}
		for (int k = 0; k < 4; k++)
			code = r->totals[k].left_out > 0 || r->totals[k].cut_at > 0
				       ? CLI_INCONCLUSIVE
				       : code;
	}
	return code;
}

/* Runs and keeps what the user wants run and kept. */
static int follow_up(const struct predict_cmd *c, struct cli_predict_unit *u, struct err *e)
{
	struct err why = ERR_INIT;
	int rc = 0;

	if (c->opts.save)
		rc = cli_predict_save(c->opts.save, &u->result, u->source.t, e);
	if (rc || (!c->opts.confirm && !(c->opts.save && u->source.has_bundle)))
		return rc;
	u->result.to_confirm = c->opts.confirm;
	rc = cli_predict_confirm(&u->source, c->opts.save, &c->limit, &u->result, &why);
	if (rc && (c->opts.confirm && why.code != ERR_UNSUPPORTED)) {
		*e = why;
		return rc;
	}
	if (rc) {
		u->result.not_run = xstrdup(why.text);
		predict_trace_warn(u->source.t, 0, "witnesses were not run: %s", why.text);
	}
	return 0;
}

static int run(struct predict_cmd *c, int argc, char **argv, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	int rc = cli_predict_configure(&c->opts, &c->analysis, e), used;

	c->limit = cli_exec_interruptible();
	c->limit = limit_within(&c->limit, c->opts.time_ns);
	c->analysis.limits.limit = &c->limit;
	for (int i = 0; i < argc && !rc; i += used) {
		struct cli_predict_unit *u = xcalloc(1, sizeof(*u));

		vec_push(&c->units, u);
		rc = cli_predict_unit_load(u, &c->opts, &c->analysis, argc - i, argv + i, &used, e);
		if (!rc)
			rc = follow_up(c, u, e);
	}
	if (!rc)
		render(c, &text);
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
		cli_predict_unit_fini(c->units.items[i]);
		free(c->units.items[i]);
	}
	vec_free(&c->units);
}

int cmd_predict_run(int argc, char **argv)
{
	struct predict_cmd c = {.units = VEC_INIT};
	struct err e = ERR_INIT;
	int rest, rc;

	rc = cli_options_parse(&cli_predict_options, &c.opts, argc, argv, &rest, &e);
	if (rc)
		return cli_exit_options(&cli_predict_options, rc, &e);
	if (rest == argc)
		rc = err_set(&e, ERR_USAGE, "a trace, a bundle or a program is missing");
	if (!rc)
		rc = run(&c, argc - rest, argv + rest, &e);
	rc = rc ? cli_exit_error("predict", &e) : verdict(&c);
	/* What was not looked at because of it is unknown; without anything there is no answer. */
	if ((cli_exec_stop && rc != CLI_FINDINGS) ||
	    (rc == CLI_FAILURE && limit_reached(&c.limit) == LIMIT_TIME))
		rc = CLI_INCONCLUSIVE;
	release(&c);
	return rc;
}
