#include "report/info/json.h"

#include <stdio.h>

#include "report/info/text.h"
#include "model/event.h"
#include "model/memory_model.h"
#include "model/schedule.h"
#include "report/detail.h"
#include "report/json.h"
#include "report/phrase.h"
#include "report/words.h"

/* A text that was built in a buffer, which is emptied. */
static void add_text(struct json_out *j, const char *name, struct strbuf *text)
{
	json_out_string(j, name, text->text ? text->text : "");
	strbuf_clear(text);
}

static void add_strings(struct json_out *j, const char *name, char *const *items, size_t n)
{
	json_out_array_begin(j, name);
	for (size_t i = 0; i < n; i++)
		json_out_string(j, NULL, items[i]);
	json_out_array_end(j);
}

static void add_file_id(struct json_out *j, const struct trace_file_id *id)
{
	char hex[TRACE_BUILD_ID_MAX * 2 + 1] = "";

	for (unsigned i = 0; i < id->build_id_bytes; i++)
		snprintf(hex + 2 * i, 3, "%02x", id->build_id[i]);
	json_out_string(j, "path", id->path);
	json_out_uint(j, "bytes", id->bytes);
	json_out_hex(j, "hash", id->hash);
	json_out_string(j, "build_id", hex[0] ? hex : NULL);
}

static void add_modules(struct json_out *j, const struct trace_meta *m)
{
	json_out_object_begin(j, "executable");
	add_file_id(j, &m->executable);
	json_out_object_end(j);
	json_out_array_begin(j, "modules");
	for (size_t i = 0; i < m->modules.count; i++) {
		json_out_object_begin(j, NULL);
		add_file_id(j, &m->modules.items[i].file);
		json_out_hex(j, "load_bias", m->modules.items[i].load_bias);
		json_out_uint(j, "first_site", m->modules.items[i].first_site);
		json_out_uint(j, "sites", m->modules.items[i].sites_count);
		json_out_object_end(j);
	}
	json_out_array_end(j);
}

void report_info_json_meta(struct json_out *j, const struct trace_meta *m)
{
	json_out_string(j, "tool_version", m->tool_version);
	json_out_uint(j, "wire_version", m->wire_version);
	json_out_string(j, "strategy", report_word_strategy(m->strategy));
	json_out_uint(j, "seed", m->seed);
	json_out_uint(j, "bound", m->bound);
	json_out_string(j, "model", model_memory_get(m->model)->name);
	json_out_string(j, "engine", report_word_engine(m->engine));
	json_out_uint(j, "max_steps", m->max_steps);
	json_out_uint(j, "flags", m->flags);
	json_out_string(j, "program", m->program);
	json_out_string(j, "cwd", m->cwd);
	add_strings(j, "argv", m->argv.items, m->argv.count);
	add_strings(j, "environ", m->environ.items, m->environ.count);
	add_modules(j, m);
}

static void add_stack(struct json_out *j, const struct trace_bundle *b)
{
	const struct wire_failure *f = &b->outcome.failure;
	struct strbuf text = STRBUF_INIT;

	json_out_array_begin(j, "stack");
	for (uint32_t i = 0; i < f->stack_depth; i++) {
		json_out_object_begin(j, NULL);
		json_out_hex(j, "address", f->stack[i]);
		if (trace_symbols_print(&b->symbols, f->stack[i], &text))
			add_text(j, "symbol", &text);
		json_out_object_end(j);
	}
	json_out_array_end(j);
	strbuf_free(&text);
}

static void add_failure(struct json_out *j, const struct trace_bundle *b)
{
	const struct wire_failure *f = &b->outcome.failure;
	struct strbuf text = STRBUF_INIT;

	json_out_object_begin(j, "failure");
	json_out_string(j, "kind", report_word_failure_id(f->kind));
	report_detail_headline(b, &text);
	add_text(j, "headline", &text);
	json_out_string(j, "message", f->text);
	json_out_uint(j, "thread", f->tid);
	json_out_hex(j, "address", f->addr);
	json_out_uint(j, "value", f->value);
	report_json_site(j, "site", b, f->site);
	report_json_site(j, "allocated", b, f->alloc_site);
	report_json_site(j, "freed", b, f->free_site);
	add_stack(j, b);
	json_out_object_end(j);
	strbuf_free(&text);
}

