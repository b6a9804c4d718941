#include "cli/verdict.h"

#include <assert.h>
#include <inttypes.h>

#include "cli/exit.h"
#include "report/words.h"

/* "seed 1, SC)" */
static void add_rest(const struct wire_job *job, struct strbuf *to)
{
	if (job->strategy == STRATEGY_DFS)
		strbuf_addf(to, "at most %u %s%s", job->bound,
			    job->flags & JOB_DELAY_BOUND ? "delay" : "preemption",
			    job->bound == 1 ? "" : "s");
	else
		strbuf_addf(to, "seed %" PRIu64, job->seed);
	if (job->strategy == STRATEGY_PCT)
		strbuf_addf(to, ", depth %u", job->bound);
	strbuf_addf(to, ", %s)", report_word_model(job->model));
}

static void add_parameters(const struct wire_job *job, struct strbuf *to)
{
	strbuf_add_char(to, '(');
	add_rest(job, to);
}

/* "10000 random schedules (seed 1, SC)" */
static void add_what(const struct cli_verdict *v, struct strbuf *to)
{
	uint64_t runs = v->stats->runs;

	strbuf_addf(to, "%" PRIu64 " %s schedule%s ", runs, report_word_strategy(v->job->strategy),
		    runs == 1 ? "" : "s");
	add_parameters(v->job, to);
}

static void add_limits(const struct cli_verdict *v, struct strbuf *to)
{
	if (v->stats->limits > 0)
		strbuf_addf(to, "; %" PRIu64 " of them reached the limit of %" PRIu64 " steps",
			    v->stats->limits, v->job->max_steps);
	if (v->stats->assumes > 0)
		strbuf_addf(to, "; %" PRIu64 " of them ended where an assumption does not hold",
			    v->stats->assumes);
}

static const char *why_over(const struct run_stats *s)
{
	if (s->stopped)
		return "interrupted";
	return s->out_of_time ? "time is up" : NULL;
}

/* Every schedule within the bound, each to its end. */
static bool is_exhausted(const struct run_stats *s)
{
	return s->exhausted && s->limits == 0;
}

static void say_clean(const struct cli_verdict *v, struct strbuf *to)
{
	const char *over = why_over(v->stats);
	bool all = is_exhausted(v->stats);

	assert(!v->stats->exhausted || !v->unseen);
	strbuf_addf(to, "no %sfailure in %s", v->known ? "new " : "", all ? "all " : "");
	add_what(v, to);
	add_limits(v, to);
	if (over)
		strbuf_addf(to, "; %s", over);
	strbuf_add(to, all ? "; complete within this bound" : "; this is not a proof");
	if (v->unseen)
		strbuf_addf(to, "; not seen: %s", v->unseen);
	cli_verdict_known(v->known, to);
}

void cli_verdict_left_out(uint64_t n, struct strbuf *to)
{
	if (n)
		strbuf_addf(to,
			    "; %" PRIu64 " more failure%s seen and not looked at: the time is up",
			    n, n == 1 ? " was" : "s were");
}

void cli_verdict_known(uint64_t n, struct strbuf *to)
{
	if (n)
		strbuf_addf(to, "; %" PRIu64 " finding%s known already", n, n == 1 ? " is" : "s are");
}

static void say_findings(const struct cli_verdict *v, struct strbuf *to)
{
	const struct wire_job *job = &v->first->job;
	uint64_t number =
		job->strategy == STRATEGY_DFS ? v->first->run : job->seed - v->job->seed + 1;

	if (v->keep_going) {
		strbuf_addf(to, "%" PRIu64 " distinct failure%s found in ", v->findings,
			    v->findings == 1 ? "" : "s");
		add_what(v, to);
	} else if (v->job->strategy == STRATEGY_MIX) {
		/* All are counted, whoever drew them. */
		strbuf_addf(to, "failure found in drawn schedule %" PRIu64 " (%s, ", number,
			    report_word_strategy(job->strategy));
		add_rest(job, to);
	} else {
		strbuf_addf(to, "failure found in %s schedule %" PRIu64 " ",
			    report_word_strategy(job->strategy), number);
		add_parameters(job, to);
	}
	if (v->stats->in_trouble)
		strbuf_addf(to, "; then given up: %s", v->stats->reason);
	cli_verdict_left_out(v->left_out, to);
	cli_verdict_known(v->known, to);
}

static void say_unconfirmed(const struct cli_verdict *v, struct strbuf *to)
{
	strbuf_addf(to,
		    "inconclusive: a failure (%s, seed %" PRIu64
		    ") did not come back under the same "
		    "schedule: %s; the program depends on something heddle does not control",
		    report_word_failure(v->first->result.wire.failure.kind), v->first->job.seed,
		    v->why);
}

static bool is_inconclusive(const struct run_stats *s)
{
	return s->in_trouble || s->stopped || s->runs == 0 || s->limits + s->assumes == s->runs;
}

/* All schedules were run, but not everything in them was under control. */
static void say_unseen(const struct cli_verdict *v, struct strbuf *to)
{
	strbuf_addf(to, "inconclusive: no %sfailure in ", v->known ? "new " : "");
	add_what(v, to);
	strbuf_addf(to, ", the last within this bound; not seen: %s", v->unseen);
}

static void say_inconclusive(const struct cli_verdict *v, struct strbuf *to)
{
	const struct run_stats *s = v->stats;

	strbuf_addf(to, "inconclusive after %" PRIu64 " run%s: ", s->runs, s->runs == 1 ? "" : "s");
	if (s->in_trouble && s->verdict == RUN_STEPDOWN)
		strbuf_addf(to, "the forced engine cannot undo %s (see --engine)", s->reason);
	else if (s->in_trouble)
		strbuf_addf(to, "%s", s->reason);
	else if (why_over(s))
		strbuf_add(to, why_over(s));
	else if (s->runs == 0)
		strbuf_add(to, "no run was made");
	else if (s->assumes > 0)
		strbuf_add(to, "no run kept to the assumptions to its end");
	else
		strbuf_addf(to,
			    "every run reached the limit of %" PRIu64 " steps (see --max-steps)",
			    v->job->max_steps);
}

static void decide(const struct cli_verdict *v, struct report_summary *s, struct strbuf *text)
{
	s->exit_code = CLI_INCONCLUSIVE;
	s->verdict = "inconclusive";
	if (v->findings > 0) {
		say_findings(v, text);
		s->exit_code = CLI_FINDINGS;
		s->verdict = "failure";
	} else if (v->unconfirmed > 0) {
		say_unconfirmed(v, text);
	} else if (is_inconclusive(v->stats)) {
		say_inconclusive(v, text);
	} else if (v->stats->exhausted && v->unseen) {
		say_unseen(v, text);
	} else {
		say_clean(v, text);
		s->exit_code = CLI_CLEAN;
		s->verdict = "clean";
	}
}

void cli_verdict_check(const struct cli_verdict *v, struct report_summary *s, struct strbuf *text)
{
	const struct run_stats *stats = v->stats;

	decide(v, s, text);
	s->known = v->known;
	s->text = text->text;
	s->strategy = report_word_strategy(v->job->strategy);
	s->model = report_word_model(v->job->model);
	s->seed = v->job->seed;
	s->bound = v->job->bound;
	s->runs = stats->runs;
	s->failures = stats->failures;
	s->limits = stats->limits;
	s->steps = stats->total_steps;
	s->max_steps = stats->max_steps;
	s->ns = stats->ns;
	s->exhausted = is_exhausted(stats);
}
