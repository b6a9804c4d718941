#include "report/analysis.h"

#include <inttypes.h>
#include <string.h>

#define SHOWN 12 /* findings with everything, and the rest in a line each */
#define NOTES 10
#define FRAMES 5

static void add_place(const struct finding_place *p, struct strbuf *to)
{
	strbuf_addf(to, "%s:%" PRIu64, p->file ? p->file : "?", p->line);
}

static void add_event(const struct finding_event *e, struct strbuf *to)
{
	strbuf_addf(to, "  %s at ", e->text);
	add_place(&e->at, to);
	if (e->at.function)
		strbuf_addf(to, " in %s", e->at.function);
	strbuf_addf(to, "\n      %s%s\n", e->held ? "holding " : "holding no lock",
		    e->held ? e->held : "");
	for (size_t i = 1; i < e->stack.count && i <= FRAMES; i++) {
		strbuf_addf(to, "      called by %s at ",
			    e->stack.items[i].function ? e->stack.items[i].function : "?");
		add_place(&e->stack.items[i], to);
		strbuf_add_char(to, '\n');
	}
	if (e->created)
		strbuf_addf(to, "      thread created by %s\n", e->created);
}

static void add_finding(const struct finding *f, const struct analysis_row *row, bool brief,
			struct strbuf *to)
{
	strbuf_addf(to, "%s, %s: %s", analysis_class_name(row->class), f->rule, f->message);
	if (brief) {
		for (size_t i = 0; i < f->events.count; i++) {
			strbuf_add(to, i ? " and " : ": ");
			add_place(&f->events.items[i].at, to);
		}
		strbuf_add_char(to, '\n');
		return;
	}
	strbuf_add_char(to, '\n');
	for (size_t i = 0; i < f->events.count; i++)
		add_event(&f->events.items[i], to);
	if (row->input)
		strbuf_addf(to, "  with the input %s\n", row->input);
	if (row->bundle)
		strbuf_addf(to, "  it happens: heddle replay %s\n", row->bundle);
	strbuf_add_char(to, '\n');
}

static void add_notes(const struct analysis *a, struct strbuf *to)
{
	for (size_t i = 0; i < a->notes.count && i < NOTES; i++) {
		const struct analysis_note *n = &a->notes.items[i];

		strbuf_addf(to, "not understood: %s%s", strcmp(n->kind, "call") ? "" : "a call of ",
			    n->what);
		if (n->at.file) {
			strbuf_add(to, " at ");
			add_place(&n->at, to);
		}
		strbuf_add_char(to, '\n');
	}
	if (a->notes.count > NOTES)
		strbuf_addf(to, "not understood: %zu things more\n", a->notes.count - NOTES);
}

void report_analysis_text(const struct analysis *a, bool all, struct strbuf *to)
{
	for (size_t i = 0; i < a->findings.count; i++)
		add_finding(&a->findings.items[i], &a->rows.items[i], i >= SHOWN && !all, to);
	for (size_t i = 0; i < a->slice.count; i++) {
		add_place(&a->slice.items[i].at, to);
		strbuf_addf(to, " %s\n", a->slice.items[i].text);
	}
	add_notes(a, to);
}

/* ---- JSON ---- */

static void json_place(const struct finding_place *p, struct json_out *j)
{
	if (p->file)
		json_out_string(j, "file", p->file);
	json_out_uint(j, "line", p->line);
	json_out_uint(j, "column", p->column);
	if (p->function)
		json_out_string(j, "function", p->function);
}

static void json_event(const struct finding_event *e, const char *name, struct json_out *j)
{
	json_out_object_begin(j, name);
	json_place(&e->at, j);
	if (e->thread)
		json_out_string(j, "thread", e->thread);
	if (e->object)
		json_out_string(j, "variable", e->object);
	if (e->operation)
		json_out_string(j, "operation", e->operation);
	if (e->held)
		json_out_string(j, "locks", e->held);
	if (e->created)
		json_out_string(j, "created", e->created);
	json_out_array_begin(j, "stack");
	for (size_t i = 0; i < e->stack.count; i++) {
		json_out_object_begin(j, NULL);
		json_place(&e->stack.items[i], j);
		json_out_object_end(j);
	}
	json_out_array_end(j);
	json_out_object_end(j);
}

static void json_race(const struct finding *f, const struct analysis_row *row, struct json_out *j)
{
	json_out_object_begin(j, NULL);
	json_event(&f->events.items[0], "a", j);
	json_event(&f->events.items[1], "b", j);
	json_out_string(j, "class", analysis_class_name(row->class));
	json_out_string(j, "kind", f->rule);
	json_out_string(j, "input", row->input);
	if (row->why)
		json_out_string(j, "why", row->why);
	json_out_uint(j, "contexts", row->contexts);
	if (row->bundle)
		json_out_string(j, "bundle", row->bundle);
	json_out_object_end(j);
}

static void json_deadlock(const struct finding *f, const struct analysis_row *row,
			  struct json_out *j)
{
	json_out_object_begin(j, NULL);
	json_out_array_begin(j, "locks");
	for (size_t i = 0; i < f->events.count; i++)
		json_event(&f->events.items[i], NULL, j);
	json_out_array_end(j);
	json_out_string(j, "class", analysis_class_name(row->class));
	if (row->bundle)
		json_out_string(j, "bundle", row->bundle);
	json_out_object_end(j);
}

static bool is_deadlock(const struct finding *f)
{
	return !strcmp(f->rule, "deadlock");
}

void report_analysis_json(const struct analysis *a, struct json_out *j)
{
	json_out_array_begin(j, "races");
	for (size_t i = 0; i < a->findings.count; i++)
		if (!is_deadlock(&a->findings.items[i]) && a->findings.items[i].events.count >= 2)
			json_race(&a->findings.items[i], &a->rows.items[i], j);
	json_out_array_end(j);
	json_out_array_begin(j, "deadlocks");
	for (size_t i = 0; i < a->findings.count; i++)
		if (is_deadlock(&a->findings.items[i]))
			json_deadlock(&a->findings.items[i], &a->rows.items[i], j);
	json_out_array_end(j);
	json_out_array_begin(j, "opaque");
	for (size_t i = 0; i < a->notes.count; i++) {
		json_out_object_begin(j, NULL);
		json_out_string(j, "kind", a->notes.items[i].kind);
		json_out_string(j, "what", a->notes.items[i].what);
		json_place(&a->notes.items[i].at, j);
		json_out_object_end(j);
	}
	json_out_array_end(j);
	json_out_array_begin(j, "slice");
	for (size_t i = 0; i < a->slice.count; i++) {
		json_out_object_begin(j, NULL);
		json_place(&a->slice.items[i].at, j);
		json_out_string(j, "what", a->slice.items[i].text);
		json_out_object_end(j);
	}
	json_out_array_end(j);
	json_out_object_begin(j, "alias_pairs");
	json_out_uint(j, "all", a->alias_all);
	json_out_uint(j, "specialised", a->alias_specialised);
	json_out_object_end(j);
	json_out_object_begin(j, "counts");
#define X(name) json_out_uint(j, #name, a->name);
	ANALYSIS_COUNTS(X)
#undef X
	json_out_object_end(j);
}