static void add_outcome(struct json_out *j, const struct trace_bundle *b)
{
	json_out_string(j, "outcome", report_word_outcome(b->outcome.outcome));
	json_out_string(j, "reason", b->outcome.reason[0] ? b->outcome.reason : NULL);
	if (b->outcome.failure.kind != FAILURE_NONE)
		add_failure(j, b);
	json_out_object_begin(j, "counters");
#define X(name, text) json_out_uint(j, #name, b->counters.name);
#include "trace/bundle/counters.def"
#undef X
	json_out_object_end(j);
}

static void add_held(struct json_out *j, const struct trace_bundle *b, const struct wire_thread *t)
{
	struct strbuf text = STRBUF_INIT;

	json_out_array_begin(j, "holds");
	for (unsigned i = 0; i < t->held_count; i++) {
		json_out_object_begin(j, NULL);
		json_out_string(j, "kind", report_word_object(t->held[i].kind));
		json_out_hex(j, "address", t->held[i].addr);
		report_phrase_object(b, t->held[i].addr, &text);
		add_text(j, "object", &text);
		report_json_site(j, "site", b, t->held[i].site);
		json_out_object_end(j);
	}
	json_out_array_end(j);
	strbuf_free(&text);
}

static void add_thread(struct json_out *j, const struct trace_bundle *b,
		       const struct wire_thread *t)
{
	struct strbuf text = STRBUF_INIT;

	json_out_object_begin(j, NULL);
	json_out_uint(j, "thread", t->tid);
	report_phrase_thread_name(b, t->tid, &text);
	add_text(j, "name", &text);
	if (t->parent < b->threads.count)
		json_out_uint(j, "parent", t->parent);
	json_out_string(j, "state", report_word_thread_state(t->state));
	json_out_string(j, "pending", model_event_name(t->pending_kind));
	json_out_hex(j, "pending_address", t->pending_addr);
	report_json_site(j, "pending_site", b, t->pending_site);
	report_json_site(j, "created", b, t->create_site);
	if (t->waits_for < b->threads.count)
		json_out_uint(j, "waits_for", t->waits_for);
	json_out_uint(j, "events", t->events);
	add_held(j, b, t);
	json_out_object_end(j);
	strbuf_free(&text);
}

static void add_schedule(struct json_out *j, const struct trace_bundle *b)
{
	struct model_schedule_summary s;
	struct strbuf word = STRBUF_INIT;

	model_schedule_count(&s, b->schedule.items, b->schedule.count);
	json_out_object_begin(j, "schedule");
	json_out_uint(j, "steps", s.steps);
	json_out_uint(j, "switches", s.switches);
	json_out_uint(j, "flushes", s.flushes);
	json_out_uint(j, "timeouts", s.timeouts);
	json_out_uint(j, "picks", s.picks);
	json_out_uint(j, "spurious", s.spurious);
	json_out_array_begin(j, "choices");
	for (size_t i = 0; i < b->schedule.count; i++) {
		model_choice_print(&b->schedule.items[i], &word);
		add_text(j, NULL, &word);
	}
	json_out_array_end(j);
	json_out_object_end(j);
	strbuf_free(&word);
}

void report_info_json_begin(struct json_out *j, const struct trace_bundle *b, const char *dir)
{
	json_out_object_begin(j, NULL);
	json_out_string(j, "bundle", dir);
	report_info_json_meta(j, &b->meta);
	add_outcome(j, b);
	json_out_array_begin(j, "threads");
	for (size_t i = 0; i < b->threads.count; i++)
		add_thread(j, b, &b->threads.items[i]);
	json_out_array_end(j);
	add_schedule(j, b);
	add_strings(j, "notes", b->notes.items, b->notes.count);
	json_out_string(j, "stdout", b->output.out);
	json_out_string(j, "stderr", b->output.err);
	json_out_array_begin(j, "events");
}

void report_info_json_event(struct json_out *j, const struct trace_bundle *b,
			 const struct wire_event *v)
{
	struct strbuf text = STRBUF_INIT;

	json_out_object_begin(j, NULL);
	json_out_uint(j, "thread", v->tid);
	json_out_uint(j, "tix", v->tix);
	json_out_string(j, "kind", model_event_name(v->kind));
	json_out_hex(j, "address", v->addr);
	json_out_uint(j, "size", v->size);
	json_out_hex(j, "value", v->value);
	json_out_uint(j, "aux", v->aux);
	report_info_text_subject(b, v, &text);
	add_text(j, "subject", &text);
	report_json_site(j, "site", b, v->site);
	json_out_object_end(j);
	strbuf_free(&text);
}

void report_info_json_end(struct json_out *j)
{
	json_out_array_end(j);
	json_out_object_end(j);
}
