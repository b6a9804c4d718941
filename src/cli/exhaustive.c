#include "cli/exhaustive.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/limit.h"
#include "cli/exit.h"
#include "cli/verdict.h"
#include "explore/learn/estimate.h"
#include "report/words.h"

#define PROGRESS_NS UINT64_C(250000000)

void cli_exhaustive_progress(struct cli_exhaustive *x, const struct check_stats *s)
{
	double seconds = (double)s->total_ns / 1e9;
	char expected[32];
	uint64_t now;

	if (x->quiet || !isatty(2))
		return;
	now = limit_now();
	if (x->next_ns == 0)
		x->next_ns = now + 2 * PROGRESS_NS;
	if (now < x->next_ns)
		return;
	x->next_ns = now + PROGRESS_NS;
	x->progress_shown = true;
	estimate_text(expected, sizeof(expected), s->product.expected);
	fprintf(stderr,
		"\r\033[K%" PRIu64 " executions, %" PRIu64 " behaviours, %" PRIu64
		" configurations of about %s (%.0f/s), %.0f s",
		s->executions, s->product.states, s->product.configs, expected,
		seconds > 0 ? (double)s->product.configs / seconds : 0, seconds);
	fflush(stderr);
}

void cli_exhaustive_end(struct cli_exhaustive *x)
{
	struct check_result *r = &x->outcome->result;
	const struct check_stats *s = &r->stats;
	const struct explore_stats *other = &s->explore;
	bool learn = x->plan->algorithm <= CHECK_LEARN;

	if (x->progress_shown)
		fprintf(stderr, "\r\033[K");
	x->search = (struct report_search){
		.algorithm = check_plan_algorithm(x->plan),
		.complete = r->complete,
		.reason = r->reason[0] ? r->reason : NULL,
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
		.drawn = x->outcome->campaign.stats.runs,
		.delayed = x->outcome->delays.runs,
		.delays = (int64_t)x->outcome->delays.done - 1,
		.all_delays = x->outcome->delays.all,
	};
}

/* ---- the verdict ---- */

static void add_effort(const struct cli_exhaustive *x, struct strbuf *to)
{
	const struct report_search *s = &x->search;

	strbuf_addf(to, " (%s, %" PRIu64 " execution%s, ", s->algorithm, s->executions,
		    s->executions == 1 ? "" : "s");
	strbuf_add_seconds(to, x->outcome->ns);
	strbuf_add(to, " s)");
}

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

/* "; 37 data races, 20 of them recorded"; nothing when there are none. */
static void say_races(const struct check_race_log *x, struct strbuf *to)
{
	if (x->found)
		strbuf_addf(to, "; %" PRIu64 " data race%s", x->found, x->found == 1 ? "" : "s");
	if (x->found > x->items.count)
		strbuf_addf(to, ", %zu of them recorded", x->items.count);
}

/* What was drawn counts when the search does not tell everything. */
static void say_drawn(const struct run_stats *s, bool complete, struct strbuf *to)
{
	uint64_t ended = s->runs - s->limits - s->assumes;

	assert(s->limits + s->assumes <= s->runs);
	if (complete && s->runs)
		strbuf_addf(to, "; and in %" PRIu64 " drawn schedule%s", s->runs, plural(s->runs));
	else if (complete)
		return;
	else if (ended)
		strbuf_addf(to, "; no failure in %" PRIu64 " schedule%s drawn besides", ended,
			    plural(ended));
	else if (s->runs)
		strbuf_addf(to, "; none of the %" PRIu64 " schedules drawn besides came to its end",
			    s->runs);
	else
		strbuf_add(to, "; no schedule was carried out to its end in the time for it");
}

/* A bound that was exhausted is no proof, but more than chance. */
static void say_delays(const struct check_outcome *o, struct strbuf *to)
{
	const uint32_t most = o->delays.done - 1;

	if (o->delays.done == 0)
		return;
	strbuf_add(to, "; no failure in all ");
	if (o->delays.schedules)
		strbuf_addf(to, "%" PRIu64 " ", o->delays.schedules);
	strbuf_addf(to, "schedule%s with ", o->delays.schedules == 1 ? "" : "s");
	if (o->delays.all)
		strbuf_add(to, "any number of delays");
	else
		strbuf_addf(to, "at most %u delay%s", most, plural(most));
}

static void say(struct cli_exhaustive *x, uint64_t findings, const char *model, struct strbuf *to)
{
	const struct check_result *r = &x->outcome->result;
	const struct report_search *s = &x->search;

	/* Failures of the schedules drawn before are in behaviours the search may not have met. */
	if (findings > s->states)
		strbuf_addf(to, "%" PRIu64 " failure%s found, besides ", findings,
			    plural(findings));
	else if (findings)
		strbuf_addf(to, "%" PRIu64 " failure%s in ", findings, plural(findings));
	else
		strbuf_addf(to, "no %sfailure in ", x->known ? "new " : "");
	if (s->complete)
		strbuf_addf(to, "all %" PRIu64 " behaviour%s under %s", s->states,
			    plural(s->states), model);
	else
		strbuf_addf(to, "the %" PRIu64 " behaviour%s looked at under %s", s->states,
			    plural(s->states), model);
	add_effort(x, to);
	if (r->stats.product.left_behind)
		strbuf_addf(to, "; in %" PRIu64 " of them threads still wait when the process ends",
			    r->stats.product.left_behind);
	if (r->cut_short)
		strbuf_add(to, "; in each of them the process ends before a thread that nobody waits "
			       "for comes to an assumption that does not hold");
	cli_verdict_left_out(x->left_out, to);
	cli_verdict_known(x->known, to);
	say_races(&x->races, to);
	if (!s->complete && s->reason)
		strbuf_addf(to, "; not all: %s", s->reason);
	if (r->may_spur)
		strbuf_addf(to, "; spurious wake-ups %sconsidered",
			    x->outcome->job.flags & JOB_SPURIOUS ? "" : "not ");
	if (x->outcome->has_drawn && findings == 0)
		say_drawn(&x->outcome->campaign.stats, s->complete, to);
	if (!s->complete && findings == 0)
		say_delays(x->outcome, to);
	if (r->input)
		strbuf_add(to, "; what the program read from outside was taken as it came");
}

void cli_exhaustive_doubt(struct cli_exhaustive *x, const char *why)
{
	struct check_result *r = &x->outcome->result;

	x->search.complete = false;
	snprintf(r->reason, sizeof(r->reason),
		 "a failure did not come back under the same schedule: %s", why);
	x->search.reason = r->reason;
}

void cli_exhaustive_verdict(struct cli_exhaustive *x, uint64_t findings, struct report_summary *s,
			    struct strbuf *text)
{
	bool bad_races = x->races_fail && x->races.found > 0;

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
	s->known = x->known;
	s->strategy = "exhaustive";
	s->exhausted = x->search.complete;
	s->runs = x->search.executions;
	s->failures = findings;
	s->ns = x->outcome->ns;
	s->search = &x->search;
	for (size_t i = 0; i < x->races.items.count; i++) {
		const struct check_recorded_race *race = &x->races.items.items[i];

		vec_push(&x->rows, ((struct report_race){race->bundle,
							 {race->events[0], race->events[1]},
							 race->dir}));
	}
	s->races = x->rows.items;
	s->race_count = x->rows.count;
	s->races_found = x->races.found;
}

void cli_exhaustive_fini(struct cli_exhaustive *x)
{
	check_races_fini(&x->races);
	vec_free(&x->rows);
}
