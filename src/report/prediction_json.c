#include "report/prediction.h"

static void json_stack(struct json_out *j, const struct finding_event *e)
{
	json_out_array_begin(j, "stack");
	for (size_t i = 0; i < e->stack.count; i++) {
		json_out_object_begin(j, NULL);
		json_out_string(j, "function", e->stack.items[i].function);
		json_out_string(j, "site", e->stack.items[i].name);
		json_out_object_end(j);
	}
	json_out_array_end(j);
}

static void json_event(struct json_out *j, const struct finding_event *e)
{
	json_out_object_begin(j, NULL);
	json_out_uint(j, "number", e->number);
	json_out_string(j, "thread", e->thread);
	json_out_string(j, "operation", e->operation);
	json_out_string(j, "object", e->object);
	json_out_string(j, "site", e->at.name);
	json_out_uint(j, "line", e->line);
	json_out_string(j, "held", e->held);
	if (e->stack.count > 0)
		json_stack(j, e);
	json_out_object_end(j);
}

/* The witness as runs: so many events of a thread, then so many of another. */
static void json_schedule(struct json_out *j, const struct prediction *p,
			  const struct finding_prediction *x)
{
	json_out_uint(j, "steps", x->steps);
	json_out_array_begin(j, "schedule");
	for (size_t i = 0; i < x->runs.count; i++) {
		json_out_object_begin(j, NULL);
		json_out_string(j, "thread", p->threads.items[x->runs.items[i].thread]);
		json_out_uint(j, "events", x->runs.items[i].count);
		json_out_object_end(j);
	}
	json_out_array_end(j);
}

static void json_verdict(struct json_out *j, const struct finding *f)
{
	const struct finding_prediction *x = f->prediction;

	json_out_string(j, "answer", x->answer);
	json_out_string(j, "model", x->model);
	json_out_string(j, "stage", x->stage);
	if (x->block) {
		json_out_string(j, "block", x->block);
		json_out_bool(j, "inferred", x->inferred);
	}
	json_out_string(j, "title", x->title);
	if (x->why)
		json_out_string(j, "why", x->why);
	json_out_bool(j, "suppressed", f->suppressed);
	json_out_uint(j, "combinations", x->tuples);
	json_out_uint(j, "feasible", x->feasible);
}

static void json_finding(struct json_out *j, const struct prediction *p, const struct finding *f)
{
	const struct finding_prediction *x = f->prediction;

	json_out_object_begin(j, NULL);
	json_out_string(j, "kind", f->rule);
	if (x->name)
		json_out_string(j, "name", x->name);
	json_verdict(j, f);
	json_out_array_begin(j, "events");
	for (size_t i = 0; i < f->events.count; i++)
		json_event(j, &f->events.items[i]);
	json_out_array_end(j);
	json_schedule(j, p, x);
	if (x->confirmation) {
		json_out_bool(j, "confirmed", x->confirmed);
		json_out_string(j, "confirmation", x->confirmation);
	}
	if (f->bundle)
		json_out_string(j, "bundle", f->bundle);
	json_out_object_end(j);
}

static void json_totals(struct json_out *j, const struct prediction *p)
{
	json_out_object_begin(j, "totals");
	for (int k = 0; k < PREDICTION_KINDS; k++) {
		const struct prediction_total *x = &p->totals[k];

		json_out_object_begin(j, x->kind);
		json_out_uint(j, "candidates", x->candidates);
		json_out_uint(j, "feasible", x->feasible);
		json_out_uint(j, "infeasible", x->infeasible);
		json_out_uint(j, "unknown", x->unknown);
		json_out_uint(j, "skipped", x->skipped);
		if (x->cut_at > 0)
			json_out_uint(j, "cycles_complete_below", x->cut_at);
		json_out_object_end(j);
	}
	json_out_object_end(j);
}

static void json_confirmed(struct json_out *j, const struct prediction_confirmed *n)
{
	json_out_object_begin(j, "confirmation");
	json_out_uint(j, "predictions", n->feasible);
	json_out_uint(j, "run", n->run);
	json_out_uint(j, "confirmed", n->confirmed);
	if (n->not_run)
		json_out_string(j, "not_run", n->not_run);
	json_out_object_end(j);
}

static void json_stats(struct json_out *j, const struct prediction_stats *s)
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

static void json_table(struct json_out *j, const struct prediction_table *t)
{
	json_out_array_begin(j, "table");
	for (size_t i = 0; i < t->rows.count; i++) {
		const struct prediction_row *row = &t->rows.items[i];

		json_out_object_begin(j, NULL);
		json_out_string(j, "name", row->name);
		if (row->pair) {
			json_out_uint(j, "a", row->a);
			json_out_uint(j, "b", row->b);
		}
		for (unsigned m = 0; m < t->methods; m++)
			json_out_string(j, t->method[m], (char[]){row->cells[m], '\0'});
		json_out_object_end(j);
	}
	json_out_array_end(j);
}

static void json_versus(struct json_out *j, const struct prediction_versus *v)
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
	json_out_real(j, "ratio", prediction_versus_ratio(v));
	json_out_object_end(j);
}

static void json_warnings(struct json_out *j, const struct prediction *p)
{
	json_out_array_begin(j, "warnings");
	for (size_t i = 0; i < p->warnings.count; i++) {
		json_out_object_begin(j, NULL);
		json_out_uint(j, "line", p->warnings.items[i].line);
		json_out_string(j, "text", p->warnings.items[i].text);
		json_out_object_end(j);
	}
	json_out_array_end(j);
}

void report_prediction_json(const struct prediction *p, struct json_out *j)
{
	json_out_object_begin(j, NULL);
	json_out_string(j, "file", p->file);
	if (p->ended)
		json_out_string(j, "ended", p->ended);
	if (p->failure_count > 0) {
		json_out_array_begin(j, "failure");
		for (size_t i = 0; i < p->failure_count; i++)
			json_out_string(j, NULL, p->failure[i]);
		json_out_array_end(j);
	}
	json_out_string(j, "model", p->model);
	json_stats(j, &p->stats);
	json_warnings(j, p);
	json_out_array_begin(j, "findings");
	for (size_t i = 0; i < p->findings.count; i++)
		json_finding(j, p, &p->findings.items[i]);
	json_out_array_end(j);
	json_totals(j, p);
	if (p->confirmed.wanted)
		json_confirmed(j, &p->confirmed);
	if (p->table)
		json_table(j, p->table);
	if (p->versus)
		json_versus(j, p->versus);
	json_out_object_end(j);
}
