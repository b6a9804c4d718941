#include "report/explain/story_priv.h"

#include <inttypes.h>
#include <string.h>

#include "report/detail.h"
#include "report/phrase.h"
#include "report/weak.h"
#include "report/words.h"

void report_story_init(struct report_story *s, const struct explanation *x)
{
	*s = (struct report_story){.x = x};
	s->failing = report_names_new(&x->failing.bundle);
	if (!x->found)
		return;
	s->passing = report_names_new(&x->passing.bundle);
	report_names_renumber(s->passing, x->passing.thread.items, x->passing.thread.count);
}

void report_story_fini(struct report_story *s)
{
	report_names_free(s->failing);
	report_names_free(s->passing);
}

struct report_names *report_story_names(const struct report_story *s, int side)
{
	return side == 0 ? s->failing : s->passing;
}

const struct explanation_side *report_story_side(const struct report_story *s, int side)
{
	return side == 0 ? &s->x->failing : &s->x->passing;
}

static const struct wire_event *event_at(const struct report_story *s, int side, uint32_t event)
{
	return &report_story_side(s, side)->bundle.events.items[event];
}

void report_story_add_place(const struct report_story *s, int side, uint32_t event,
			    struct strbuf *to)
{
	const struct report_names *n = report_story_names(s, side);

	report_names_place(n, report_names_site(n, event), to);
}

/* ---- rows ---- */

void report_story_add_stuck(const struct report_story *s, int side, uint32_t thread,
			    struct strbuf *to)
{
	const struct trace_bundle *b = &report_story_side(s, side)->bundle;
	const struct wire_thread *t = &b->threads.items[thread];
	const struct report_names *n = report_story_names(s, side);

	if (t->state == THREAD_SPINNING) {
		strbuf_add(to, "spins for ever");
	} else if (t->pending_kind == EVENT_THREAD_JOIN) {
		strbuf_add(to, "waits for the end");
		if (t->waits_for < b->threads.count)
			strbuf_addf(to, " of T%" PRIu32, t->waits_for);
	} else if (t->pending_kind == EVENT_COND_WAIT || t->pending_kind == EVENT_COND_WAKE) {
		strbuf_add(to, "sleeps at ");
		report_names_object(n, t->pending_addr, to);
		strbuf_add(to, " for ever");
	} else {
		strbuf_add(to, "waits for ");
		report_names_object(n, t->pending_addr, to);
		if (t->waits_for < b->threads.count && t->waits_for != thread)
			strbuf_addf(to, ", held by T%" PRIu32, t->waits_for);
	}
}

/* State of a library or of the system that no variable holds: calls are what touches it. */
static bool is_hidden(const struct report_story *s, int side, uint32_t event)
{
	const struct wire_event *v = event_at(s, side, event);

	return (v->kind == EVENT_READ || v->kind == EVENT_WRITE || v->kind == EVENT_RMW) &&
	       (v->aux & EVENT_HIDDEN);
}

static void add_event(const struct report_story *s, int side, uint32_t event, struct strbuf *to)
{
	const struct report_names *n = report_story_names(s, side);

	if (!is_hidden(s, side, event)) {
		report_names_event(n, event, to);
		return;
	}
	strbuf_add(to, "calls ");
	report_names_subject(n, event, to);
}

void report_story_row(const struct report_story *s, int side, const struct explanation_row *row,
		      struct strbuf *to)
{
	if (row->event == EXPLANATION_NONE)
		report_story_add_stuck(s, side, row->thread, to);
	else
		add_event(s, side, row->event, to);
}

void report_story_place(const struct report_story *s, int side, const struct explanation_row *row,
			struct strbuf *to)
{
	const struct report_names *n = report_story_names(s, side);

	if (row->event != EXPLANATION_NONE)
		report_story_add_place(s, side, row->event, to);
	else
		report_names_place(
			n,
			report_story_side(s, side)->bundle.threads.items[row->thread].pending_site,
			to);
}

/* ---- sentences ---- */

void report_story_headline(const struct report_story *s, struct strbuf *to)
{
	const struct trace_bundle *b = &s->x->failing.bundle;
	const struct wire_failure *f = &b->outcome.failure;
	const struct trace_site *site = trace_sites_find(&b->sites, f->site);

	if (f->kind == FAILURE_SIGNAL)
		strbuf_addf(to, "fatal signal %s", report_word_signal(f->value));
	else if (f->kind == FAILURE_EXIT)
		strbuf_addf(to, "exit status %" PRIu64, f->value);
	else
		strbuf_add(to, report_word_failure(f->kind));
	if (f->kind == FAILURE_DEADLOCK || f->kind == FAILURE_LIVELOCK || f->kind == FAILURE_EXIT)
		return;
	if (site && site->line) {
		strbuf_add(to, " at ");
		trace_site_place(site, true, to);
	}
	strbuf_add(to, " in ");
	report_names_thread(s->failing, f->tid, to);
	if (f->text[0])
		strbuf_addf(to, ": %s", f->text);
}

