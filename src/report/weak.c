#include "report/weak.h"

#include <inttypes.h>

#include "model/delay.h"
#include "model/memory_model.h"
#include "report/json.h"
#include "report/phrase.h"
#include "report/words.h"

/* More late stores than these explain nothing. */
#define MAX_SHOWN 6

/* "flag[me] = 1 (peterson.c:16)" */
static void add_access(const struct trace_bundle *b, const struct wire_event *v, struct strbuf *to)
{
	report_phrase_variable(b, v->site, v->addr, to);
	strbuf_add(to, " = ");
	report_phrase_value(b, v->value, v->size, to);
	strbuf_add(to, " (");
	report_phrase_place(b, v->site, to);
	strbuf_add_char(to, ')');
}

static const char *verb_of(const struct wire_event *v)
{
	switch (v->kind) {
	case EVENT_READ:
	case EVENT_CAS_FAIL:
	case EVENT_READ_RANGE:
		return "read";
	case EVENT_RMW:
		return "updated";
	default:
		return "wrote";
	}
}

/* What another thread did with the place while the store was on its way. */
static void add_seen(const struct trace_bundle *b, const struct model_delay *d, struct strbuf *to)
{
	const struct wire_event *v;

	if (d->seen == MODEL_DELAY_NONE)
		return;
	v = &b->events.items[d->seen];
	strbuf_addf(to, "; in between T%u %s ", v->tid, verb_of(v));
	if (v->kind == EVENT_READ_RANGE || v->kind == EVENT_WRITE_RANGE)
		report_phrase_place(b, v->site, to);
	else
		add_access(b, v, to);
}

/* "T1's store x = 1 (sb.c:12) reached memory only after its load of y = 0 (sb.c:14)" */
static void add_late(const struct trace_bundle *b, const struct model_delay *d, struct strbuf *to)
{
	const struct wire_event *issue = &b->events.items[d->issue];

	strbuf_addf(to, "T%u's store ", issue->tid);
	add_access(b, issue, to);
	strbuf_add(to, d->commit == MODEL_DELAY_NONE ? " had not reached memory after "
						     : " reached memory only after ");
	if (d->past_store != MODEL_DELAY_NONE) {
		strbuf_add(to, "its later store ");
		add_access(b, &b->events.items[d->past_store], to);
		strbuf_add(to, d->past_load != MODEL_DELAY_NONE ? " and " : "");
	}
	if (d->past_load != MODEL_DELAY_NONE) {
		strbuf_add(to, "its load of ");
		add_access(b, &b->events.items[d->past_load], to);
	}
	add_seen(b, d, to);
}

/* "an exhaustive search of 36 states", "10000 runs" */
static void add_search(const struct model_search *s, struct strbuf *to)
{
	if (s->kind == SEARCH_COMPLETE)
		strbuf_addf(to, "an exhaustive search of %" PRIu64 " state%s", s->count,
			    s->count == 1 ? "" : "s");
	else
		strbuf_addf(to, "%" PRIu64 " run%s", s->count, s->count == 1 ? "" : "s");
}

static void add_needs(const struct model_weak *w, struct strbuf *to)
{
	const struct model_search *rest;
	uint32_t stronger;

	if (w->needs == MODEL_SC) {
		strbuf_add(to, w->by_schedule ? "fails under SC as well: no store of this schedule "
						"was late\n"
					      : "fails under SC as well, along another schedule\n");
		return;
	}
	stronger = w->needs - 1;
	rest = &w->rest[stronger];
	if (rest->kind == SEARCH_NONE) {
		strbuf_addf(to, "fails here only with late stores; %s was not searched\n",
			    report_word_model(stronger));
		return;
	}
	strbuf_addf(to, "needs %s: no such failure in ", report_word_model(w->needs));
	add_search(rest, to);
	strbuf_addf(to, " under %s%s\n", report_word_model(stronger),
		    rest->kind == SEARCH_COMPLETE ? "" : ", which is not a proof");
}

static void add_named(const struct model_weak_place *p, struct strbuf *to)
{
	if (p->name[0])
		strbuf_addf(to, "%s (%s)", p->name, p->place);
	else
		strbuf_add(to, p->place[0] ? p->place : "an unknown place");
}

static void add_fence(const struct model_weak_fence *f, struct strbuf *to)
{
	bool full = f->fence.kind == FENCE_FULL;
	const char *order = full ? "memory_order_seq_cst" : "memory_order_release";

	strbuf_addf(to, "%satomic_thread_fence(%s) %s the store of ",
		    f->both ? "atomic_thread_fence(memory_order_release) before and " : "", order,
		    full ? "after" : "before");
	add_named(&f->store, to);
	if (f->other.place[0]) {
		strbuf_add(to, full ? ", before the load of " : ", after the store of ");
		add_named(&f->other, to);
	}
	strbuf_addf(to, "; or %s for that store%s", order, f->atomic ? "" : ", made atomic");
}

