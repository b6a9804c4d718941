#include "model/calls.h"

#include <assert.h>
#include <string.h>

static struct calls_thread *thread_of(struct calls *c, uint32_t tid)
{
	while (c->threads.count <= tid)
		vec_push(&c->threads, ((struct calls_thread){0, SITE_NONE, false}));
	return &c->threads.items[tid];
}

static const struct calls_frame *frame_at(const struct calls *c, uint32_t frame)
{
	assert(frame > 0 && frame <= c->frames.count);
	return &c->frames.items[frame - 1];
}

/* Innermost frame of the function, 0 when it is not on the stack. */
static uint32_t find_function(const struct calls *c, uint32_t frame, const char *func)
{
	while (frame != 0 && frame_at(c, frame)->func != func &&
	       strcmp(frame_at(c, frame)->func, func) != 0)
		frame = frame_at(c, frame)->parent;
	return frame;
}

static void enter(struct calls *c, struct calls_thread *th, const char *func)
{
	vec_push(&c->frames, ((struct calls_frame){th->frame, th->call, func}));
	th->frame = (uint32_t)c->frames.count;
	th->call = SITE_NONE;
}

uint32_t calls_follow(struct calls *c, const struct trace_bundle *b, const struct wire_event *e)
{
	const struct trace_site *site = trace_sites_find(&b->sites, e->site);
	struct calls_thread *th = thread_of(c, e->tid);
	const char *func = site ? site->func : "";
	uint32_t frame;

	if (e->kind == EVENT_ENTER) {
		enter(c, th, func);
		return th->frame;
	}
	frame = find_function(c, th->frame, func);
	if (frame != 0)
		th->frame = e->kind == EVENT_LEAVE ? frame_at(c, frame)->parent : frame;
	/* A marker right behind a call is part of making it; anything else means it led nowhere. */
	if (e->kind == EVENT_INTO) {
		th->call = e->site;
		th->direct = site && site->kind == EVENT_INTO;
	} else if (e->kind != EVENT_CALL) {
		th->call = SITE_NONE;
		th->direct = false;
	}
	return th->frame;
}

bool calls_direct(const struct calls *c, uint32_t tid)
{
	return tid < c->threads.count && c->threads.items[tid].direct;
}

void calls_fini(struct calls *c)
{
	vec_free(&c->frames);
	vec_free(&c->threads);
}

void calls_stack_of(const struct trace_bundle *b, size_t event, struct calls_stack *out)
{
	const struct wire_event *events = b->events.items;
	struct calls c = {.frames = VEC_INIT};
	uint32_t frame = 0, site = events[event].site;

	assert(event < b->events.count);
	for (size_t i = 0; i <= event; i++)
		if (events[i].tid == events[event].tid)
			frame = calls_follow(&c, b, &events[i]);
	for (; frame != 0; frame = frame_at(&c, frame)->parent) {
		vec_push(out, ((struct calls_place){frame_at(&c, frame)->func, site}));
		site = frame_at(&c, frame)->call;
	}
	calls_fini(&c);
}
