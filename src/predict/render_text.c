#include <inttypes.h>

#include "predict/atomic.h"
#include "predict/explain.h"
#include "predict/render.h"
#include "predict/stacks.h"
#include "predict/write.h"

static void render_warnings(const struct predict_trace *t, struct strbuf *to)
{
	for (size_t i = 0; i < t->warnings.count; i++) {
		const struct predict_warning *w = &t->warnings.items[i];

		if (w->line > 0)
			strbuf_addf(to, "warning: line %u: %s\n", w->line, w->text);
		else
			strbuf_addf(to, "warning: %s\n", w->text);
	}
}

static void render_stats(const struct predict_report *r, struct strbuf *to)
{
	const struct predict_stats *s = &r->stats;

	strbuf_addf(to,
		    "%s: %" PRIu64 " events, %" PRIu64 " threads, %" PRIu64 " locks, %" PRIu64
		    " conditions, %" PRIu64 " locations\n",
		    r->file, s->recorded, s->threads, s->locks, s->conds, s->vars);
	if (r->ended != NULL)
		strbuf_addf(to, "%s\n", r->ended);
	if (!r->details)
		return;
	strbuf_addf(to,
		    "  thr %" PRIu64 "  lks %" PRIu64 "  cvs %" PRIu64 "  vars %" PRIu64
		    "  evs %" PRIu64 "  lkevs %" PRIu64 "  coevs %" PRIu64 "  rwevs %" PRIu64
		    " (%" PRIu64 "/%" PRIu64 ")  r-p %" PRIu64 "\n",
		    s->threads, s->locks, s->conds, s->vars, s->events, s->lock_events,
		    s->cond_events, s->reads + s->writes, s->reads, s->writes, s->candidates);
}

/* The schedule as runs of one thread: "T1 x3, T2 x1". */
static void render_schedule(const struct predict_trace *t, const struct predict_finding *f,
			    struct strbuf *to)
{
	uint64_t left = f->steps;

	strbuf_add(to, "  schedule:");
	for (size_t i = 0; i < f->runs.count && i < 12; i++) {
		const struct predict_run *r = &f->runs.items[i];

		strbuf_addf(to, "%s %s x%u", i > 0 ? "," : "",
			    predict_names_text(&t->threads, r->thread), r->count);
		left -= r->count;
	}
	if (left > 0)
		strbuf_addf(to, ", ... %" PRIu64 " events more", left);
	if (f->steps == 0)
		strbuf_add(to, " nothing has to run before");
	strbuf_add_char(to, '\n');
}

static void render_witness(const struct predict_trace *t, const struct predict_finding *f,
			   struct strbuf *to)
{
	struct predict_order w = VEC_INIT;

	predict_finding_witness(f, t, &w);
	for (size_t i = 0; i < w.count; i++) {
		uint32_t e = w.items[i];

		strbuf_addf(to, "    #%-6u %-8s ", e + 1,
			    predict_names_text(&t->threads, t->events.items[e].thread));
		predict_write_event(t, e, to);
		strbuf_add(to, "  ");
		predict_explain_place(t, e, to);
		strbuf_add_char(to, '\n');
	}
	vec_free(&w);
}

static void render_finding(const struct predict_report *r, const struct predict_finding *f,
			   uint64_t number, struct strbuf *to)
{
	const struct predict_trace *t = r->engine->t;

	strbuf_addf(to, "\n%s %" PRIu64 ": ", predict_kind_text(f->kind), number);
	predict_explain_title(t, f, to);
	strbuf_addf(to, "\n  %s under %s (stage %s)", predict_answer_text(f->answer),
		    predict_model_text(f->model), predict_stage_word(f->stage));
	if (f->kind == KIND_ATOMICITY && f->name == NULL && predict_block_inferred(f->block))
		strbuf_addf(to, "; that the block is meant to be atomic is inferred (%s)",
			    predict_block_text(f->block));
	if (f->tuples > 1)
		strbuf_addf(to, "; %" PRIu64 " of %" PRIu64 " event combinations there",
			    f->feasible, f->tuples);
	strbuf_add_char(to, '\n');
	for (size_t i = 0; i < f->events.count; i++) {
		strbuf_addf(to, "  #%u ", f->events.items[i] + 1);
		predict_explain_event(t, f->events.items[i], to);
		strbuf_add_char(to, '\n');
		predict_stacks_render(t, f->events.items[i], "      ", to);
	}
	if (f->answer != ANSWER_FEASIBLE)
		return;
	strbuf_add(to, "  why: ");
	predict_explain_why(t, f, to);
	strbuf_add_char(to, '\n');
	render_schedule(t, f, to);
	if (f->confirmation != NULL)
		strbuf_addf(to, "  run along it: %s\n", f->confirmation);
	if (f->bundle != NULL)
		strbuf_addf(to, "  replay: heddle replay %s\n", f->bundle);
	if (r->witness)
		render_witness(t, f, to);
}

