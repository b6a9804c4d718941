/* SARIF 2.1.0: one run, one rule per kind, one result per finding that is not refuted. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "predict/explain.h"
#include "predict/render.h"
#include "predict/stacks.h"

/* "dir/file.c:12:3" or "file.c:12" in its parts. */
struct place {
	char *file;
	uint64_t line, column;
};

static bool take_number(char *text, uint64_t *number)
{
	char *colon = strrchr(text, ':'), *end = NULL;

	if (colon == NULL || colon[1] < '0' || colon[1] > '9')
		return false;
	*number = strtoull(colon + 1, &end, 10);
	if (*end != '\0')
		return false;
	*colon = '\0';
	return true;
}

/* Of a source site; of a line of the input when the source is not known. */
static struct place place_of(const struct predict_report *r, uint32_t site, uint32_t line)
{
	const struct predict_trace *t = r->engine->t;
	struct place p = {NULL, 0, 0};
	uint64_t last;

	if (site != PREDICT_NONE) {
		p.file = xstrdup(predict_names_text(&t->sites, site));
		if (take_number(p.file, &last)) {
			if (take_number(p.file, &p.line))
				p.column = last;
			else
				p.line = last;
			return p;
		}
		free(p.file);
	}
	p.file = xstrdup(r->file);
	p.line = line;
	return p;
}

static void sarif_physical(struct json_out *j, const struct place *p)
{
	json_out_object_begin(j, "physicalLocation");
	json_out_object_begin(j, "artifactLocation");
	json_out_string(j, "uri", p->file);
	json_out_object_end(j);
	json_out_object_begin(j, "region");
	json_out_uint(j, "startLine", p->line > 0 ? p->line : 1);
	if (p->column > 0)
		json_out_uint(j, "startColumn", p->column);
	json_out_object_end(j);
	json_out_object_end(j);
}

static void sarif_location(struct json_out *j, const struct predict_report *r, uint32_t e)
{
	const struct predict_event *ev = &r->engine->t->events.items[e];
	struct place p = place_of(r, ev->site, ev->line);
	struct strbuf text = STRBUF_INIT;

	predict_explain_event(r->engine->t, e, &text);
	json_out_object_begin(j, NULL);
	sarif_physical(j, &p);
	json_out_object_begin(j, "message");
	json_out_string(j, "text", text.text);
	json_out_object_end(j);
	json_out_object_end(j);
	strbuf_free(&text);
	free(p.file);
}

static void sarif_locations(struct json_out *j, const char *name, const struct predict_report *r,
			    const struct predict_events *events, size_t from, size_t to)
{
	json_out_array_begin(j, name);
	for (size_t i = from; i < to && i < events->count; i++)
		sarif_location(j, r, events->items[i]);
	json_out_array_end(j);
}

struct stack {
	struct json_out *j;
	const struct predict_report *r;
};

static void sarif_frame(void *context, const char *func, uint32_t site)
{
	const struct stack *s = context;
	struct place p = place_of(s->r, site, 1);

	json_out_object_begin(s->j, NULL);
	json_out_object_begin(s->j, "location");
	if (site != PREDICT_NONE)
		sarif_physical(s->j, &p);
	json_out_array_begin(s->j, "logicalLocations");
	json_out_object_begin(s->j, NULL);
	json_out_string(s->j, "name", func);
	json_out_string(s->j, "kind", "function");
	json_out_object_end(s->j);
	json_out_array_end(s->j);
	json_out_object_end(s->j);
	json_out_object_end(s->j);
	free(p.file);
}

static void sarif_stacks(struct json_out *j, const struct predict_report *r,
			 const struct predict_finding *f)
{
	const struct predict_trace *t = r->engine->t;

	json_out_array_begin(j, "stacks");
	for (size_t i = 0; i < f->events.count; i++) {
		uint32_t e = f->events.items[i];
		struct strbuf text = STRBUF_INIT;

		if (t->events.items[e].frame == 0)
			continue;
		predict_explain_event(t, e, &text);
		json_out_object_begin(j, NULL);
		json_out_object_begin(j, "message");
		json_out_string(j, "text", text.text);
		json_out_object_end(j);
		json_out_array_begin(j, "frames");
		predict_stacks_walk(t, e, sarif_frame, &(struct stack){j, r});
		json_out_array_end(j);
		json_out_object_end(j);
		strbuf_free(&text);
	}
	json_out_array_end(j);
}

