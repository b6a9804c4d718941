#include "predict/atomic.h"
#include "predict/explain.h"
#include "predict/render.h"
#include "predict/stacks.h"

struct stack {
	struct json_out *j;
	const struct predict_trace *t;
};

static void json_frame(void *context, const char *func, uint32_t site)
{
	const struct stack *s = context;

	json_out_object_begin(s->j, NULL);
	json_out_string(s->j, "function", func);
	json_out_string(s->j, "site",
			site != PREDICT_NONE ? predict_names_text(&s->t->sites, site) : NULL);
	json_out_object_end(s->j);
}

static void json_event(struct json_out *j, const struct predict_trace *t, uint32_t e)
{
	const struct predict_event *ev = &t->events.items[e];
	struct strbuf held = STRBUF_INIT;

	json_out_object_begin(j, NULL);
	json_out_uint(j, "number", e + 1);
	json_out_string(j, "thread", predict_names_text(&t->threads, ev->thread));
	json_out_string(j, "operation", predict_op_word(ev->was));
	json_out_string(j, "object", predict_trace_object(t, e));
	json_out_string(j, "site",
			ev->site != PREDICT_NONE ? predict_names_text(&t->sites, ev->site) : NULL);
	json_out_uint(j, "line", ev->line);
	predict_explain_held(t, e, &held);
	json_out_string(j, "held", held.text != NULL ? held.text : "");
	strbuf_free(&held);
	if (ev->frame != 0) {
		json_out_array_begin(j, "stack");
		predict_stacks_walk(t, e, json_frame, &(struct stack){j, t});
		json_out_array_end(j);
	}
	json_out_object_end(j);
}

static void json_words(struct json_out *j, const struct predict_trace *t,
		       const struct predict_finding *f)
{
	struct strbuf text = STRBUF_INIT;

	predict_explain_title(t, f, &text);
	json_out_string(j, "title", text.text);
	strbuf_clear(&text);
	if (f->answer == ANSWER_FEASIBLE) {
		predict_explain_why(t, f, &text);
		json_out_string(j, "why", text.text);
	}
	strbuf_free(&text);
}

/* The witness as runs: so many events of a thread, then so many of another. */
static void json_schedule(struct json_out *j, const struct predict_trace *t,
			  const struct predict_finding *f)
{
	json_out_uint(j, "steps", f->steps);
	json_out_array_begin(j, "schedule");
	for (size_t i = 0; i < f->runs.count; i++) {
		json_out_object_begin(j, NULL);
		json_out_string(j, "thread",
				predict_names_text(&t->threads, f->runs.items[i].thread));
		json_out_uint(j, "events", f->runs.items[i].count);
		json_out_object_end(j);
	}
	json_out_array_end(j);
}

static void json_finding(struct json_out *j, const struct predict_trace *t,
			 const struct predict_finding *f)
{
	json_out_object_begin(j, NULL);
	json_out_string(j, "kind", predict_kind_text(f->kind));
	if (f->name != NULL)
		json_out_string(j, "name", f->name);
	json_out_string(j, "answer", predict_answer_text(f->answer));
	json_out_string(j, "model", predict_model_text(f->model));
	json_out_string(j, "stage", predict_stage_word(f->stage));
	if (f->kind == KIND_ATOMICITY && f->name == NULL)
		json_out_string(j, "block", predict_block_text(f->block));
	if (f->kind == KIND_ATOMICITY && f->name == NULL)
		json_out_bool(j, "inferred", predict_block_inferred(f->block));
	json_words(j, t, f);
	json_out_bool(j, "suppressed", f->suppressed);
	json_out_uint(j, "combinations", f->tuples);
	json_out_uint(j, "feasible", f->feasible);
	json_out_array_begin(j, "events");
	for (size_t i = 0; i < f->events.count; i++)
		json_event(j, t, f->events.items[i]);
	json_out_array_end(j);
	json_schedule(j, t, f);
	if (f->confirmation != NULL) {
		json_out_bool(j, "confirmed", f->confirmed);
		json_out_string(j, "confirmation", f->confirmation);
	}
	if (f->bundle != NULL)
		json_out_string(j, "bundle", f->bundle);
	json_out_object_end(j);
}

