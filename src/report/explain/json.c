/* An explanation for programs: one JSON object. */
#include "report/explain/explain.h"
#include "report/explain/story.h"
#include "report/json.h"
#include "report/weak.h"

struct writer {
	const struct explanation *x;
	struct report_story story;
	struct json_out j;
};

static void add_text(struct writer *w, const char *name, struct strbuf *text)
{
	json_out_string(&w->j, name, text->text ? text->text : "");
	strbuf_clear(text);
}

/* "file.c:12", null when there is none. */
static void add_place(struct writer *w, const char *name, int side, uint32_t event)
{
	const struct report_names *n = report_story_names(&w->story, side);
	struct strbuf text = STRBUF_INIT;

	if (event == EXPLANATION_NONE) {
		json_out_string(&w->j, name, NULL);
		return;
	}
	report_names_place(n, report_names_site(n, event), &text);
	add_text(w, name, &text);
	strbuf_free(&text);
}

static void add_row(struct writer *w, int side, const struct explanation_row *row)
{
	struct strbuf text = STRBUF_INIT;
	const struct explanation_side *s = report_story_side(&w->story, side);

	json_out_object_begin(&w->j, NULL);
	json_out_uint(&w->j, "thread", row->thread);
	if (row->event != EXPLANATION_NONE) {
		const struct wire_event *v = &s->bundle.events.items[row->event];

		json_out_uint(&w->j, "event", row->event);
		json_out_uint(&w->j, "index", v->tix);
	}
	report_story_place(&w->story, side, row, &text);
	add_text(w, "place", &text);
	report_story_row(&w->story, side, row, &text);
	add_text(w, "text", &text);
	json_out_bool(&w->j, "gets", row->roles & EXPLAINED_GETS);
	json_out_bool(&w->j, "gives", row->roles & EXPLAINED_GIVES);
	json_out_bool(&w->j, "fails", row->roles & (EXPLAINED_FAILS | EXPLAINED_STUCK));
	if (row->twin != EXPLANATION_NONE)
		json_out_uint(&w->j, "twin", row->twin);
	json_out_uint(&w->j, "skipped", row->skipped);
	json_out_object_end(&w->j);
	strbuf_free(&text);
}

static void add_side(struct writer *w, const char *name, int side)
{
	const struct explanation_side *s = report_story_side(&w->story, side);

	json_out_array_begin(&w->j, name);
	for (size_t i = 0; i < s->rows.count && (side == 0 || w->x->found); i++)
		add_row(w, side, &s->rows.items[i]);
	json_out_array_end(&w->j);
}

static void add_variation(struct writer *w, const struct explanation_flow *f)
{
	struct strbuf text = STRBUF_INIT;

	json_out_object_begin(&w->j, NULL);
	report_story_subject(&w->story, f, &text);
	add_text(w, "variable", &text);
	report_story_at(&w->story, f, &text);
	add_text(w, "read", &text);
	add_place(w, "failing_writer", 0, f->from[0]);
	add_place(w, "alternate_writer", 1, f->from[1]);
	json_out_uint(&w->j, "thread", f->thread);
	json_out_string(&w->j, "kind", f->memory ? "memory" : "synchronisation");
	json_out_bool(&w->j, "same", f->same);
	json_out_bool(&w->j, "absent", f->to[1] == EXPLANATION_NONE);
	json_out_object_end(&w->j);
	strbuf_free(&text);
}

static void add_variations(struct writer *w, const char *name, bool root)
{
	json_out_array_begin(&w->j, name);
	for (size_t i = 0; i < w->x->flows.count; i++)
		if (w->x->flows.items[i].root == root && !w->x->flows.items[i].same)
			add_variation(w, &w->x->flows.items[i]);
	json_out_array_end(&w->j);
}

/* All that the failure depends on, also what the passing execution has. */
static void add_cause(struct writer *w)
{
	json_out_array_begin(&w->j, "cause");
	for (size_t i = 0; i < w->x->flows.count; i++)
		if (w->x->flows.items[i].root)
			add_variation(w, &w->x->flows.items[i]);
	json_out_array_end(&w->j);
}

static void add_branches(struct writer *w)
{
	struct strbuf text = STRBUF_INIT;

	json_out_array_begin(&w->j, "branches");
	for (size_t i = 0; i < w->x->branches.count; i++) {
		const struct explanation_branch *b = &w->x->branches.items[i];

		json_out_object_begin(&w->j, NULL);
		json_out_uint(&w->j, "thread", b->thread);
		add_place(w, "place", 0, b->event);
		json_out_uint(&w->j, "failing", b->way[0]);
		json_out_uint(&w->j, "alternate", b->way[1]);
		json_out_object_end(&w->j);
	}
	json_out_array_end(&w->j);
	strbuf_free(&text);
}

static void add_advice(struct writer *w, const struct explanation_advice *a)
{
	struct strbuf text = STRBUF_INIT;

	json_out_object_begin(&w->j, NULL);
	json_out_string(&w->j, "kind", explanation_advice_name(a->kind));
	json_out_array_begin(&w->j, "places");
	for (size_t i = 0; i < a->sites.count; i++) {
		report_story_site(&w->story, a->sites.items[i], &text);
		add_text(w, NULL, &text);
	}
	json_out_array_end(&w->j);
	report_story_advice(&w->story, a, &text);
	add_text(w, "text", &text);
	json_out_bool(&w->j, "checked", a->checked);
	json_out_uint(&w->j, "schedules", a->schedules);
	json_out_uint(&w->j, "failed", a->failed);
	json_out_bool(&w->j, "all", a->all && a->kind != ADVICE_LOCK_ORDER);
	json_out_uint(&w->j, "executions", a->executions);
	json_out_object_end(&w->j);
	strbuf_free(&text);
}