static void add_value(const struct report_story *s, int side, uint32_t event, struct strbuf *to)
{
	const struct wire_event *v = event_at(s, side, event);

	if (v->kind == EVENT_READ_RANGE || v->kind == EVENT_WRITE_RANGE ||
	    is_hidden(s, side, event))
		return;
	strbuf_add(to, " = ");
	report_phrase_value(&report_story_side(s, side)->bundle, v->value, v->size, to);
}

/* ", written by T1 (get) at q.c:20", or that it is as it was in the beginning. */
static void add_origin(const struct report_story *s, int side, uint32_t from, struct strbuf *to)
{
	const struct wire_event *v;

	if (from == EXPLANATION_NONE) {
		strbuf_add(to, ", as it was in the beginning");
		return;
	}
	v = event_at(s, side, from);
	strbuf_add(to, v->kind == EVENT_FREE	? ", freed by "
		       : v->kind == EVENT_ALLOC ? ", allocated by "
						: ", written by ");
	report_names_thread(report_story_names(s, side), v->tid, to);
	strbuf_add(to, " at ");
	report_story_add_place(s, side, from, to);
}

void report_story_subject(const struct report_story *s, const struct explanation_flow *f,
			  struct strbuf *to)
{
	if (f->to[0] == EXPLANATION_NONE)
		report_names_object(s->failing, f->addr, to);
	else
		report_names_subject(s->failing, f->to[0], to);
}

/* Where a thread stands, or failed. */
static uint32_t standing_site(const struct report_story *s, uint32_t thread)
{
	const struct trace_bundle *b = &s->x->failing.bundle;
	const struct wire_failure *f = &b->outcome.failure;

	if (f->kind == FAILURE_DEADLOCK || f->kind == FAILURE_LIVELOCK)
		return thread < b->threads.count ? b->threads.items[thread].pending_site
						 : SITE_NONE;
	return f->site;
}

void report_story_at(const struct report_story *s, const struct explanation_flow *f,
		     struct strbuf *to)
{
	if (f->to[0] == EXPLANATION_NONE)
		report_names_place(s->failing, standing_site(s, f->thread), to);
	else
		report_story_add_place(s, 0, f->to[0], to);
}

/* What the passing execution has in common, or never comes to.  True: there is no more to say. */
static bool tell_absent(const struct explanation_flow *f, struct strbuf *to)
{
	if (f->same)
		strbuf_add(to, "The passing schedule has this, too: the failure needs both.\n");
	else if (f->to[1] == EXPLANATION_NONE)
		strbuf_add(to, "In the passing schedule it does not come to it.\n");
	return f->same || f->to[1] == EXPLANATION_NONE;
}

static void tell_read(const struct report_story *s, const struct explanation_flow *f,
		      struct strbuf *to)
{
	report_names_thread(s->failing, f->thread, to);
	strbuf_add(to, " reads ");
	report_names_subject(s->failing, f->to[0], to);
	add_value(s, 0, f->to[0], to);
	strbuf_add(to, " at ");
	report_story_add_place(s, 0, f->to[0], to);
	add_origin(s, 0, f->from[0], to);
	strbuf_add(to, ".\n");
	if (tell_absent(f, to))
		return;
	strbuf_add(to, "In the passing schedule it reads ");
	report_names_subject(s->passing, f->to[1], to);
	add_value(s, 1, f->to[1], to);
	add_origin(s, 1, f->from[1], to);
	strbuf_add(to, ".\n");
}

/* "after T1 (f) frees p at a.c:3", "before anybody else". */
static void add_after(const struct report_story *s, int side, uint32_t from, struct strbuf *to)
{
	const struct report_names *n = report_story_names(s, side);

	if (from == EXPLANATION_NONE) {
		strbuf_add(to, "before anybody else");
		return;
	}
	strbuf_add(to, "after ");
	report_names_thread(n, event_at(s, side, from)->tid, to);
	strbuf_add_char(to, ' ');
	add_event(s, side, from, to);
	strbuf_add(to, " at ");
	report_story_add_place(s, side, from, to);
}

/* "T1 (f) calls read at a.c:3, after T2 (g) calls read at a.c:5." */
static void tell_hidden(const struct report_story *s, const struct explanation_flow *f,
			struct strbuf *to)
{
	report_names_thread(s->failing, f->thread, to);
	strbuf_add_char(to, ' ');
	add_event(s, 0, f->to[0], to);
	strbuf_add(to, " at ");
	report_story_add_place(s, 0, f->to[0], to);
	strbuf_add(to, ", ");
	add_after(s, 0, f->from[0], to);
	strbuf_add(to, ".\n");
	if (tell_absent(f, to))
		return;
	strbuf_add(to, "In the passing schedule it does so ");
	add_after(s, 1, f->from[1], to);
	strbuf_add(to, ".\n");
}