static bool looked_for(const struct predict_report *r, int kind)
{
	switch (kind) {
	case KIND_RACE:
		return r->opts->races;
	case KIND_DEADLOCK:
		return r->opts->deadlocks;
	case KIND_ATOMICITY:
		return r->opts->atomicity;
	default:
		return false;
	}
}

static void render_totals(const struct predict_report *r, struct strbuf *to)
{
	for (int k = KIND_RACE; k <= KIND_ORDER; k++) {
		const struct predict_totals *x = &r->result->totals[k];
		uint64_t decided = x->decided[0] + x->decided[1] + x->decided[2];

		if (x->candidates == 0 && decided == 0) {
			if (looked_for(r, k))
				strbuf_addf(to, "%s: no candidates\n",
					    predict_kind_text((enum predict_kind)k));
			continue;
		}
		strbuf_addf(to,
			    "%s: %" PRIu64 " feasible, %" PRIu64 " infeasible, %" PRIu64 " unknown",
			    predict_kind_text((enum predict_kind)k), x->decided[ANSWER_FEASIBLE],
			    x->decided[ANSWER_INFEASIBLE] + x->ordered,
			    x->decided[ANSWER_UNKNOWN] + x->left_out);
		if (x->skipped > 0)
			strbuf_addf(to, ", %" PRIu64 " at the same places as a finding",
				    x->skipped);
		if (x->candidates > 0)
			strbuf_addf(to, " (of %" PRIu64 " candidate%s)", x->candidates,
				    x->candidates == 1 ? "" : "s");
		strbuf_add_char(to, '\n');
	}
}

static void render_kinds(const struct predict_report *r, struct strbuf *to)
{
	static const char *const texts[] = {"data race", "deadlock", "atomicity violation"};
	int count = 0, at = 0;

	for (int k = KIND_RACE; k <= KIND_ATOMICITY; k++)
		count += looked_for(r, k);
	for (int k = KIND_RACE; k <= KIND_ATOMICITY; k++) {
		if (!looked_for(r, k))
			continue;
		if (at > 0)
			strbuf_add(to, at + 1 == count ? " or " : ", ");
		strbuf_add(to, texts[k]);
		at++;
	}
}

/* What all of it amounts to, in one sentence. */
static void render_conclusion(const struct predict_report *r, struct strbuf *to)
{
	uint64_t candidates = 0, feasible = 0, unknown = 0;

	if (!r->opts->races && !r->opts->deadlocks && !r->opts->atomicity)
		return;
	for (int k = KIND_RACE; k <= KIND_ATOMICITY; k++) {
		const struct predict_totals *x = &r->result->totals[k];

		candidates += x->candidates;
		feasible += x->decided[ANSWER_FEASIBLE];
		unknown += x->decided[ANSWER_UNKNOWN] + x->left_out;
	}
	if (feasible > 0)
		return;
	if (unknown > 0)
		strbuf_addf(to,
			    "nothing found, but %" PRIu64 " of %" PRIu64
			    " candidates are undecided "
			    "(see --time, --budget, --limit)\n",
			    unknown, candidates);
	else {
		strbuf_add(to, "no ");
		render_kinds(r, to);
		strbuf_addf(to, " is predictable from this %s under %s; %" PRIu64 " candidate%s\n",
			    r->ended != NULL ? "run" : "trace", predict_model_text(r->opts->model),
			    candidates, candidates == 1 ? ", decided" : "s, all decided");
	}
}