static void add_ordering(struct writer *w, const struct explanation_ordering *o)
{
	const uint32_t events[] = {o->first, o->second};
	struct strbuf text = STRBUF_INIT;

	json_out_object_begin(&w->j, NULL);
	for (int i = 0; i < 2; i++) {
		json_out_object_begin(&w->j, i == 0 ? "first" : "second");
		json_out_uint(&w->j, "thread", w->x->failing.bundle.events.items[events[i]].tid);
		add_place(w, "place", 0, events[i]);
		report_names_event(w->story.failing, events[i], &text);
		add_text(w, "text", &text);
		json_out_object_end(&w->j);
	}
	json_out_object_end(&w->j);
	strbuf_free(&text);
}

/* What of the failing order keeps out all that passes on the same path, written down in two ways.
 */
static void add_core(struct writer *w)
{
	json_out_object_begin(&w->j, "orderings");
	for (int i = 0; i < 2; i++) {
		json_out_array_begin(&w->j, i == 0 ? "chain" : "conflicts");
		for (size_t k = 0; k < w->x->core[i].count; k++)
			add_ordering(w, &w->x->core[i].items[k]);
		json_out_array_end(&w->j);
	}
	json_out_bool(&w->j, "proved",
		      w->x->proof.proved && w->x->core[0].count + w->x->core[1].count > 0);
	json_out_object_end(&w->j);
}

static void add_proof(struct writer *w)
{
	const struct explanation_proof *p = &w->x->proof;
	struct strbuf text = STRBUF_INIT;

	json_out_object_begin(&w->j, "evidence");
	json_out_string(&w->j, "label", !p->decides ? "none" : p->proved ? "proved" : "tested");
	json_out_bool(&w->j, "all", p->proved);
	json_out_uint(&w->j, "executions", p->with + p->without);
	json_out_uint(&w->j, "states", p->states);
	json_out_uint(&w->j, "same_path_passing", p->same_path);
	json_out_string(&w->j, "not_all", p->proved ? NULL : p->not_all);
	json_out_uint(&w->j, "with", p->with);
	json_out_uint(&w->j, "with_failed", p->failed);
	json_out_uint(&w->j, "without", p->without);
	json_out_uint(&w->j, "without_passed", p->passed);
	report_story_proof(&w->story, &text);
	add_text(w, "text", &text);
	json_out_object_end(&w->j);
	strbuf_free(&text);
}

static void add_figures(struct writer *w)
{
	const struct explanation *x = w->x;

	json_out_uint(&w->j, "events_all", x->failing.operations);
	json_out_uint(&w->j, "events_shown", x->failing.rows.count);
	json_out_uint(&w->j, "flows_all", x->failing.flows);
	json_out_uint(&w->j, "flows_shown", explanation_root_reads(x));
	json_out_uint(&w->j, "pairs_tried", x->pairs);
	json_out_uint(&w->j, "pairs_reversed", x->reversed);
	json_out_uint(&w->j, "runs", x->runs);
	json_out_uint(&w->j, "switches", x->switches);
	json_out_uint(&w->j, "switches_before", x->switches_before);
	json_out_bool(&w->j, "same_path", x->found && x->same_path);
	json_out_object_begin(&w->j, "confirmed");
	json_out_bool(&w->j, "failing", x->failing.confirmed);
	json_out_bool(&w->j, "alternate", x->found && x->passing.confirmed);
	json_out_object_end(&w->j);
	json_out_bool(&w->j, "alternate_clean", x->found && x->clean);
	json_out_string(&w->j, "alternate_bundle", x->passing.dir);
	json_out_string(&w->j, "reason", x->reason[0] ? x->reason : NULL);
}

void report_explain_json(const struct explanation *x, const struct report_explain_opts *o,
			 struct strbuf *to)
{
	struct writer w = {.x = x};
	struct strbuf text = STRBUF_INIT;

	report_story_init(&w.story, x);
	json_out_init(&w.j, to);
	json_out_object_begin(&w.j, NULL);
	json_out_string(&w.j, "bundle", o->bundle);
	report_story_headline(&w.story, &text);
	add_text(&w, "failure", &text);
	report_story_lines(&w.story, &text);
	add_text(&w, "story", &text);
	add_side(&w, "failing", 0);
	add_side(&w, "alternate", 1);
	add_variations(&w, "variations", true);
	add_variations(&w, "other_variations", false);
	add_cause(&w);
	add_branches(&w);
	json_out_array_begin(&w.j, "advice");
	for (size_t i = 0; i < x->advice.count; i++)
		add_advice(&w, &x->advice.items[i]);
	json_out_array_end(&w.j);
	report_weak_json(&w.j, &x->failing.bundle, x->asked_weak ? &x->weak : NULL);
	add_core(&w);
	add_proof(&w);
	add_figures(&w);
	json_out_object_end(&w.j);
	strbuf_add_char(to, '\n');
	strbuf_free(&text);
	report_story_fini(&w.story);
}