static void tell_sync(const struct report_story *s, const struct explanation_flow *f,
		      struct strbuf *to)
{
	const struct wire_event *v = event_at(s, 0, f->to[0]);
	bool signal = v->kind == EVENT_COND_SIGNAL || v->kind == EVENT_COND_BROADCAST;

	report_names_thread(s->failing, f->thread, to);
	strbuf_add_char(to, ' ');
	report_names_event(s->failing, f->to[0], to);
	strbuf_add(to, " at ");
	report_story_add_place(s, 0, f->to[0], to);
	if (!signal) {
		strbuf_add(to, ", ");
		add_after(s, 0, f->from[0], to);
	}
	strbuf_add(to, ".\n");
	if (tell_absent(f, to))
		return;
	strbuf_add(to, "In the passing schedule it ");
	if (signal)
		report_names_event(s->passing, f->to[1], to);
	else
		strbuf_add(to, "does so ");
	if (!signal)
		add_after(s, 1, f->from[1], to);
	strbuf_add(to, ".\n");
}

/* It failed at an operation that in the passing execution finds things otherwise. */
static void tell_standing(const struct report_story *s, const struct explanation_flow *f,
			  struct strbuf *to)
{
	report_names_thread(s->failing, f->thread, to);
	strbuf_add(to, " comes to ");
	report_story_at(s, f, to);
	strbuf_add_char(to, ' ');
	add_after(s, 0, f->from[0], to);
	strbuf_add(to, ".\n");
	if (f->to[1] == EXPLANATION_NONE) {
		strbuf_add(to, "In the passing schedule it does not come to it.\n");
		return;
	}
	strbuf_add(to, "In the passing schedule it comes to it ");
	add_after(s, 1, f->from[1], to);
	strbuf_add(to, ".\n");
}

static bool is_stuck_failure(const struct report_story *s)
{
	uint32_t kind = s->x->failing.bundle.outcome.failure.kind;

	return kind == FAILURE_DEADLOCK || kind == FAILURE_LIVELOCK;
}

/* Why the passing schedule takes other branches. */
static const char *why_not_same(const struct explanation_proof *p)
{
	if (p->same_path > 0)
		return "The passing schedule takes other branches";
	return p->proved ? "No schedule with the same branches passes (proved: all were run)"
			 : "No passing schedule with the same branches was found";
}

static void tell_branches(const struct report_story *s, struct strbuf *to)
{
	if (s->x->same_path)
		return;
	strbuf_add(to, why_not_same(&s->x->proof));
	strbuf_add(to, s->x->proof.same_path > 0 ? ": " : "; in this one ");
	for (size_t i = 0; i < s->x->branches.count; i++) {
		strbuf_add(to, i ? ", " : "");
		report_names_thread(s->failing, s->x->branches.items[i].thread, to);
		strbuf_add(to, " goes another way at ");
		report_story_add_place(s, 0, s->x->branches.items[i].event, to);
	}
	if (s->x->branches.count == 0)
		strbuf_add(to, "a thread goes another way");
	strbuf_add(to, ".\n");
}

static void tell_flows(const struct report_story *s, struct strbuf *to)
{
	const struct explanation *x = s->x;

	for (size_t i = 0; i < x->flows.count; i++) {
		if (!x->flows.items[i].root)
			continue;
		if (x->flows.items[i].to[0] == EXPLANATION_NONE) {
			if (!is_stuck_failure(s))
				tell_standing(s, &x->flows.items[i], to);
		} else if (is_hidden(s, 0, x->flows.items[i].to[0])) {
			tell_hidden(s, &x->flows.items[i], to);
		} else if (x->flows.items[i].memory) {
			tell_read(s, &x->flows.items[i], to);
		} else {
			tell_sync(s, &x->flows.items[i], to);
		}
	}
	if (x->found)
		tell_branches(s, to);
}

void report_story_lines(const struct report_story *s, struct strbuf *to)
{
	const struct explanation *x = s->x;

	if (is_stuck_failure(s))
		report_story_tell_stuck(s, to);
	report_weak_story(&x->failing.bundle, x->asked_weak ? &x->weak : NULL, to);
	tell_flows(s, to);
}

void report_story_brief(const struct explanation *x, struct strbuf *to)
{
	struct report_story s;

	if (!x->found || !x->proof.decides)
		return;
	report_story_init(&s, x);
	if (is_stuck_failure(&s) && report_story_anybody_sleeps(&x->failing.bundle))
		report_story_tell_stuck(&s, to);
	if (!is_stuck_failure(&s))
		tell_flows(&s, to);
	report_story_fini(&s);
}

void report_story_end(const struct report_story *s, struct strbuf *to)
{
	const struct trace_bundle *b = &s->x->passing.bundle;

	if (s->x->clean)
		strbuf_add(to, "ends without a failure");
	else
		strbuf_addf(to, "goes past it, and fails later: %s in T%" PRIu32,
			    report_word_failure(b->outcome.failure.kind),
			    report_names_number(s->passing, b->outcome.failure.tid));
}
