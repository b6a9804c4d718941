#include "report/prediction.h"

#include <assert.h>
#include <inttypes.h>

#define MAX_FRAMES 16
#define MAX_RUNS 12

static const char *plural(uint64_t n)
{
	return n == 1 ? "" : "s";
}

static void add_warnings(const struct prediction *p, struct strbuf *to)
{
	for (size_t i = 0; i < p->warnings.count; i++) {
		const struct prediction_warning *w = &p->warnings.items[i];

		if (w->line > 0)
			strbuf_addf(to, "warning: line %" PRIu64 ": %s\n", w->line, w->text);
		else
			strbuf_addf(to, "warning: %s\n", w->text);
	}
}

static void add_stats(const struct prediction *p, bool details, struct strbuf *to)
{
	const struct prediction_stats *s = &p->stats;

	strbuf_addf(to,
		    "%s: %" PRIu64 " events, %" PRIu64 " threads, %" PRIu64 " locks, %" PRIu64
		    " conditions, %" PRIu64 " locations\n",
		    p->file, s->recorded, s->threads, s->locks, s->conds, s->vars);
	if (p->ended)
		strbuf_addf(to, "%s\n", p->ended);
	/* What is known of the failure of the run: for a deadlock, who waits for whom. */
	for (size_t i = 0; i < p->failure_count; i++)
		strbuf_addf(to, "  %s\n", p->failure[i]);
	if (!details)
		return;
	strbuf_addf(to,
		    "  thr %" PRIu64 "  lks %" PRIu64 "  cvs %" PRIu64 "  vars %" PRIu64
		    "  evs %" PRIu64 "  lkevs %" PRIu64 "  coevs %" PRIu64 "  rwevs %" PRIu64
		    " (%" PRIu64 "/%" PRIu64 ")  r-p %" PRIu64 "\n",
		    s->threads, s->locks, s->conds, s->vars, s->events, s->lock_events,
		    s->cond_events, s->reads + s->writes, s->reads, s->writes, s->candidates);
}

static void add_stack(const struct finding_event *e, const char *indent, struct strbuf *to)
{
	for (size_t i = 0; i < e->stack.count && i < MAX_FRAMES; i++)
		strbuf_addf(to, "%s%-20s %s\n", indent, e->stack.items[i].function,
			    e->stack.items[i].name ? e->stack.items[i].name : "?");
	if (e->stack.count > MAX_FRAMES)
		strbuf_addf(to, "%s... %zu more\n", indent, e->stack.count - MAX_FRAMES);
	if (e->stack.count > 0 && e->created)
		strbuf_addf(to, "%sthread created by %s\n", indent, e->created);
}

/* The schedule as runs of one thread: "T1 x3, T2 x1". */
static void add_schedule(const struct prediction *p, const struct finding_prediction *x,
			 struct strbuf *to)
{
	uint64_t left = x->steps;

	strbuf_add(to, "  schedule:");
	for (size_t i = 0; i < x->runs.count && i < MAX_RUNS; i++) {
		const struct prediction_run *r = &x->runs.items[i];

		assert(r->thread < p->threads.count && r->count <= left);
		strbuf_addf(to, "%s %s x%u", i > 0 ? "," : "", p->threads.items[r->thread],
			    r->count);
		left -= r->count;
	}
	if (left > 0)
		strbuf_addf(to, ", ... %" PRIu64 " events more", left);
	if (x->steps == 0)
		strbuf_add(to, " nothing has to run before");
	strbuf_add_char(to, '\n');
}

static void add_witness(const struct prediction *p, const struct finding_prediction *x,
			struct strbuf *to)
{
	for (size_t i = 0; i < x->witness.count; i++) {
		const struct prediction_step *s = &x->witness.items[i];

		strbuf_addf(to, "    #%-6u %-8s %s\n", s->event + 1, p->threads.items[s->thread],
			    s->text);
	}
}