static void sarif_message(struct json_out *j, const struct predict_report *r,
			  const struct predict_finding *f)
{
	struct strbuf text = STRBUF_INIT;

	predict_explain_title(r->engine->t, f, &text);
	if (f->answer == ANSWER_FEASIBLE) {
		strbuf_add(&text, ".  ");
		predict_explain_why(r->engine->t, f, &text);
	} else {
		strbuf_add(&text, ": could not be decided within the budget");
	}
	json_out_object_begin(j, "message");
	json_out_string(j, "text", text.text);
	json_out_object_end(j);
	strbuf_free(&text);
}

static void sarif_result(struct json_out *j, const struct predict_report *r,
			 const struct predict_finding *f)
{
	json_out_object_begin(j, NULL);
	json_out_string(j, "ruleId", predict_kind_text(f->kind));
	json_out_string(j, "level", f->answer == ANSWER_FEASIBLE ? "error" : "note");
	sarif_message(j, r, f);
	sarif_locations(j, "locations", r, &f->events, 0, 1);
	sarif_locations(j, "relatedLocations", r, &f->events, 1, f->events.count);
	if (f->events.count > 0 && r->engine->t->events.items[f->events.items[0]].frame != 0)
		sarif_stacks(j, r, f);
	if (f->suppressed) {
		json_out_array_begin(j, "suppressions");
		json_out_object_begin(j, NULL);
		json_out_string(j, "kind", "external");
		json_out_object_end(j);
		json_out_array_end(j);
	}
	json_out_object_end(j);
}

static void sarif_rules(struct json_out *j)
{
	static const char *const texts[] = {
		"Two conflicting accesses can happen at the same moment.",
		"Threads can block each other in a cycle of lock requests.",
		"Another thread's access can fall into a block meant to be atomic.",
		"Events can happen in an order that was asked about.",
	};

	json_out_array_begin(j, "rules");
	for (int k = KIND_RACE; k <= KIND_ORDER; k++) {
		json_out_object_begin(j, NULL);
		json_out_string(j, "id", predict_kind_text((enum predict_kind)k));
		json_out_object_begin(j, "shortDescription");
		json_out_string(j, "text", texts[k]);
		json_out_object_end(j);
		json_out_object_end(j);
	}
	json_out_array_end(j);
}

static void sarif_tool(struct json_out *j, const char *version)
{
	json_out_object_begin(j, "tool");
	json_out_object_begin(j, "driver");
	json_out_string(j, "name", "heddle predict");
	json_out_string(j, "version", version);
	sarif_rules(j);
	json_out_object_end(j);
	json_out_object_end(j);
}

void predict_render_sarif(const struct predict_report *r, size_t n, const char *version,
			  struct strbuf *to)
{
	struct json_out j;

	json_out_init(&j, to);
	json_out_object_begin(&j, NULL);
	json_out_string(&j, "version", "2.1.0");
	json_out_array_begin(&j, "runs");
	json_out_object_begin(&j, NULL);
	sarif_tool(&j, version);
	json_out_array_begin(&j, "results");
	for (size_t i = 0; i < n; i++) {
		for (size_t k = 0; k < r[i].result->findings.count; k++) {
			const struct predict_finding *f = &r[i].result->findings.items[k];

			if (f->answer != ANSWER_INFEASIBLE)
				sarif_result(&j, &r[i], f);
		}
	}
	json_out_array_end(&j);
	json_out_object_end(&j);
	json_out_array_end(&j);
	json_out_object_end(&j);
	strbuf_add_char(to, '\n');
}
