#include "report/info/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "model/event.h"
#include "model/memory_model.h"
#include "model/schedule.h"
#include "report/detail.h"
#include "report/phrase.h"
#include "report/words.h"

#define LABEL "%-11s "
#define WIDTH 100

/* A word as one would type it in a shell. */
static void add_word(const char *word, struct strbuf *to)
{
	bool plain = *word != '\0';

	for (const char *c = word; *c && plain; c++)
		plain = isalnum((unsigned char)*c) || strchr("@%+=:,./_-", *c);
	if (plain) {
		strbuf_add(to, word);
		return;
	}
	strbuf_add_char(to, '\'');
	for (const char *c = word; *c; c++) {
		if (*c == '\'')
			strbuf_add(to, "'\\''");
		else
			strbuf_add_char(to, *c);
	}
	strbuf_add_char(to, '\'');
}

static void add_program(const struct trace_bundle *b, struct strbuf *to)
{
	strbuf_addf(to, LABEL, "program");
	strbuf_add(to, b->meta.program);
	for (size_t i = 1; i < b->meta.argv.count; i++) {
		strbuf_add_char(to, ' ');
		add_word(b->meta.argv.items[i], to);
	}
	strbuf_addf(to, "\n" LABEL "%s\n", "directory", b->meta.cwd);
}

static void add_origin(const struct trace_meta *m, struct strbuf *to)
{
	strbuf_addf(to, LABEL "heddle %s, strategy %s, seed %" PRIu64, "made by", m->tool_version,
		    report_word_strategy(m->strategy), m->seed);
	if (m->strategy == STRATEGY_PCT || m->strategy == STRATEGY_DFS)
		strbuf_addf(to, ", bound %u", m->bound);
	strbuf_addf(to, ", engine %s\n", report_word_engine(m->engine));
	strbuf_addf(to, LABEL "%s (%s)\n", "memory", model_memory_get(m->model)->name,
		    model_memory_get(m->model)->title);
}

/* Adds lines with every line indented. */
static void add_indented(const char *lines, struct strbuf *to)
{
	while (lines && *lines) {
		size_t n = strcspn(lines, "\n");

		strbuf_addf(to, "  %.*s\n", (int)n, lines);
		lines += n + (lines[n] == '\n');
	}
}

static void add_outcome(const struct trace_bundle *b, struct strbuf *to)
{
	struct strbuf text = STRBUF_INIT;

	strbuf_addf(to, LABEL, "outcome");
	if (b->outcome.outcome == OUTCOME_FAILURE) {
		report_detail_headline(b, &text);
		strbuf_addf(to, "%s\n", text.text);
		strbuf_clear(&text);
		report_detail_lines(b, &text);
		add_indented(text.text, to);
	} else {
		strbuf_add(to, report_word_outcome(b->outcome.outcome));
		if (b->outcome.outcome == OUTCOME_CLEAN)
			strbuf_addf(to, ", exit status %" PRIu64, b->counters.exit_status);
		if (b->outcome.reason[0])
			strbuf_addf(to, ": %s", b->outcome.reason);
		strbuf_add_char(to, '\n');
	}
	strbuf_free(&text);
}

static void add_pending(const struct trace_bundle *b, const struct wire_thread *t,
			struct strbuf *to)
{
	strbuf_addf(to, " at %s", model_event_name(t->pending_kind));
	if (t->pending_addr) {
		strbuf_add_char(to, ' ');
		report_phrase_object(b, t->pending_addr, to);
	}
	if (trace_sites_find(&b->sites, t->pending_site)) {
		strbuf_add(to, " in ");
		report_phrase_place(b, t->pending_site, to);
	}
	if (t->waits_for < b->threads.count)
		strbuf_addf(to, ", waits for T%u", t->waits_for);
}

static void add_thread(const struct trace_bundle *b, const struct wire_thread *t, uint64_t events,
		       struct strbuf *to)
{
	struct strbuf name = STRBUF_INIT;

	report_phrase_thread(b, t->tid, &name);
	strbuf_addf(to, "  %-20s %8" PRIu64 " events  %s", name.text, events,
		    report_word_thread_state(t->state));
	if (report_detail_stuck(t))
		add_pending(b, t, to);
	for (unsigned i = 0; i < t->held_count; i++) {
		strbuf_add(to, i ? ", " : ", holds ");
		report_phrase_object(b, t->held[i].addr, to);
	}
	strbuf_add_char(to, '\n');
	strbuf_free(&name);
}

/* "read 12, write 9, …" in lines, in the order of events.def. */
static void add_kinds(const struct report_info_counts *counts, struct strbuf *to)
{
	size_t used = 0;

	for (unsigned kind = 0; kind < EVENT_KIND_MAX; kind++) {
		char word[64];
		int n;

		if (!counts->by_kind[kind])
			continue;
		n = snprintf(word, sizeof(word), "%s %" PRIu64, model_event_name(kind),
			     counts->by_kind[kind]);
		if (used + (size_t)n + 2 > WIDTH) {
			strbuf_add(to, ",\n");
			used = 0;
		}
		strbuf_addf(to, "%s%s", used ? ", " : "  ", word);
		used += (size_t)n + 2;
	}
	if (used)
		strbuf_add_char(to, '\n');
}