static void render_stages(const struct predict_report *r, struct strbuf *to)
{
	const struct predict_engine *e = r->engine;

	double linear = r->read_seconds + r->linear_seconds;

	strbuf_addf(to, "linear stages: read %.3f s, order %.3f s, %.0f events a second\n",
		    r->read_seconds, r->linear_seconds,
		    linear > 0 ? (double)e->t->events.count / linear : 0.0);
	strbuf_addf(to, "core %u of %zu events; %.3f s\n", e->core->n, e->t->events.count,
		    r->seconds);
	strbuf_add(to, "stage        tried    decided   ms/question\n");
	for (int i = 0; i < PREDICT_STAGE_COUNT; i++) {
		if (e->stage_tried[i] > 0)
			strbuf_addf(to, "%-10s %7" PRIu64 "    %7" PRIu64 "      %8.4f\n",
				    predict_stage_word((enum predict_stage)i), e->stage_tried[i],
				    e->stage_decided[i],
				    e->stage_seconds[i] * 1e3 / (double)e->stage_tried[i]);
	}
}

void predict_render_text(const struct predict_report *r, struct strbuf *to)
{
	uint64_t number[4] = {0};
	uint64_t suppressed = 0;

	render_stats(r, to);
	render_warnings(r->engine->t, to);
	for (size_t i = 0; i < r->result->findings.count; i++) {
		const struct predict_finding *f = &r->result->findings.items[i];

		suppressed += f->suppressed;
		if (f->suppressed)
			continue;
		number[f->kind]++;
		if (f->name != NULL || r->show == 0 || number[f->kind] <= r->show)
			render_finding(r, f, number[f->kind], to);
	}
	strbuf_add_char(to, '\n');
	for (int k = KIND_RACE; k <= KIND_ORDER; k++) {
		if (r->show > 0 && number[k] > r->show && k != KIND_ORDER)
			strbuf_addf(to, "%s: %" PRIu64 " more places, shown with --show=0\n",
				    predict_kind_text((enum predict_kind)k), number[k] - r->show);
	}
	render_totals(r, to);
	if (suppressed > 0)
		strbuf_addf(to, "%" PRIu64 " suppressed\n", suppressed);
	render_conclusion(r, to);
	if (r->details)
		render_stages(r, to);
}

static void render_table_totals(const struct predict_table *t, struct strbuf *to)
{
	strbuf_addf(to, "%-24s %19zu", "total", t->rows.count);
	for (int m = 0; m < PREDICT_METHOD_COUNT; m++)
		strbuf_addf(to, " %5" PRIu64, t->yes[m]);
	strbuf_addf(to, "\n%-24s %19s", "unknown", "");
	for (int m = 0; m < PREDICT_METHOD_COUNT; m++)
		strbuf_addf(to, " %5" PRIu64, t->unknown[m]);
	strbuf_addf(to, "\n%-24s %19s", "ms per check", "");
	for (int m = 0; m < PREDICT_METHOD_COUNT; m++)
		strbuf_addf(to, " %5.2f",
			    t->rows.count > 0 ? t->seconds[m] * 1e3 / (double)t->rows.count : 0.0);
	strbuf_add_char(to, '\n');
	if (t->left_out > 0)
		strbuf_addf(to, "%" PRIu64 " candidates over the limit are not shown\n",
			    t->left_out);
}

void predict_render_table(const struct predict_report *r, struct strbuf *to)
{
	static const char cells[] = {'0', '1', '?', '-'};
	const struct predict_table *t = r->table;

	strbuf_addf(to, "%-24s %9s %9s", r->file, "a", "b");
	for (int m = 0; m < PREDICT_METHOD_COUNT; m++)
		strbuf_addf(to, " %5s", predict_method_word((enum predict_method)m));
	strbuf_add_char(to, '\n');
	for (size_t i = 0; i < t->rows.count; i++) {
		const struct predict_row *row = &t->rows.items[i];

		strbuf_addf(to, "%-24s", row->name);
		if (row->a != PREDICT_NONE)
			strbuf_addf(to, " %9u %9u", row->a + 1, row->b + 1);
		else
			strbuf_addf(to, " %19s", predict_kind_text(row->kind));
		for (int m = 0; m < PREDICT_METHOD_COUNT; m++)
			strbuf_addf(to, " %5c", cells[row->cell[m]]);
		strbuf_addf(to, "  %s/%s\n", predict_stage_word(row->csr_stage),
			    predict_stage_word(row->cdsr_stage));
	}
	render_table_totals(t, to);
}
