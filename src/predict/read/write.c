#include "predict/read/write.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/* Names go between delimiters of the formats, so what would break them becomes '_'. */
static void add_name(struct strbuf *to, const char *name, const char *forbidden)
{
	for (; *name != '\0'; name++) {
		bool bad = isspace((unsigned char)*name) || strchr(forbidden, *name) != NULL;

		strbuf_add_char(to, bad ? '_' : *name);
	}
}

static const char *word_of(const struct predict_event *ev)
{
	/* A wait that nothing released orders nothing; read back, it must not find a partner. */
	if (ev->was == OP_WAIT && ev->op == OP_NOP)
		return "nop";
	if (ev->flags & PREDICT_BARRIER)
		return ev->was == OP_SIG ? "arrive" : "leave";
	if (ev->was == OP_ACQ && ev->flags & PREDICT_SHARED)
		return "racq";
	if (ev->was == OP_ACQ && ev->flags & PREDICT_TRY)
		return "tacq";
	if (ev->was == OP_READ && ev->flags & PREDICT_ATOMIC)
		return "ar";
	if (ev->was == OP_WRITE && ev->flags & PREDICT_ATOMIC)
		return "aw";
	return predict_op_word(ev->was);
}

void predict_write_event(const struct predict_trace *t, uint32_t e, struct strbuf *to)
{
	const struct predict_event *ev = &t->events.items[e];

	strbuf_add(to, word_of(ev));
	if (ev->object != PREDICT_NONE) {
		strbuf_add_char(to, '(');
		add_name(to, predict_trace_object(t, e), "");
		strbuf_add_char(to, ')');
	}
}

struct writer {
	const struct predict_trace *t;
	struct strbuf *to;
	uint32_t *label; /* by event: label, PREDICT_NONE when none */
	uint8_t *named;	 /* by event: a signal some wait names */
};

/* First pair of the wait; pairs are sorted by wait. */
static size_t pair_of(const struct predict_trace *t, uint32_t wait)
{
	size_t low = 0, high = t->pairs.count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (t->pairs.items[middle].wait < wait)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void write_label(struct writer *w, char mark, uint32_t e)
{
	strbuf_add_char(w->to, mark);
	if (w->label[e] != PREDICT_NONE)
		add_name(w->to, predict_names_text(&w->t->labels, w->label[e]), "@^%");
	else
		strbuf_addf(w->to, "s%u", e + 1);
}

static void write_native(struct writer *w, uint32_t e)
{
	const struct predict_trace *t = w->t;
	const struct predict_event *ev = &t->events.items[e];

	if (predict_trace_head(t, e) != e)
		strbuf_add_char(w->to, ev->flags & PREDICT_PART ? '&' : '+');
	predict_write_event(t, e, w->to);
	if (w->label[e] != PREDICT_NONE || w->named[e])
		write_label(w, '@', e);
	for (size_t i = pair_of(t, e); i < t->pairs.count && t->pairs.items[i].wait == e; i++)
		write_label(w, '^', t->pairs.items[i].sig);
	if (ev->site != PREDICT_NONE && *predict_names_text(&t->sites, ev->site) != '\0') {
		strbuf_add_char(w->to, '%');
		add_name(w->to, predict_names_text(&t->sites, ev->site), "@^%");
	}
}

static void write_std(struct writer *w, uint32_t e)
{
	const struct predict_event *ev = &w->t->events.items[e];

	add_name(w->to, predict_names_text(&w->t->threads, ev->thread), "|");
	strbuf_add_char(w->to, '|');
	predict_write_event(w->t, e, w->to);
	strbuf_add_char(w->to, '|');
	if (ev->site != PREDICT_NONE)
		add_name(w->to, predict_names_text(&w->t->sites, ev->site), "|");
	else
		strbuf_addf(w->to, "%u", e);
	strbuf_add_char(w->to, '\n');
}

static void prepare(struct writer *w)
{
	const struct predict_trace *t = w->t;

	w->label = xmalloc((t->events.count + 1) * sizeof(*w->label));
	w->named = xcalloc(t->events.count + 1, 1);
	for (size_t i = 0; i < t->events.count; i++)
		w->label[i] = PREDICT_NONE;
	for (uint32_t i = 0; i < t->label_event.count; i++)
		w->label[t->label_event.items[i]] = i;
	for (size_t i = 0; i < t->pairs.count; i++)
		w->named[t->pairs.items[i].sig] = 1;
}

void predict_write(const struct predict_trace *t, enum predict_format format, const uint32_t *order,
		   size_t n, struct strbuf *to)
{
	struct writer w = {.t = t, .to = to};
	uint32_t thread = PREDICT_NONE;

	prepare(&w);
	for (size_t i = 0; i < (order != NULL ? n : t->events.count); i++) {
		uint32_t e = order != NULL ? order[i] : (uint32_t)i;

		if (format == FORMAT_STD) {
			write_std(&w, e);
			continue;
		}
		if (t->events.items[e].thread != thread) {
			thread = t->events.items[e].thread;
			strbuf_add(to, i > 0 ? "\n" : "");
			add_name(to, predict_names_text(&t->threads, thread), "(");
		}
		strbuf_add_char(to, ' ');
		write_native(&w, e);
	}
	if (format != FORMAT_STD && t->events.count > 0)
		strbuf_add_char(to, '\n');
	free(w.label);
	free(w.named);
}
