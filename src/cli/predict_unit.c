#include "cli/predict_unit.h"

#include <stdlib.h>
#include <time.h>

#include "base/mem.h"
#include "predict/check.h"
#include "predict/suppress.h"
#include "report/detail.h"

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static int read_questions(struct cli_predict_unit *u, const char *file, struct err *e)
{
	int rc = predict_ask_trace(u->source.t, &u->asks, e);

	if (!rc && file)
		rc = predict_ask_file(u->source.t, file, &u->asks, e);
	return rc;
}

static void begin_engine(struct cli_predict_unit *u, const struct cli_predict_opts *o)
{
	uint8_t *keep = xcalloc(u->source.t->events.count + 1, 1);
	double started = now();

	predict_ask_keep(&u->asks, keep);
	u->engine = predict_engine_new(u->source.t, keep);
	free(keep);
	if (o->stats)
		predict_engine_hb(u->engine);
	predict_stats_of(u->engine->core, &u->report.stats);
	u->report.linear_seconds = now() - started;
	u->engine->limits = u->opts.limits;
}

static int measure(struct cli_predict_unit *u, const struct cli_predict_opts *o, struct err *e)
{
	predict_smt_backend_fn backend =
		o->versus == VERSUS_Z3 ? solve_backend_z3 : solve_backend_order;
	enum predict_model model = o->model == MODEL_CSR ? MODEL_CSR : MODEL_CDSR;
	if (o->versus == VERSUS_Z3 && !solve_backend_has_z3())
		return err_set(e, ERR_UNSUPPORTED, "--versus=z3: libz3.so.4 is not installed");
	int rc = predict_versus(u->engine, model, backend, o->questions, &u->versus, e);

	u->versus.name = o->versus == VERSUS_Z3 ? "Z3" : "the order solver";
	u->report.versus = &u->versus;
	return rc;
}

static int analyse(struct cli_predict_unit *u, const struct cli_predict_opts *o, struct err *e)
{
	struct predict_opts *a = &u->opts;
	uint64_t suppressed;
	double started = now();
	int rc = 0;

	begin_engine(u, o);
	if (u->asks.count > 0 && !o->find)
		a->races = a->deadlocks = a->atomicity = false;
	if (o->versus != VERSUS_NO)
		rc = measure(u, o, e);
	else if (o->table)
		rc = predict_table_fill(u->engine, &u->asks, a->pair_limit, a->strict_targets,
					&u->table, e);
	else
		rc = predict_analyse(u->engine, a, &u->asks, &u->result, e);
	if (!rc && o->suppressions)
		rc = predict_suppress(o->suppressions, u->source.t, &u->result, &suppressed, e);
	u->report.seconds = now() - started;
	return rc;
}

static void say_end(struct cli_predict_unit *u)
{
	const struct trace_bundle *b = &u->source.bundle;

	if (!u->source.has_bundle)
		return;
	strbuf_add(&u->ended, u->source.ran ? "the run " : "the recorded run ");
	if (b->outcome.outcome == OUTCOME_FAILURE) {
		strbuf_add(&u->ended, "failed: ");
		report_detail_headline(b, &u->ended);
		strbuf_add(&u->ended, "; looked at are the events up to there");
	} else if (b->outcome.outcome == OUTCOME_LIMIT) {
		strbuf_add(&u->ended,
			   "reached its limit of steps; looked at are the events up to there");
	} else {
		strbuf_add(&u->ended, "ended without a failure");
	}
	u->report.ended = u->ended.text;
}

int cli_predict_unit_load(struct cli_predict_unit *u, const struct cli_predict_opts *o,
			  const struct predict_opts *analysis, int argc, char **argv, int *used,
			  struct err *e)
{
	/* CSR findings say whether the branch model has them, too. */
	bool branches = analysis->model != MODEL_CDSR || o->convert != 0;
	struct cli_predict_input in = {(enum predict_format)o->format, o->strict, branches,
				       o->model == MODEL_BRANCH, o->seed};
	double started = now();
	int rc = cli_predict_load(&in, argc, argv, &u->source, used, e);

	u->opts = *analysis;
	u->report.read_seconds = now() - started;
	u->report.file = argv[0];
	if (!rc && o->model == CLI_PREDICT_MODEL_AUTO && !u->source.t->has_branches)
		u->opts.model = MODEL_CDSR;
	if (!rc)
		say_end(u);
	if (!rc)
		rc = predict_check_trace(u->source.t, e);
	if (!rc)
		rc = read_questions(u, o->ask, e);
	if (!rc && o->convert == 0)
		rc = analyse(u, o, e);
	u->report.engine = u->engine;
	u->report.opts = &u->opts;
	u->report.result = &u->result;
	u->report.table = o->table ? &u->table : NULL;
	u->report.show = o->show;
	u->report.witness = o->witness;
	u->report.details = o->stats;
	return rc;
}

void cli_predict_unit_fini(struct cli_predict_unit *u)
{
	predict_table_fini(&u->table);
	predict_result_fini(&u->result);
	predict_ask_fini(&u->asks);
	predict_engine_free(u->engine);
	cli_predict_source_fini(&u->source);
	strbuf_free(&u->ended);
}
