/* Who sleeps or waits for ever, and why nobody comes. */
#include "report/explain/story_priv.h"

#include <inttypes.h>

#include "report/detail.h"

static bool stuck_at_condition(const struct wire_thread *t)
{
	return report_detail_stuck(t) &&
	       (t->pending_kind == EVENT_COND_WAIT || t->pending_kind == EVENT_COND_WAKE);
}

/* The last signal of a condition, EXPLANATION_NONE. */
static uint32_t last_signal(const struct trace_bundle *b, uint64_t condition)
{
	for (size_t i = b->events.count; i-- > 0;) {
		const struct wire_event *v = &b->events.items[i];

		if (v->addr == condition &&
		    (v->kind == EVENT_COND_SIGNAL || v->kind == EVENT_COND_BROADCAST))
			return (uint32_t)i;
	}
	return EXPLANATION_NONE;
}

/* "which ends": the thread that a signal woke had no use for it. */
static void tell_woken(const struct report_story *s, uint32_t signal, struct strbuf *to)
{
	const struct trace_bundle *b = &s->x->failing.bundle;
	const struct wire_event *v = &b->events.items[signal];

	for (size_t i = signal + 1; i < b->events.count && v->aux == 1; i++) {
		const struct wire_event *w = &b->events.items[i];

		if (w->kind != EVENT_COND_WAKE || w->addr != v->addr || w->aux != v->tid)
			continue;
		if (b->threads.items[w->tid].state == THREAD_FINISHED ||
		    b->threads.items[w->tid].state == THREAD_GONE) {
			strbuf_add(to, " (");
			report_names_thread_only(s->failing, w->tid, to);
			strbuf_add(to, "), which was on its way out and wakes nobody in turn");
		}
		return;
	}
}

/* Whom the last signal woke, what became of that thread, and who stays asleep. */
static void tell_wakeup(const struct report_story *s, const struct wire_thread *t,
			struct strbuf *to)
{
	const struct trace_bundle *b = &s->x->failing.bundle;
	uint32_t signal = last_signal(b, t->pending_addr);

	if (signal == EXPLANATION_NONE) {
		strbuf_add(to, "Nobody ever signals ");
		report_names_object(s->failing, t->pending_addr, to);
		strbuf_add(to, ".\n");
	} else {
		strbuf_add(to, "The last one to call is ");
		report_names_thread(s->failing, b->events.items[signal].tid, to);
		strbuf_add(to, ", at ");
		report_story_add_place(s, 0, signal, to);
		strbuf_add(to, ": it ");
		report_names_event(s->failing, signal, to);
		tell_woken(s, signal, to);
		strbuf_add(to, ".\n");
	}
	report_names_thread(s->failing, t->tid, to);
	strbuf_add(to, " sleeps at ");
	report_names_object(s->failing, t->pending_addr, to);
	strbuf_add(to, " (");
	report_names_place(s->failing, t->pending_site, to);
	strbuf_add(to, ") and nobody is left to wake it.\n");
}

void report_story_tell_stuck(const struct report_story *s, struct strbuf *to)
{
	const struct trace_bundle *b = &s->x->failing.bundle;

	for (uint32_t tid = 0; tid < b->threads.count; tid++) {
		const struct wire_thread *t = &b->threads.items[tid];

		if (!report_detail_stuck(t) || t->pending_kind == EVENT_THREAD_JOIN)
			continue;
		if (stuck_at_condition(t)) {
			tell_wakeup(s, t, to);
			continue;
		}
		report_names_thread(s->failing, tid, to);
		strbuf_add_char(to, ' ');
		report_story_add_stuck(s, 0, tid, to);
		strbuf_add(to, " (");
		report_names_place(s->failing, t->pending_site, to);
		strbuf_add(to, ")");
		for (unsigned i = 0; i < t->held_count && i < WIRE_MAX_HELD; i++) {
			strbuf_add(to, i == 0 ? ", and holds " : ", ");
			report_names_object(s->failing, t->held[i].addr, to);
		}
		strbuf_add(to, ".\n");
	}
}

bool report_story_anybody_sleeps(const struct trace_bundle *b)
{
	for (size_t i = 0; i < b->threads.count; i++)
		if (stuck_at_condition(&b->threads.items[i]))
			return true;
	return false;
}
