/* The report for a person at a terminal: one screen per failure. */
#include "report/term.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "report/detail.h"
#include "report/focus.h"
#include "report/phrase.h"
#include "report/source.h"
#include "report/term_priv.h"
#include "report/weak.h"
#include "report/words.h"

#define LABEL_STEP 4	/* how far the label of each further thread is indented */
#define LABEL_COLUMNS 6 /* threads with a column of their own; the rest share the last */
#define PLACE_MAX 28
#define PHRASE_MAX 44
#define OUTPUT_LINES 4

static const char *const thread_colors[] = {"36", "33", "35", "32", "34", "31"};

struct line {
	size_t event;
	char *place, *phrase;
	const char *source; /* NULL when it cannot be read */
};

struct page {
	struct report *r;
	const struct trace_bundle *b;
	struct report_source *source;
	VEC(struct line) lines;
	size_t place_width, phrase_width;
};

static void term_begin(struct report *r)
{
}

static void add_indented(struct strbuf *to, const struct strbuf *lines)
{
	for (char *at = lines->text; at && *at;) {
		size_t n = strcspn(at, "\n");

		strbuf_addf(to, "  %.*s\n", (int)n, at);
		at += n + (at[n] == '\n');
	}
}

static void add_headline(const struct page *p, uint64_t count)
{
	struct strbuf *to = &p->r->to;
	struct strbuf details = STRBUF_INIT;

	report_term_color(p->r, "1;31");
	report_detail_headline(p->b, to);
	report_term_color(p->r, "0");
	if (count > 1)
		strbuf_addf(to, " (%" PRIu64 " runs)", count);
	strbuf_add_char(to, '\n');
	report_detail_lines(p->b, &details);
	add_indented(to, &details);
	strbuf_free(&details);
}

/* Why, before how. */
static void add_story(const struct page *p, const char *story)
{
	struct strbuf lines = STRBUF_INIT;

	if (!story || !*story)
		return;
	strbuf_add(&lines, story);
	strbuf_add(&p->r->to, "\nwhy, beside a schedule that passes:\n");
	add_indented(&p->r->to, &lines);
	strbuf_free(&lines);
}

static void add_memory(const struct page *p, const struct model_weak *weak)
{
	struct strbuf lines = STRBUF_INIT;

	report_weak_lines(p->b, weak, &lines);
	if (lines.length > 0) {
		strbuf_add(&p->r->to, "\nmemory order:\n");
		add_indented(&p->r->to, &lines);
	}
	strbuf_free(&lines);
}

/* Takes a text out of its buffer, no longer than max; returns its length. */
static char *take_cut(struct strbuf *b, size_t max, size_t *length)
{
	char *text = strbuf_take(b);

	*length = strlen(text);
	if (*length > max) {
		memcpy(text + max - 3, "...", 4);
		*length = max;
	}
	return text;
}

/* The same for places, whose end matters more than their beginning. */
static char *take_tail(struct strbuf *b, size_t max, size_t *length)
{
	char *text = strbuf_take(b);

	*length = strlen(text);
	if (*length > max) {
		memmove(text + 3, text + *length - max + 3, max - 2);
		memcpy(text, "...", 3);
		*length = max;
	}
	return text;
}

static void widen(size_t *width, size_t length)
{
	if (*width < length)
		*width = length;
}

static void make_line(struct page *p, size_t event)
{
	const struct wire_event *v = &p->b->events.items[event];
	const struct trace_site *site = trace_sites_find(&p->b->sites, v->site);
	struct line line = {.event = event};
	struct strbuf text = STRBUF_INIT;
	size_t length;

	if (site && site->line)
		trace_site_place(site, true, &text);
	line.place = take_tail(&text, PLACE_MAX, &length);
	widen(&p->place_width, length);
	report_phrase_event(p->b, v, &text);
	line.phrase = take_cut(&text, PHRASE_MAX, &length);
	widen(&p->phrase_width, length);
	line.source = report_source_line(p->source, site);
	vec_push(&p->lines, line);
}

/* Beginnings and ends of threads are no news. */
static bool is_news(const struct page *p, size_t event)
{
	uint8_t kind = p->b->events.items[event].kind;

	return kind != EVENT_THREAD_BEGIN && kind != EVENT_THREAD_END;
}

static size_t count_news(const struct page *p, size_t from, size_t to)
{
	size_t n = 0;

	for (size_t i = from; i < to; i++)
		n += is_news(p, i);
	return n;
}

/* A single event between two that are shown takes no more room than the remark that it is there. */
static void make_gap(struct page *p, size_t from, size_t to)
{
	if (count_news(p, from, to) != 1)
		return;
	while (!is_news(p, from))
		from++;
	make_line(p, from);
}

static void make_lines(struct page *p)
{
	struct report_focus focus = {.events = VEC_INIT};
	size_t next = 0;

	report_focus_choose(&focus, p->b, (size_t)p->r->lines);
	for (size_t i = 0; i < focus.events.count; i++) {
		make_gap(p, next, focus.events.items[i]);
		make_line(p, focus.events.items[i]);
		next = focus.events.items[i] + 1;
	}
	report_focus_fini(&focus);
}

static size_t label_indent(uint16_t tid)
{
	return LABEL_STEP * (size_t)(tid < LABEL_COLUMNS ? tid : LABEL_COLUMNS - 1);
}

static size_t label_width(const struct page *p)
{
	size_t width = 0;

	for (size_t i = 0; i < p->lines.count; i++) {
		uint16_t tid = p->b->events.items[p->lines.items[i].event].tid;

		widen(&width, label_indent(tid) + (tid < 100 ? LABEL_STEP : LABEL_STEP + 2));
	}
	return width;
}