/* ", 3 flushes"; nothing for none. */
static void add_number(uint64_t n, const char *one, const char *many, struct strbuf *to)
{
	if (n)
		strbuf_addf(to, ", %" PRIu64 " %s", n, n == 1 ? one : many);
}

static void add_schedule(const struct trace_bundle *b, struct strbuf *to)
{
	struct model_schedule_summary s;

	model_schedule_count(&s, b->schedule.items, b->schedule.count);
	strbuf_addf(to, LABEL "%zu choices: %" PRIu64 " steps", "schedule", b->schedule.count,
		    s.steps);
	add_number(s.switches, "context switch", "context switches", to);
	add_number(b->counters.preemptions, "preemption", "preemptions", to);
	add_number(s.flushes, "flush", "flushes", to);
	add_number(s.timeouts, "timeout", "timeouts", to);
	add_number(s.picks, "pick", "picks", to);
	add_number(s.spurious, "spurious end", "spurious ends", to);
	strbuf_add_char(to, '\n');
}

static void add_notes(const struct trace_bundle *b, struct strbuf *to)
{
	if (b->notes.count == 0)
		return;
	strbuf_addf(to, LABEL "%zu\n", "notes", b->notes.count);
	for (size_t i = 0; i < b->notes.count; i++)
		add_indented(b->notes.items[i], to);
}

void report_info_text_summary(const struct trace_bundle *b, const char *dir,
			   const struct report_info_counts *counts, struct strbuf *to)
{
	strbuf_addf(to, LABEL "%s\n", "bundle", dir);
	add_program(b, to);
	add_origin(&b->meta, to);
	add_outcome(b, to);
	strbuf_addf(to, LABEL "%zu\n", "threads", b->threads.count);
	for (size_t i = 0; i < b->threads.count; i++)
		add_thread(b, &b->threads.items[i], counts->by_thread[i], to);
	strbuf_addf(to, LABEL "%" PRIu64, "events", counts->events);
	if (b->counters.events_lost)
		strbuf_addf(to, " and %" PRIu64 " lost", b->counters.events_lost);
	strbuf_add_char(to, '\n');
	add_kinds(counts, to);
	add_schedule(b, to);
	add_notes(b, to);
	strbuf_addf(to, LABEL "heddle replay ", "replay");
	add_word(dir, to);
	strbuf_add_char(to, '\n');
}

void report_info_text_heading(struct strbuf *to)
{
	strbuf_addf(to, "%8s  %-6s %5s  %-14s %-14s  %-24s %-20s %s\n", "index", "thread", "tix",
		    "kind", "address", "variable", "value", "place");
}

void report_info_text_subject(const struct trace_bundle *b, const struct wire_event *v,
			   struct strbuf *to)
{
	switch (v->kind) {
	case EVENT_THREAD_BEGIN:
	case EVENT_THREAD_CREATE:
	case EVENT_THREAD_JOIN:
	case EVENT_THREAD_DETACH:
	case EVENT_THREAD_CANCEL:
		if (v->aux < b->threads.count)
			report_phrase_thread(b, v->aux, to);
		return;
	case EVENT_IO:
		strbuf_addf(to, "descriptor %" PRIu64, v->addr);
		return;
	case EVENT_FD:
		report_phrase_event(b, v, to);
		return;
	default:
		break;
	}
	if (model_event_class(v->kind) == EVENT_CLASS_ACCESS && v->kind != EVENT_FENCE)
		report_phrase_variable(b, v->site, v->addr, to);
	else if (model_event_has_address(v->kind))
		report_phrase_object(b, v->addr, to);
}

static void add_value(const struct trace_bundle *b, const struct wire_event *v, struct strbuf *to)
{
	if (v->kind == EVENT_FENCE)
		strbuf_add(to, model_order_name(v->aux & 7));
	else if (v->kind == EVENT_FAILURE)
		strbuf_add(to, report_word_failure((uint32_t)v->value));
	else if (model_event_class(v->kind) == EVENT_CLASS_ACCESS)
		report_phrase_value(b, v->value, v->size, to);
	else if (v->value)
		report_phrase_value(b, v->value, 8, to);
}

void report_info_text_event(const struct trace_bundle *b, const struct wire_event *v, uint64_t index,
			 struct strbuf *to)
{
	struct strbuf subject = STRBUF_INIT, value = STRBUF_INIT;
	char addr[24] = "", thread[16];

	if (model_event_has_address(v->kind))
		snprintf(addr, sizeof(addr), "0x%" PRIx64, v->addr);
	snprintf(thread, sizeof(thread), "T%u", v->tid);
	report_info_text_subject(b, v, &subject);
	add_value(b, v, &value);
	strbuf_addf(to, "%8" PRIu64 "  %-6s %5u  %-14s %-14s  %-24s %-20s ", index, thread, v->tix,
		    model_event_name(v->kind), addr, subject.text ? subject.text : "",
		    value.text ? value.text : "");
	trace_site_place(trace_sites_find(&b->sites, v->site), true, to);
	strbuf_add_char(to, '\n');
	strbuf_free(&subject);
	strbuf_free(&value);
}
