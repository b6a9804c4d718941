#include "report/json.h"

#include "model/calls.h"
#include "report/detail.h"
#include "report/focus.h"
#include "report/phrase.h"
#include "report/weak.h"
#include "report/words.h"

static void json_begin(struct report *r)
{
	json_out_init(&r->json, &r->to);
	json_out_object_begin(&r->json, NULL);
	json_out_array_begin(&r->json, "findings");
}

static void add_text(struct json_out *j, const char *name, struct strbuf *text)
{
	json_out_string(j, name, text->text ? text->text : "");
	strbuf_clear(text);
}

void report_json_site(struct json_out *j, const char *name, const struct trace_bundle *b,
		      uint32_t site)
{
	const struct trace_site *s = trace_sites_find(&b->sites, site);

	if (!s)
		return;
	json_out_object_begin(j, name);
	json_out_uint(j, "id", s->id);
	json_out_string(j, "file", s->file);
	json_out_string(j, "directory", s->dir);
	json_out_uint(j, "line", s->line);
	json_out_uint(j, "column", s->column);
	json_out_string(j, "function", s->func);
	json_out_string(j, "variable", s->name);
	json_out_object_end(j);
}

static void add_address(struct json_out *j, const struct trace_bundle *b)
{
	static const char *const objects[] = {"unknown", "null",  "heap",
					      "freed",	 "stack", "global"};
	const struct wire_failure *f = &b->outcome.failure;

	json_out_hex(j, "address", f->addr);
	json_out_string(j, "object", f->object <= OBJECT_GLOBAL ? objects[f->object] : "unknown");
	if (f->object != OBJECT_HEAP && f->object != OBJECT_FREED && f->object != OBJECT_STACK)
		return;
	json_out_hex(j, "object_base", f->object_base);
	json_out_uint(j, "object_size", f->object_size);
	report_json_site(j, "allocated", b, f->alloc_site);
	report_json_site(j, "freed", b, f->free_site);
}

static void add_failure(struct json_out *j, const struct trace_bundle *b)
{
	const struct wire_failure *f = &b->outcome.failure;
	struct strbuf text = STRBUF_INIT;

	json_out_string(j, "kind", report_word_failure_id(f->kind));
	report_detail_headline(b, &text);
	add_text(j, "headline", &text);
	report_detail_lines(b, &text);
	add_text(j, "details", &text);
	json_out_uint(j, "thread", f->tid);
	json_out_uint(j, "value", f->value);
	json_out_string(j, "message", f->text);
	report_json_site(j, "site", b, f->site);
	if (f->addr)
		add_address(j, b);
	strbuf_free(&text);
}

void report_json_failure(struct json_out *j, const char *name, const struct trace_bundle *b)
{
	json_out_object_begin(j, name);
	add_failure(j, b);
	json_out_object_end(j);
}

static void add_thread(struct json_out *j, const struct trace_bundle *b,
		       const struct wire_thread *t)
{
	struct strbuf text = STRBUF_INIT;

	json_out_object_begin(j, NULL);
	json_out_uint(j, "thread", t->tid);
	report_phrase_thread_name(b, t->tid, &text);
	add_text(j, "name", &text);
	json_out_string(j, "state", report_word_thread_state(t->state));
	if (report_detail_stuck(t)) {
		json_out_string(j, "waits_at", report_word_event(t->pending_kind));
		report_phrase_object(b, t->pending_addr, &text);
		add_text(j, "waits_for_object", &text);
		if (t->waits_for < b->threads.count)
			json_out_uint(j, "waits_for_thread", t->waits_for);
		report_json_site(j, "site", b, t->pending_site);
	}
	json_out_array_begin(j, "holds");
	for (unsigned i = 0; i < t->held_count && i < WIRE_MAX_HELD; i++) {
		report_phrase_object(b, t->held[i].addr, &text);
		add_text(j, NULL, &text);
	}
	json_out_array_end(j);
	json_out_object_end(j);
	strbuf_free(&text);
}

static void add_event(struct json_out *j, const struct trace_bundle *b, size_t index)
{
	const struct wire_event *v = &b->events.items[index];
	struct strbuf text = STRBUF_INIT;

	json_out_object_begin(j, NULL);
	json_out_uint(j, "index", index);
	json_out_uint(j, "thread", v->tid);
	json_out_string(j, "event", report_word_event(v->kind));
	report_phrase_event(b, v, &text);
	add_text(j, "text", &text);
	report_json_site(j, "site", b, v->site);
	json_out_object_end(j);
	strbuf_free(&text);
}

static void add_events(struct report *r, const struct trace_bundle *b)
{
	struct report_focus focus = {.events = VEC_INIT};

	report_focus_choose(&focus, b, (size_t)r->lines);
	json_out_uint(&r->json, "events", b->events.count);
	json_out_array_begin(&r->json, "schedule");
	for (size_t i = 0; i < focus.events.count; i++)
		add_event(&r->json, b, focus.events.items[i]);
	json_out_array_end(&r->json);
	report_focus_fini(&focus);
}