static void add_verdict(const struct finding *f, struct strbuf *to)
{
	const struct finding_prediction *x = f->prediction;

	strbuf_addf(to, "\n%s %" PRIu64 ": %s", f->rule, x->number, x->title);
	strbuf_addf(to, "\n  %s under %s (stage %s)", x->answer, x->model, x->stage);
	if (x->inferred)
		strbuf_addf(to, "; that the block is meant to be atomic is inferred (%s)",
			    x->block);
	if (x->tuples > 1)
		strbuf_addf(to, "; %" PRIu64 " of %" PRIu64 " event combinations there",
			    x->feasible, x->tuples);
	strbuf_add_char(to, '\n');
}

static void add_finding(const struct prediction *p, const struct finding *f, struct strbuf *to)
{
	const struct finding_prediction *x = f->prediction;

	add_verdict(f, to);
	for (size_t i = 0; i < f->events.count; i++) {
		const struct finding_event *e = &f->events.items[i];

		strbuf_addf(to, "  #%" PRIu64 " %s\n", e->number, e->text);
		add_stack(e, "      ", to);
	}
	if (!x->why)
		return;
	strbuf_addf(to, "  why: %s\n", x->why);
	add_schedule(p, x, to);
	if (x->confirmation)
		strbuf_addf(to, "  run along it: %s\n", x->confirmation);
	if (f->bundle)
		strbuf_addf(to, "  replay: heddle replay %s\n", f->bundle);
	add_witness(p, x, to);
}

/* Not every cycle of locks was looked at. */
static void add_cut(const struct prediction_total *x, struct strbuf *to)
{
	if (x->cut_at > 0)
		strbuf_addf(to,
			    "  there are too many orders of locks: cycles of %u or more locks were "
			    "not all looked at\n",
			    x->cut_at);
}

static void add_total(const struct prediction_total *x, struct strbuf *to)
{
	if (x->candidates == 0 && x->decided == 0) {
		if (x->wanted)
			strbuf_addf(to, "%s: no candidates%s\n", x->kind,
				    x->cut_at > 0 ? " so far" : "");
		add_cut(x, to);
		return;
	}
	strbuf_addf(to, "%s: %" PRIu64 " feasible, %" PRIu64 " infeasible, %" PRIu64 " unknown",
		    x->kind, x->feasible, x->infeasible, x->unknown);
	if (x->skipped > 0)
		strbuf_addf(to, ", %" PRIu64 " at the same places as a finding", x->skipped);
	if (x->candidates > 0)
		strbuf_addf(to, " (of %" PRIu64 " candidate%s)", x->candidates,
			    plural(x->candidates));
	strbuf_add_char(to, '\n');
	add_cut(x, to);
}

static void add_totals(const struct prediction *p, struct strbuf *to)
{
	for (int k = 0; k < PREDICTION_KINDS; k++)
		if (p->totals[k].hidden > 0)
			strbuf_addf(to, "%s: %" PRIu64 " more places, shown with --show=0\n",
				    p->totals[k].kind, p->totals[k].hidden);
	for (int k = 0; k < PREDICTION_KINDS; k++)
		add_total(&p->totals[k], to);
}

static void add_kinds(const struct prediction *p, struct strbuf *to)
{
	static const char *const texts[] = {
		[PREDICTION_RACE] = "data race",
		[PREDICTION_DEADLOCK] = "deadlock",
		[PREDICTION_ATOMICITY] = "atomicity violation",
	};
	int count = 0, at = 0;

	for (int k = 0; k < PREDICTION_ORDER; k++)
		count += p->totals[k].wanted;
	for (int k = 0; k < PREDICTION_ORDER; k++) {
		if (!p->totals[k].wanted)
			continue;
		if (at > 0)
			strbuf_add(to, at + 1 == count ? " or " : ", ");
		strbuf_add(to, texts[k]);
		at++;
	}
}

