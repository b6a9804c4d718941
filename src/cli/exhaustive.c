#include "cli/exhaustive.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "check/explore.h"
#include "cli/exit.h"
#include "cli/static_deps.h"
#include "cli/version.h"
#include "learn/estimate.h"
#include "report/words.h"
#include "run/keep.h"
#include "run/watch.h"

#define PROGRESS_NS UINT64_C(250000000)

static int show_progress(void *arg, const struct check_stats *s)
{
	struct cli_exhaustive *x = arg;
	double seconds = (double)s->total_ns / 1e9;
	char expected[32];
	uint64_t now;

	if (cli_exec_stop)
		return 1;
	if (x->quiet || !isatty(2))
		return 0;
	now = run_watch_now();
	if (now < x->next_ns)
		return 0;
	x->next_ns = now + PROGRESS_NS;
	x->progress_shown = true;
	estimate_text(expected, sizeof(expected), s->product.expected);
	fprintf(stderr,
		"\r\033[K%" PRIu64 " executions, %" PRIu64 " behaviours, %" PRIu64
		" configurations of about %s (%.0f/s), %.0f s",
		s->executions, s->product.states, s->product.configs, expected,
		seconds > 0 ? (double)s->product.configs / seconds : 0, seconds);
	fflush(stderr);
	return 0;
}

static void fill_search(struct cli_exhaustive *x, const struct cli_exhaustive_opts *o)
{
	const struct check_stats *s = &x->result.stats;

	const struct explore_stats *other = &s->explore;
	bool learn = o->algorithm == CLI_LEARN;

	x->search = (struct report_search){
		.algorithm = learn ? "learn"
				   : explore_algorithm_name((unsigned)o->algorithm - CLI_OTHERS),
		.complete = x->result.complete,
		.reason = x->result.reason[0] ? x->result.reason : NULL,
		.states = s->product.states,
		.executions = s->executions,
		.learned = learn ? s->executions : s->learned,
		.configs = s->product.configs,
		.nodes = other->nodes,
		.reads = other->reads,
		.constraints = other->constraints,
		.missed = other->missed,
		.questions = learn ? s->product.questions : other->questions,
		.passes = s->product.passes,
		.diverged = s->diverged + other->diverged,
		.limited = s->product.limited,
		.bytes = s->bytes + s->product.bytes + other->bytes,
		.guest_ns = s->guest_ns,
		.total_ns = s->total_ns,
		.left = -1,
	};
}

int cli_exhaustive_run(struct cli_exhaustive *x, struct cli_exec *exec, struct run_guest *guest,
		       const struct cli_exhaustive_opts *o, struct err *e)
{
	struct check_opts co = {
		.engine = &exec->engine,
		.guest = guest,
		.guest_opts = &exec->guest,
		.jobs = (unsigned)o->jobs,
		.job = exec->job,
		.all = o->all,
		.races = o->races != CLI_RACES_OFF,
		.stop_on_race = o->races == CLI_RACES_ERROR && !o->all,
		.loop_bound = (uint32_t)o->loop_bound,
		.preemptions = o->preemptions == CLI_EXEC_UNSET ? -1 : (int64_t)o->preemptions,
		.max_executions = o->max_executions,
		.limit_ns = o->limit_ns,
		.progress = show_progress,
		.arg = x,
	};
	struct static_deps *deps = NULL;
	int rc;

	if (o->static_deps != EXPLORE_STATIC_OFF) {
		rc = cli_static_deps_make(exec->program.path, &deps, e);
		if (rc)
			return rc;
		co.static_deps = (enum explore_static)o->static_deps;
		co.depends = static_deps_depends;
		co.depends_arg = deps;
	}
	x->quiet = exec->quiet;
	x->next_ns = run_watch_now() + 2 * PROGRESS_NS;
	if (o->algorithm == CLI_LEARN)
		rc = check_search(&co, &x->result, e);
	else
		rc = check_explore(&co, (enum explore_algorithm)(o->algorithm - CLI_OTHERS),
				   &x->result, e);
	static_deps_free(deps);
	if (x->progress_shown)
		fprintf(stderr, "\r\033[K");
	fill_search(x, o);
	return rc;
}

/* ---- races ---- */

static size_t find_event(const struct trace_bundle *b, uint32_t tid, uint32_t tix)
{
	for (size_t i = b->events.count; i-- > 0;)
		if (b->events.items[i].tid == tid && b->events.items[i].tix == tix)
			return i;
	return SIZE_MAX;
}

