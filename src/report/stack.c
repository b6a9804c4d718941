#include "report/stack.h"

#include <string.h>

/* While the events of a thread go by: outermost frame first, each with where it was called from. */
struct walk {
	struct report_stack frames;
	uint32_t call; /* site of a call that may lead into the next frame */
};

static void enter(struct walk *w, const char *func)
{
	struct report_frame f = {func, w->call};

	vec_push(&w->frames, f);
}

/* Frames inside the function have been left, with or without a word. */
static void back_to(struct walk *w, const char *func)
{
	size_t n = w->frames.count;

	while (n > 0 && strcmp(w->frames.items[n - 1].func, func) != 0)
		n--;
	if (n > 0)
		w->frames.count = n;
}

static void follow(struct walk *w, const struct trace_bundle *b, const struct wire_event *v)
{
	const struct trace_site *site = trace_sites_find(&b->sites, v->site);
	const char *func = site ? site->func : "";

	if (v->kind == EVENT_ENTER) {
		enter(w, func);
	} else {
		back_to(w, func);
		if (v->kind == EVENT_LEAVE && w->frames.count > 0 &&
		    strcmp(vec_last(&w->frames).func, func) == 0)
			w->frames.count--;
	}
	if (v->kind == EVENT_INTO)
		w->call = v->site;
	else if (v->kind != EVENT_CALL)
		w->call = SITE_NONE;
}

void report_stack_of(const struct trace_bundle *b, size_t event, struct report_stack *out)
{
	const struct wire_event *events = b->events.items;
	struct walk w = {.call = SITE_NONE};
	uint32_t site = events[event].site;

	for (size_t i = 0; i <= event; i++)
		if (events[i].tid == events[event].tid)
			follow(&w, b, &events[i]);
	for (size_t i = w.frames.count; i-- > 0;) {
		struct report_frame f = {w.frames.items[i].func, site};

		vec_push(out, f);
		site = w.frames.items[i].site;
	}
	vec_free(&w.frames);
}