static void json_totals(struct json_out *j, const struct predict_result *r)
{
	json_out_object_begin(j, "totals");
	for (int k = KIND_RACE; k <= KIND_ORDER; k++) {
		const struct predict_totals *x = &r->totals[k];

		json_out_object_begin(j, predict_kind_text((enum predict_kind)k));
		json_out_uint(j, "candidates", x->candidates);
		json_out_uint(j, "feasible", x->decided[ANSWER_FEASIBLE]);
		json_out_uint(j, "infeasible", x->decided[ANSWER_INFEASIBLE] + x->ordered);
		json_out_uint(j, "unknown", x->decided[ANSWER_UNKNOWN] + x->left_out);
		json_out_uint(j, "skipped", x->skipped);
		json_out_object_end(j);
	}
	json_out_object_end(j);
}

static void json_stats(struct json_out *j, const struct predict_stats *s)
{
	json_out_object_begin(j, "trace");
	json_out_uint(j, "recorded", s->recorded);
	json_out_uint(j, "threads", s->threads);
	json_out_uint(j, "locks", s->locks);
	json_out_uint(j, "conditions", s->conds);
	json_out_uint(j, "locations", s->vars);
	json_out_uint(j, "events", s->events);
	json_out_uint(j, "lock_events", s->lock_events);
	json_out_uint(j, "condition_events", s->cond_events);
	json_out_uint(j, "reads", s->reads);
	json_out_uint(j, "writes", s->writes);
	json_out_object_end(j);
}

static void json_table(struct json_out *j, const struct predict_table *t)
{
	static const char *const cells[] = {"0", "1", "?", "-"};

	json_out_array_begin(j, "table");
	for (size_t i = 0; i < t->rows.count; i++) {
		const struct predict_row *row = &t->rows.items[i];

		json_out_object_begin(j, NULL);
		json_out_string(j, "name", row->name);
		if (row->a != PREDICT_NONE) {
			json_out_uint(j, "a", row->a + 1);
			json_out_uint(j, "b", row->b + 1);
		}
		for (int m = 0; m < PREDICT_METHOD_COUNT; m++)
			json_out_string(j, predict_method_word((enum predict_method)m),
					cells[row->cell[m]]);
		json_out_object_end(j);
	}
	json_out_array_end(j);
}

static void json_versus(struct json_out *j, const struct predict_versus *v)
{
	json_out_object_begin(j, "versus");
	json_out_string(j, "solver", v->name);
	json_out_uint(j, "questions", v->questions);
	json_out_uint(j, "feasible", v->feasible);
	json_out_uint(j, "unknown", v->unknown);
	json_out_uint(j, "points", v->points);
	json_out_uint(j, "clauses", v->clauses);
	json_out_real(j, "own_seconds", v->own);
	json_out_real(j, "session_seconds", v->session);
	json_out_real(j, "ratio", predict_versus_ratio(v));
	json_out_object_end(j);
}

void predict_render_json(const struct predict_report *r, struct json_out *j)
{
	const struct predict_trace *t = r->engine->t;

	json_out_object_begin(j, NULL);
	json_out_string(j, "file", r->file);
	if (r->ended != NULL)
		json_out_string(j, "ended", r->ended);
	json_out_string(j, "model", predict_model_text(r->opts->model));
	json_stats(j, &r->stats);
	json_out_array_begin(j, "warnings");
	for (size_t i = 0; i < t->warnings.count; i++) {
		json_out_object_begin(j, NULL);
		json_out_uint(j, "line", t->warnings.items[i].line);
		json_out_string(j, "text", t->warnings.items[i].text);
		json_out_object_end(j);
	}
	json_out_array_end(j);
	json_out_array_begin(j, "findings");
	for (size_t i = 0; i < r->result->findings.count; i++)
		json_finding(j, t, &r->result->findings.items[i]);
	json_out_array_end(j);
	json_totals(j, r->result);
	if (r->table != NULL)
		json_table(j, r->table);
	if (r->versus != NULL)
		json_versus(j, r->versus);
	json_out_object_end(j);
}
