#include "predict/stacks.h"

#include <string.h>

#define MAX_LINES 16

static struct predict_stack_thread *thread_of(struct predict_stacks *s, uint32_t tid)
{
	while (s->count <= tid)
		vec_push(s, ((struct predict_stack_thread){0, PREDICT_NONE, false}));
	return &s->items[tid];
}

static const struct predict_frame *frame_at(const struct predict_trace *t, uint32_t frame)
{
	return &t->frames.items[frame - 1];
}

/* Innermost frame of the function, 0 when it is not on the stack. */
static uint32_t find_function(const struct predict_trace *t, uint32_t frame, const char *func)
{
	uint32_t id = predict_names_find(&t->funcs, func, strlen(func));

	if (id == PREDICT_NAME_NONE)
		return 0;
	while (frame != 0 && frame_at(t, frame)->func != id)
		frame = frame_at(t, frame)->parent;
	return frame;
}

static void enter(struct predict_stack_thread *th, struct predict_trace *t, const char *func)
{
	struct predict_frame f = {.parent = th->frame, .call = th->call};

	f.func = predict_names_add(&t->funcs, func, strlen(func));
	vec_push(&t->frames, f);
	th->frame = (uint32_t)t->frames.count;
	th->call = PREDICT_NONE;
}

uint32_t predict_stacks_site(struct predict_trace *t, const struct trace_bundle *b, uint32_t site)
{
	const struct trace_site *s = trace_sites_find(&b->sites, site);
	struct strbuf text = STRBUF_INIT;
	uint32_t id = PREDICT_NONE;

	if (s != NULL && s->line > 0) {
		trace_site_place(s, false, &text);
		if (s->column > 0)
			strbuf_addf(&text, ":%u", s->column);
		id = predict_names_add(&t->sites, text.text, text.length);
	}
	strbuf_free(&text);
	return id;
}

uint32_t predict_stacks_follow(struct predict_stacks *s, struct predict_trace *t,
			       const struct trace_bundle *b, const struct wire_event *e)
{
	const struct trace_site *site = trace_sites_find(&b->sites, e->site);
	struct predict_stack_thread *th = thread_of(s, e->tid);
	const char *func = site != NULL ? site->func : "";
	uint32_t frame;

	if (e->kind == EVENT_ENTER) {
		enter(th, t, func);
		return th->frame;
	}
	frame = find_function(t, th->frame, func);
	if (frame != 0)
		th->frame = frame;
	if (e->kind == EVENT_LEAVE && frame != 0)
		th->frame = frame_at(t, frame)->parent;
	/* A marker right behind a call is part of making it; anything else means it led nowhere. */
	if (e->kind == EVENT_INTO) {
		th->call = predict_stacks_site(t, b, e->site);
		th->direct = site != NULL && site->kind == EVENT_INTO;
	} else if (e->kind != EVENT_CALL) {
		th->call = PREDICT_NONE;
		th->direct = false;
	}
	return th->frame;
}

void predict_stacks_fini(struct predict_stacks *s)
{
	vec_free(s);
}

void predict_stacks_walk(const struct predict_trace *t, uint32_t event, predict_stack_fn visit,
			 void *context)
{
	uint32_t frame = t->events.items[event].frame, site = t->events.items[event].site;

	while (frame != 0) {
		const struct predict_frame *f = frame_at(t, frame);

		visit(context, predict_names_text(&t->funcs, f->func), site);
		site = f->call;
		frame = f->parent;
	}
}

struct lines {
	const struct predict_trace *t;
	const char *indent;
	struct strbuf *to;
	uint32_t count;
};

static void add_line(void *context, const char *func, uint32_t site)
{
	struct lines *l = context;

	if (l->count++ >= MAX_LINES)
		return;
	strbuf_addf(l->to, "%s%-20s %s\n", l->indent, func,
		    site != PREDICT_NONE ? predict_names_text(&l->t->sites, site) : "?");
}

void predict_stacks_render(const struct predict_trace *t, uint32_t event, const char *indent,
			   struct strbuf *to)
{
	struct lines l = {t, indent, to, 0};
	uint32_t fork = t->fork_of[t->events.items[event].thread];

	predict_stacks_walk(t, event, add_line, &l);
	if (l.count > MAX_LINES)
		strbuf_addf(to, "%s... %u more\n", indent, l.count - MAX_LINES);
	if (l.count == 0 || fork == PREDICT_NONE || t->events.items[fork].site == PREDICT_NONE)
		return;
	strbuf_addf(to, "%sthread created by %s at %s\n", indent,
		    predict_names_text(&t->threads, t->events.items[fork].thread),
		    predict_names_text(&t->sites, t->events.items[fork].site));
}