/* What all of it amounts to, in one sentence, when nothing was found. */
static void add_conclusion(const struct prediction *p, struct strbuf *to)
{
	uint64_t candidates = 0, feasible = 0, unknown = 0;
	bool cut = false, wanted = false;

	for (int k = 0; k < PREDICTION_ORDER; k++) {
		const struct prediction_total *x = &p->totals[k];

		wanted |= x->wanted;
		candidates += x->candidates;
		feasible += x->feasible;
		unknown += x->unknown;
		cut |= x->cut_at > 0;
	}
	if (!wanted || feasible > 0)
		return;
	if (unknown > 0) {
		strbuf_addf(to,
			    "nothing found, but %" PRIu64 " of %" PRIu64
			    " candidates are undecided "
			    "(see --time, --question-time, --budget, --limit)\n",
			    unknown, candidates);
	} else if (cut) {
		strbuf_add(to, "nothing found, but not every cycle of locks was looked at\n");
	} else {
		strbuf_add(to, p->failed ? "apart from the failure of the run, no " : "no ");
		add_kinds(p, to);
		strbuf_addf(to, " is predictable from this %s under %s; %" PRIu64 " candidate%s\n",
			    p->ended ? "run" : "trace", p->model, candidates,
			    candidates == 1 ? ", decided" : "s, all decided");
	}
}

static void add_stages(const struct prediction *p, struct strbuf *to)
{
	double linear = p->read_seconds + p->linear_seconds;

	strbuf_addf(to, "linear stages: read %.3f s, order %.3f s, %.0f events a second\n",
		    p->read_seconds, p->linear_seconds,
		    linear > 0 ? (double)p->events / linear : 0.0);
	strbuf_addf(to, "core %" PRIu64 " of %" PRIu64 " events; %.3f s\n", p->core, p->events,
		    p->seconds);
	strbuf_add(to, "stage        tried    decided   ms/question\n");
	for (size_t i = 0; i < p->stages.count; i++) {
		const struct prediction_stage *s = &p->stages.items[i];

		strbuf_addf(to, "%-10s %7" PRIu64 "    %7" PRIu64 "      %8.4f\n", s->word,
			    s->tried, s->decided, s->seconds * 1e3 / (double)s->tried);
	}
}

void report_prediction_text(const struct prediction *p, bool details, struct strbuf *to)
{
	uint64_t suppressed = 0;

	add_stats(p, details, to);
	add_warnings(p, to);
	for (size_t i = 0; i < p->findings.count; i++) {
		const struct finding *f = &p->findings.items[i];

		suppressed += f->suppressed;
		if (!f->suppressed && !f->prediction->brief)
			add_finding(p, f, to);
	}
	strbuf_add_char(to, '\n');
	add_totals(p, to);
	if (suppressed > 0)
		strbuf_addf(to, "%" PRIu64 " suppressed\n", suppressed);
	add_conclusion(p, to);
	if (details)
		add_stages(p, to);
}

/* What was confirmed out of what: predictions that were not run are neither. */
static void add_sum(const struct prediction_confirmed *n, struct strbuf *to)
{
	uint64_t left = n->feasible - n->run;

	assert(n->confirmed <= n->run && n->run <= n->feasible);
	if (n->feasible == 0) {
		strbuf_add(to, "there is no prediction to confirm\n");
		return;
	}
	strbuf_addf(to, "%" PRIu64 " of %" PRIu64 " prediction%s confirmed by running %s",
		    n->confirmed, n->feasible, plural(n->feasible),
		    n->feasible == 1 ? "it" : "them");
	if (left > 0)
		strbuf_addf(to, "; %" PRIu64 " %s not run%s%s", left, left == 1 ? "was" : "were",
			    n->not_run ? ": " : "", n->not_run ? n->not_run : "");
	strbuf_add_char(to, '\n');
}

void report_prediction_confirmed(const struct prediction *p, struct strbuf *to)
{
	for (size_t i = 0; i < p->findings.count; i++) {
		const struct finding *f = &p->findings.items[i];

		if (f->prediction->confirmation)
			strbuf_addf(to, "%s: %s: %s\n", f->rule, f->prediction->title,
				    f->prediction->confirmation);
	}
	add_sum(&p->confirmed, to);
}
