/*
 * Both executions as trace events: a process per side, a track per thread, an operation one
 * microsecond long at its place in the order.  What differs has a colour and is connected.
 */
#include "model/event.h"
#include "report/explain/explain.h"
#include "report/explain/story.h"

static bool is_shown(const struct wire_event *v)
{
	return model_event_class(v->kind) != EVENT_CLASS_MARKER || v->kind == EVENT_FREE ||
	       v->kind == EVENT_ALLOC || v->kind == EVENT_FAILURE;
}

static void add_name(struct json_out *j, int side, uint32_t thread, const char *what,
		     const char *name)
{
	json_out_object_begin(j, NULL);
	json_out_string(j, "ph", "M");
	json_out_uint(j, "pid", (uint64_t)side);
	json_out_uint(j, "tid", thread);
	json_out_string(j, "name", what);
	json_out_object_begin(j, "args");
	json_out_string(j, "name", name);
	json_out_object_end(j);
	json_out_object_end(j);
}

static void add_names(const struct report_story *s, struct json_out *j, int side)
{
	const struct explanation_side *x = report_story_side(s, side);

	add_name(j, side, 0, "process_name", side == 0 ? "fails" : "passes");
	for (uint32_t tid = 0; tid < x->bundle.threads.count; tid++) {
		struct strbuf text = STRBUF_INIT;

		report_names_thread(report_story_names(s, side), tid, &text);
		add_name(j, side, tid < x->thread.count ? x->thread.items[tid] : tid, "thread_name",
			 text.text);
		strbuf_free(&text);
	}
}

static const char *color_of(const struct report_story *s, int side, uint32_t event)
{
	for (size_t i = 0; i < s->x->flows.count; i++) {
		const struct explanation_flow *f = &s->x->flows.items[i];

		if (f->root && (f->to[side] == event || f->from[side] == event))
			return side == 0 ? "terrible" : "good";
	}
	return NULL;
}

static void add_event(const struct report_story *s, struct json_out *j, int side, uint32_t event)
{
	const struct explanation_side *x = report_story_side(s, side);
	const struct report_names *n = report_story_names(s, side);
	const struct wire_event *v = &x->bundle.events.items[event];
	struct strbuf text = STRBUF_INIT;
	const char *color = color_of(s, side, event);

	json_out_object_begin(j, NULL);
	json_out_string(j, "ph", "X");
	json_out_uint(j, "pid", (uint64_t)side);
	json_out_uint(j, "tid", v->tid < x->thread.count ? x->thread.items[v->tid] : v->tid);
	json_out_uint(j, "ts", event);
	json_out_uint(j, "dur", 1);
	report_names_event(n, event, &text);
	json_out_string(j, "name", text.text);
	strbuf_clear(&text);
	if (color)
		json_out_string(j, "cname", color);
	json_out_object_begin(j, "args");
	report_names_place(n, report_names_site(n, event), &text);
	json_out_string(j, "place", text.text);
	json_out_object_end(j);
	json_out_object_end(j);
	strbuf_free(&text);
}

static void add_arrow(const struct report_story *s, struct json_out *j, int side, size_t flow)
{
	const struct explanation_flow *f = &s->x->flows.items[flow];
	const struct explanation_side *x = report_story_side(s, side);

	for (int end = 0; end < 2; end++) {
		uint32_t event = end == 0 ? f->from[side] : f->to[side];
		const struct wire_event *v = &x->bundle.events.items[event];

		json_out_object_begin(j, NULL);
		json_out_string(j, "ph", end == 0 ? "s" : "f");
		json_out_string(j, "bp", "e");
		json_out_string(j, "name", "flow");
		json_out_string(j, "cat", "flow");
		json_out_uint(j, "id", flow * 2 + (size_t)side);
		json_out_uint(j, "pid", (uint64_t)side);
		json_out_uint(j, "tid",
			      v->tid < x->thread.count ? x->thread.items[v->tid] : v->tid);
		json_out_uint(j, "ts", event);
		json_out_object_end(j);
	}
}

static void add_side(const struct report_story *s, struct json_out *j, int side)
{
	const struct explanation_side *x = report_story_side(s, side);

	add_names(s, j, side);
	for (uint32_t i = 0; i < x->bundle.events.count; i++)
		if (is_shown(&x->bundle.events.items[i]))
			add_event(s, j, side, i);
	for (size_t i = 0; i < s->x->flows.count; i++)
		if (s->x->flows.items[i].root &&
		    s->x->flows.items[i].from[side] != EXPLANATION_NONE &&
		    s->x->flows.items[i].to[side] != EXPLANATION_NONE)
			add_arrow(s, j, side, i);
}

void report_explain_chrome(const struct explanation *x, struct strbuf *to)
{
	struct report_story s;
	struct json_out j;

	report_story_init(&s, x);
	json_out_init(&j, to);
	json_out_object_begin(&j, NULL);
	json_out_array_begin(&j, "traceEvents");
	add_side(&s, &j, 0);
	if (x->found)
		add_side(&s, &j, 1);
	json_out_array_end(&j);
	json_out_object_end(&j);
	strbuf_add_char(to, '\n');
	report_story_fini(&s);
}