static void json_finding(struct report *r, const struct report_finding *f)
{
	struct json_out *j = &r->json;

	json_out_object_begin(j, NULL);
	add_failure(j, f->bundle);
	json_out_uint(j, "seed", f->bundle->meta.seed);
	json_out_uint(j, "runs", f->count);
	json_out_string(j, "bundle", f->dir);
	json_out_array_begin(j, "threads");
	for (size_t i = 0; i < f->bundle->threads.count; i++)
		add_thread(j, f->bundle, &f->bundle->threads.items[i]);
	json_out_array_end(j);
	add_events(r, f->bundle);
	if (f->story && *f->story)
		json_out_string(j, "story", f->story);
	report_weak_json(j, f->bundle, f->weak);
	json_out_object_end(j);
}

static void add_stack(struct json_out *j, const struct trace_bundle *b, size_t event)
{
	struct calls_stack stack = VEC_INIT;

	calls_stack_of(b, event, &stack);
	json_out_array_begin(j, NULL);
	for (size_t i = 0; i < stack.count; i++) {
		json_out_object_begin(j, NULL);
		json_out_string(j, "function", stack.items[i].func);
		report_json_site(j, "site", b, stack.items[i].site);
		json_out_object_end(j);
	}
	json_out_array_end(j);
	vec_free(&stack);
}

static void add_races(struct json_out *j, const struct report_summary *s)
{
	json_out_array_begin(j, "races");
	for (size_t i = 0; i < s->race_count; i++) {
		json_out_object_begin(j, NULL);
		json_out_string(j, "bundle", s->races[i].dir);
		json_out_array_begin(j, "accesses");
		for (int k = 0; k < 2; k++)
			add_event(j, s->races[i].bundle, s->races[i].events[k]);
		json_out_array_end(j);
		json_out_array_begin(j, "stacks");
		for (int k = 0; k < 2; k++)
			add_stack(j, s->races[i].bundle, s->races[i].events[k]);
		json_out_array_end(j);
		json_out_object_end(j);
	}
	json_out_array_end(j);
}

static void add_search(struct json_out *j, const struct report_search *x)
{
	json_out_string(j, "algorithm", x->algorithm);
	json_out_bool(j, "complete", x->complete);
	json_out_string(j, "reason", x->reason);
	json_out_uint(j, "states", x->states);
	json_out_uint(j, "executions", x->executions);
	json_out_uint(j, "drawn", x->drawn);
	json_out_object_begin(j, "bounded");
	json_out_string(j, "kind", "delays");
	json_out_int(j, "exhausted", x->delays);
	json_out_bool(j, "all", x->all_delays);
	json_out_uint(j, "runs", x->delayed);
	json_out_object_end(j);
	json_out_object_begin(j, "stats");
	json_out_uint(j, "learned", x->learned);
	json_out_uint(j, "configurations", x->configs);
	json_out_uint(j, "nodes", x->nodes);
	json_out_uint(j, "questions", x->questions);
	json_out_uint(j, "passes", x->passes);
	json_out_uint(j, "diverged", x->diverged);
	json_out_uint(j, "limited", x->limited);
	json_out_uint(j, "reads", x->reads);
	json_out_uint(j, "constraints", x->constraints);
	json_out_uint(j, "missed", x->missed);
	json_out_uint(j, "memory_bytes", x->bytes);
	json_out_real(j, "guest_seconds", (double)x->guest_ns / 1e9);
	json_out_real(j, "solver_seconds", (double)x->solver_ns / 1e9);
	json_out_real(j, "total_seconds", (double)x->total_ns / 1e9);
	json_out_object_end(j);
}

static void json_end(struct report *r, const struct report_summary *s)
{
	struct json_out *j = &r->json;

	json_out_array_end(j);
	json_out_string(j, "command", s->command);
	json_out_string(j, "program", s->program);
	json_out_string(j, "verdict", s->verdict);
	json_out_string(j, "text", s->text);
	json_out_uint(j, "known", s->known);
	json_out_int(j, "exit_code", s->exit_code);
	json_out_string(j, "strategy", s->strategy);
	json_out_string(j, "model", s->model);
	json_out_string(j, "engine", s->engine);
	json_out_uint(j, "seed", s->seed);
	json_out_uint(j, "bound", s->bound);
	json_out_uint(j, "runs", s->runs);
	json_out_uint(j, "failures", s->failures);
	json_out_uint(j, "step_limits", s->limits);
	json_out_uint(j, "steps", s->steps);
	json_out_bool(j, "exhausted", s->exhausted);
	json_out_real(j, "seconds", (double)s->ns / 1e9);
	add_races(j, s);
	json_out_uint(j, "races_found", s->races_found);
	if (s->search)
		add_search(j, s->search);
	json_out_object_end(j);
	strbuf_add_char(&r->to, '\n');
}

const struct report_ops report_json = {
	.name = "json",
	.begin = json_begin,
	.finding = json_finding,
	.end = json_end,
};
