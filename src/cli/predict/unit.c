#include "cli/predict/unit.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/mem.h"
#include "predict/order/check.h"
#include "predict/find/suppress.h"
#include "report/detail.h"
#include "report/term.h"

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
	double started = clock_cpu();

	predict_ask_keep(&u->asks, keep);
	u->engine = predict_engine_new(u->source.t, keep);
	free(keep);
	if (o->stats)
		predict_engine_hb(u->engine);
	predict_stats_of(u->engine->core, &u->page.stats);
	u->page.linear_seconds = clock_cpu() - started;
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
	u->page.versus = &u->versus;
	return rc;
}

static int analyse(struct cli_predict_unit *u, const struct cli_predict_opts *o, struct err *e)
{
	struct predict_opts *a = &u->opts;
	uint64_t suppressed;
	double started = clock_cpu();
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
	u->page.seconds = clock_cpu() - started;
	return rc;
}

/* Who waits for whom in a deadlock, what the program said, where an address belongs. */
static void say_failure(struct cli_predict_unit *u)
{
	struct strbuf lines = STRBUF_INIT;

	u->page.failed = true;
	report_detail_lines(&u->source.bundle, &lines);
	for (const char *at = lines.text; at != NULL && *at != '\0';) {
		size_t n = strcspn(at, "\n");

		vec_push(&u->failure, xstrndup(at, n));
		at += n + (at[n] != '\0');
	}
	strbuf_free(&lines);
	u->page.failure = u->failure.items;
	u->page.failure_count = u->failure.count;
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
		say_failure(u);
	} else if (b->outcome.outcome == OUTCOME_LIMIT) {
		strbuf_add(&u->ended,
			   "reached its limit of steps; looked at are the events up to there");
	} else {
		strbuf_add(&u->ended, "ended without a failure");
	}
	u->page.ended = u->ended.text;
}

/* The branch model needs branches; without, every read keeps its writer, and that is said. */
static void settle_model(struct cli_predict_unit *u, const struct cli_predict_opts *o)
{
	struct predict_trace *t = u->source.t;

	if (t->has_branches || u->opts.model != MODEL_BRANCH)
		return;
	u->opts.model = MODEL_CDSR;
	if (u->source.has_bundle && !u->source.unmarked)
		predict_trace_warn(t, 0,
				   "the recording has no branch markers (heddle run --markers): "
				   "every read keeps its writer, the model is cdsr");
	else if (!u->source.has_bundle && o->model == MODEL_BRANCH)
		predict_trace_warn(t, 0,
				   "the trace has no branch events: every read keeps its writer, "
				   "the model is cdsr");
}

int cli_predict_unit_load(struct cli_predict_unit *u, const struct cli_predict_opts *o,
			  const struct predict_opts *analysis, int argc, char **argv, int *used,
			  struct err *e)
{
	/* CSR findings say whether the branch model has them, too. */
	bool branches = analysis->model != MODEL_CDSR || o->convert != 0;
	struct cli_predict_input in = {(enum predict_format)o->format, o->strict, branches,
				       o->model == MODEL_BRANCH, o->seed, o->env, analysis->limits.limit};
	double started = clock_cpu();
	int rc = cli_predict_load(&in, argc, argv, &u->source, used, e);

	u->opts = *analysis;
	u->page.read_seconds = clock_cpu() - started;
	u->page.file = argv[0];
	if (!rc)
		settle_model(u, o);
	if (!rc)
		say_end(u);
	if (!rc)
		rc = predict_check_trace(u->source.t, e);
	if (!rc)
		rc = read_questions(u, o->ask, e);
	if (!rc && o->convert == 0)
		rc = analyse(u, o, e);
	return rc;
}

void cli_predict_unit_publish(struct cli_predict_unit *u, const struct cli_predict_opts *o)
{
	bool all = cli_print_format(o->report, o->json) != &report_term;
	struct predict_wishes wishes = {
		.show = all ? 0 : o->show, .suppressed = all, .witness = o->witness && !all,
		.flow = o->report[REPORT_sarif]};

	if (!u->engine)
		return;
	predict_publish(u->engine, &u->opts, &u->result, &wishes, &u->page);
	if (o->table)
		predict_publish_table(&u->table, &u->page);
}

void cli_predict_unit_fini(struct cli_predict_unit *u)
{
	prediction_fini(&u->page);
	predict_table_fini(&u->table);
	predict_result_fini(&u->result);
	predict_ask_fini(&u->asks);
	predict_engine_free(u->engine);
	cli_predict_source_fini(&u->source);
	strbuf_free(&u->ended);
	for (size_t i = 0; i < u->failure.count; i++)
		free(u->failure.items[i]);
	vec_free(&u->failure);
}