/* Runs the two accesses together and keeps the run. */
static int record_race(struct cli_exhaustive *x, const struct cli_finding *ctx,
		       const struct check_race *race, struct err *e)
{
	struct run_again again = {&ctx->exec->engine, ctx->guest, ctx->exec->job};
	struct trace_bundle *bundle = xcalloc(1, sizeof(*bundle));
	struct run_result r = RUN_RESULT_INIT;
	struct run_keep keep = {&ctx->exec->program, HEDDLE_VERSION, &again.job, &r};
	struct report_race row = {.bundle = bundle};
	char *dir = NULL;
	int rc = run_again(&again, JOB_EVENTS | JOB_MARKERS, race->path.items, race->path.count, &r, e);

	if (rc == 0)
		rc = run_keep(bundle, ctx->guest, &keep, e);
	if (rc == 0) {
		for (int i = 0; i < 2; i++)
			row.events[i] = find_event(bundle, race->tids[i], race->tix[i]);
		if (row.events[0] == SIZE_MAX || row.events[1] == SIZE_MAX)
			rc = ERR_MISMATCH;
	}
	if (rc == 0)
		rc = cli_out_write(ctx->out, bundle, &dir, e);
	run_result_free(&r);
	vec_push(&x->bundles, bundle);
	vec_push(&x->dirs, dir);
	if (rc != 0)
		return rc;
	row.dir = dir;
	vec_push(&x->races, row);
	return 0;
}

int cli_exhaustive_races(struct cli_exhaustive *x, const struct cli_finding *ctx, struct err *e)
{
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < x->result.races.count; i++) {
		rc = record_race(x, ctx, &x->result.races.items[i], e);
		if (rc == ERR_MISMATCH) {
			x->result.unconfirmed++;
			rc = 0;
		}
	}
	return rc;
}

/* ---- the verdict ---- */

static void add_effort(const struct cli_exhaustive *x, struct strbuf *to)
{
	const struct report_search *s = &x->search;

	strbuf_addf(to, " (%s, %" PRIu64 " execution%s, %.2g s)", s->algorithm, s->executions,
		    s->executions == 1 ? "" : "s", (double)s->total_ns / 1e9);
}

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void say(struct cli_exhaustive *x, uint64_t findings, const char *model, struct strbuf *to)
{
	const struct report_search *s = &x->search;

	if (findings)
		strbuf_addf(to, "%" PRIu64 " failure%s in ", findings, plural(findings));
	else
		strbuf_add(to, "no failure in ");
	if (s->complete)
		strbuf_addf(to, "all %" PRIu64 " behaviour%s under %s", s->states,
			    plural(s->states), model);
	else
		strbuf_addf(to, "the %" PRIu64 " behaviour%s looked at under %s", s->states,
			    plural(s->states), model);
	add_effort(x, to);
	if (x->races.count)
		strbuf_addf(to, "; %zu data race%s", x->races.count, plural(x->races.count));
	if (!s->complete && s->reason)
		strbuf_addf(to, "; not all: %s", s->reason);
	if (x->drawn)
		strbuf_addf(to, "; %" PRIu64 " schedules drawn at random besides", x->drawn);
	if (x->result.input)
		strbuf_add(to, "; what the program read from outside was taken as it came");
}

void cli_exhaustive_doubt(struct cli_exhaustive *x, const char *why)
{
	x->search.complete = false;
	snprintf(x->result.reason, sizeof(x->result.reason),
		 "a failure did not come back under the same schedule: %s", why);
	x->search.reason = x->result.reason;
}

void cli_exhaustive_verdict(struct cli_exhaustive *x, const struct cli_exhaustive_opts *o,
			    uint64_t findings, struct report_summary *s, struct strbuf *text)
{
	bool bad_races = o->races == CLI_RACES_ERROR && x->races.count > 0;

	if (cli_exec_stop) {
		x->search.complete = false;
		x->search.reason = "interrupted";
	}
	if (findings > 0 || bad_races) {
		s->exit_code = CLI_FINDINGS;
		s->verdict = "failure";
	} else if (x->search.complete) {
		s->exit_code = CLI_CLEAN;
		s->verdict = "clean";
	} else {
		s->exit_code = CLI_INCONCLUSIVE;
		s->verdict = "inconclusive";
		strbuf_add(text, "inconclusive: ");
	}
	say(x, findings, s->model, text);
	s->text = text->text;
	s->strategy = "exhaustive";
	s->exhausted = x->search.complete;
	s->runs = x->search.executions;
	s->ns = x->search.total_ns;
	s->search = &x->search;
	s->races = x->races.items;
	s->race_count = x->races.count;
}

void cli_exhaustive_fini(struct cli_exhaustive *x)
{
	for (size_t i = 0; i < x->bundles.count; i++) {
		trace_bundle_fini(x->bundles.items[i]);
		free(x->bundles.items[i]);
		free(x->dirs.items[i]);
	}
	vec_free(&x->bundles);
	vec_free(&x->dirs);
	vec_free(&x->races);
	check_result_fini(&x->result);
}