static void add_line(const struct page *p, const struct line *line, size_t labels)
{
	struct strbuf *to = &p->r->to;
	uint16_t tid = p->b->events.items[line->event].tid;
	int indent = (int)label_indent(tid);
	size_t left = 2 + labels + p->place_width + 2 + p->phrase_width + 3;

	strbuf_addf(to, "  %*s", indent, "");
	report_term_color(p->r, thread_colors[tid % 6]);
	strbuf_addf(to, "T%-*u", (int)labels - indent - 1, tid);
	report_term_color(p->r, "0");
	strbuf_addf(to, "%-*s  ", (int)p->place_width, line->place);
	if (line->source && (size_t)p->r->width > left + 8) {
		strbuf_addf(to, "%-*s ", (int)p->phrase_width, line->phrase);
		report_term_color(p->r, "2");
		strbuf_addf(to, "| %.*s", (int)((size_t)p->r->width - left), line->source);
		report_term_color(p->r, "0");
	} else {
		strbuf_add(to, line->phrase);
	}
	strbuf_add_char(to, '\n');
}

static void add_elided(const struct page *p, size_t from, size_t to)
{
	size_t n = count_news(p, from, to);

	if (n > 0)
		strbuf_addf(&p->r->to, "  ... %zu more event%s\n", n, n == 1 ? "" : "s");
}

static size_t count_switches(const struct trace_bundle *b)
{
	size_t n = 0;

	for (size_t i = 1; i < b->events.count; i++)
		n += b->events.items[i].tid != b->events.items[i - 1].tid;
	return n;
}

static void add_schedule(struct page *p, uint64_t before)
{
	struct strbuf *to = &p->r->to;
	size_t next = 0, switches = count_switches(p->b), labels;

	make_lines(p);
	labels = label_width(p);
	strbuf_addf(to, "\nschedule: %zu of %zu events, %zu context switch%s", p->lines.count,
		    p->b->events.count, switches, switches == 1 ? "" : "es");
	if (before > switches)
		strbuf_addf(to, " (reduced from %" PRIu64 ")", before);
	strbuf_addf(to, ", memory model %s\n", report_word_model(p->b->meta.model));
	for (size_t i = 0; i < p->lines.count; i++) {
		add_elided(p, next, p->lines.items[i].event);
		add_line(p, &p->lines.items[i], labels);
		next = p->lines.items[i].event + 1;
	}
	add_elided(p, next, p->b->events.count);
	if (p->b->counters.events_lost > 0)
		strbuf_addf(to, "  (%" PRIu64 " events were lost for lack of room)\n",
			    p->b->counters.events_lost);
}

static bool is_mentioned(const struct page *p, uint32_t tid)
{
	for (size_t i = 0; i < p->lines.count; i++)
		if (p->b->events.items[p->lines.items[i].event].tid == tid)
			return true;
	return false;
}

/* What the labels stand for. */
static void add_threads(const struct page *p)
{
	struct strbuf *to = &p->r->to;
	bool first = true;

	for (uint32_t tid = 0; tid < p->b->threads.count; tid++) {
		if (!is_mentioned(p, tid))
			continue;
		strbuf_add(to, first ? "\nthreads: " : ", ");
		report_phrase_thread(p->b, tid, to);
		first = false;
	}
	if (!first)
		strbuf_add_char(to, '\n');
}

/* Start of the last n lines of text. */
static const char *last_lines(const char *text, size_t bytes, unsigned n)
{
	const char *at = text + bytes;

	if (at > text && at[-1] == '\n')
		at--;
	while (at > text && (at[-1] != '\n' || --n > 0))
		at--;
	return at;
}

/* The program's own text, made harmless for a terminal. */
static void add_harmless(struct strbuf *to, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		strbuf_add_char(to, (unsigned char)text[i] < ' ' || text[i] == 127 ? ' ' : text[i]);
}

static void add_output(const struct page *p)
{
	const struct trace_output *o = &p->b->output;
	const char *at, *end;

	if (!o->out || o->out_bytes == 0)
		return;
	end = o->out + o->out_bytes;
	at = last_lines(o->out, o->out_bytes, OUTPUT_LINES);
	strbuf_add(&p->r->to, at > o->out ? "\nprinted at the end:\n" : "\nprinted:\n");
	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		size_t n = (size_t)((stop ? stop : end) - at);

		strbuf_add(&p->r->to, "  ");
		add_harmless(&p->r->to, at, n < 160 ? n : 160);
		strbuf_add_char(&p->r->to, '\n');
		at = stop ? stop + 1 : end;
	}
}

static void add_next_steps(const struct page *p, const char *dir)
{
	if (!dir)
		return;
	strbuf_addf(&p->r->to,
		    "\nreplay:  heddle replay %s\ndebug:   heddle replay --gdb %s\n"
		    "explain: heddle explain --html=why.html %s\n",
		    dir, dir, dir);
}

static void free_page(struct page *p)
{
	for (size_t i = 0; i < p->lines.count; i++) {
		free(p->lines.items[i].place);
		free(p->lines.items[i].phrase);
	}
	vec_free(&p->lines);
	report_source_free(p->source);
}

static void term_finding(struct report *r, const struct report_finding *f)
{
	struct page p = {.r = r, .b = f->bundle, .source = report_source_new()};

	if (r->findings > 1)
		strbuf_add_char(&r->to, '\n');
	add_headline(&p, f->count);
	add_story(&p, f->story);
	add_schedule(&p, f->switches_before);
	add_memory(&p, f->weak);
	add_threads(&p);
	add_output(&p);
	add_next_steps(&p, f->dir);
	free_page(&p);
}

const struct report_ops report_term = {
	.name = "term",
	.begin = term_begin,
	.finding = term_finding,
	.end = report_term_end,
};