static void add_advice(const struct model_weak *w, struct strbuf *to)
{
	bool one = w->fence_count == 1;

	if (w->fence_count == 0) {
		if (w->needs != MODEL_SC && w->why[0])
			strbuf_addf(to, "no advice about fences: %s\n", w->why);
		return;
	}
	strbuf_addf(to, "%s would remove it:\n", one ? "a fence" : "these fences together");
	for (unsigned i = 0; i < w->fence_count; i++) {
		strbuf_add(to, "  ");
		add_fence(&w->fences[i], to);
		strbuf_add_char(to, '\n');
	}
	strbuf_addf(to, "with %s no failure in ", one ? "it" : "them");
	add_search(&w->with, to);
	strbuf_addf(to, " under %s%s\n", report_word_model(w->found),
		    w->with.kind == SEARCH_COMPLETE ? "" : ", which is not a proof");
}

void report_weak_story(const struct trace_bundle *b, const struct model_weak *w, struct strbuf *to)
{
	struct model_delays late = VEC_INIT;

	if (!wire_model_buffers(b->meta.model))
		return;
	if (w && w->found != MODEL_SC)
		add_needs(w, to);
	model_delays_find(&late, b->events.items, b->events.count);
	for (size_t i = 0; i < late.count && i < MAX_SHOWN; i++) {
		add_late(b, &late.items[i], to);
		strbuf_add_char(to, '\n');
	}
	if (late.count > MAX_SHOWN)
		strbuf_addf(to, "and %zu more late stores\n", late.count - MAX_SHOWN);
	vec_free(&late);
}

void report_weak_lines(const struct trace_bundle *b, const struct model_weak *w, struct strbuf *to)
{
	report_weak_story(b, w, to);
	if (wire_model_buffers(b->meta.model) && w && w->found != MODEL_SC)
		add_advice(w, to);
}

/* ---- JSON ---- */

static void add_index(struct json_out *j, const char *name, size_t event)
{
	if (event != MODEL_DELAY_NONE)
		json_out_uint(j, name, event);
}

static void add_late_json(struct json_out *j, const struct trace_bundle *b,
			  const struct model_delay *d)
{
	struct strbuf text = STRBUF_INIT;

	json_out_object_begin(j, NULL);
	add_late(b, d, &text);
	json_out_string(j, "text", text.text);
	json_out_uint(j, "thread", b->events.items[d->issue].tid);
	report_json_site(j, "store", b, b->events.items[d->issue].site);
	json_out_uint(j, "issued", d->issue);
	add_index(j, "committed", d->commit);
	add_index(j, "past_load", d->past_load);
	add_index(j, "past_store", d->past_store);
	add_index(j, "seen", d->seen);
	json_out_object_end(j);
	strbuf_free(&text);
}

static void add_search_json(struct json_out *j, const char *name, const struct model_search *s)
{
	static const char *const kinds[] = {"none", "sample", "complete"};

	json_out_object_begin(j, name);
	json_out_string(j, "search", kinds[s->kind]);
	json_out_uint(j, s->kind == SEARCH_COMPLETE ? "states" : "runs", s->count);
	json_out_object_end(j);
}

static void add_fence_json(struct json_out *j, const struct model_weak_fence *f)
{
	bool full = f->fence.kind == FENCE_FULL;
	struct strbuf text = STRBUF_INIT;

	json_out_object_begin(j, NULL);
	add_fence(f, &text);
	json_out_string(j, "text", text.text);
	json_out_string(j, "order", full ? "seq_cst" : "release");
	json_out_string(j, "where", f->both ? "around" : full ? "after" : "before");
	json_out_uint(j, "site", f->fence.site);
	json_out_string(j, "place", f->store.place);
	json_out_string(j, "variable", f->store.name);
	json_out_string(j, full ? "load" : "older_store", f->other.place);
	json_out_object_end(j);
	strbuf_free(&text);
}

static void add_clean_json(struct json_out *j, uint32_t model, const struct model_search *s)
{
	struct strbuf name = STRBUF_INIT;

	if (s->kind == SEARCH_NONE)
		return;
	strbuf_addf(&name, "clean_under_%s", model_memory_get(model)->name);
	add_search_json(j, name.text, s);
	strbuf_free(&name);
}

static void add_memory_json(struct json_out *j, const struct model_weak *w)
{
	struct strbuf text = STRBUF_INIT;

	json_out_object_begin(j, "memory");
	add_needs(w, &text);
	if (text.length > 0)
		text.text[--text.length] = '\0';
	json_out_string(j, "text", text.text);
	json_out_string(j, "needs", report_word_model(w->needs));
	for (uint32_t m = MODEL_SC; m < w->found; m++)
		add_clean_json(j, m, &w->rest[m]);
	json_out_array_begin(j, "fences");
	for (unsigned i = 0; i < w->fence_count; i++)
		add_fence_json(j, &w->fences[i]);
	json_out_array_end(j);
	if (w->fence_count > 0)
		add_search_json(j, "clean_with_fences", &w->with);
	json_out_uint(j, "searches", w->searches);
	if (w->why[0])
		json_out_string(j, "no_advice", w->why);
	json_out_object_end(j);
	strbuf_free(&text);
}

void report_weak_json(struct json_out *j, const struct trace_bundle *b, const struct model_weak *w)
{
	struct model_delays late = VEC_INIT;

	if (!wire_model_buffers(b->meta.model))
		return;
	model_delays_find(&late, b->events.items, b->events.count);
	json_out_array_begin(j, "late_stores");
	for (size_t i = 0; i < late.count; i++)
		add_late_json(j, b, &late.items[i]);
	json_out_array_end(j);
	if (w && w->found != MODEL_SC)
		add_memory_json(j, w);
	vec_free(&late);
}
