/* heddle predict: bugs that another order of one recorded execution has. */
#include <stdio.h>
#include <stdlib.h>

#include "base/fs.h"
#include "base/mem.h"
#include "cli/commands.h"
#include "cli/exit.h"
#include "cli/predict_confirm.h"
#include "cli/predict_opts.h"
#include "cli/predict_save.h"
#include "cli/predict_unit.h"
#include "cli/version.h"
#include "predict/write.h"

struct predict_cmd {
	struct cli_predict_opts opts;
	struct predict_opts analysis;
	VEC(struct cli_predict_unit *) units;
};

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
			predict_write(c->units.items[i]->source.t,
				      c->opts.convert == 1 ? FORMAT_NATIVE : FORMAT_STD, NULL, 0,
				      text);
		else if (c->opts.versus != VERSUS_NO)
			predict_versus_render(reports[i].versus, text);
		else if (c->opts.table)
			predict_render_table(&reports[i], text);
		else
			predict_render_text(&reports[i], text);
		if (c->opts.confirm)
			cli_predict_confirm_render(c->units.items[i]->source.t,
						   &c->units.items[i]->result, text);
	}
	free(reports);
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
			code = r->totals[k].left_out > 0 ? CLI_INCONCLUSIVE : code;
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
	rc = cli_predict_confirm(&u->source, c->opts.save, &u->result, &why);
	if (rc && (c->opts.confirm && why.code != ERR_UNSUPPORTED)) {
		*e = why;
		return rc;
	}
	if (rc)
		predict_trace_warn(u->source.t, 0, "witnesses were not run: %s", why.text);
	return 0;
}

static int run(struct predict_cmd *c, int argc, char **argv, struct err *e)
{
	struct strbuf text = STRBUF_INIT;
	int rc = cli_predict_configure(&c->opts, &c->analysis, e), used;

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
	release(&c);
	return rc;
}
