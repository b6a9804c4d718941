#include "predict/read/stacks.h"

#include <assert.h>
#include <string.h>

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

/* The frames the tree has got since the last time. */
static void take_frames(struct predict_stacks *s, struct predict_trace *t,
			const struct trace_bundle *b)
{
	while (t->frames.count < s->calls.frames.count) {
		const struct calls_frame *from = &s->calls.frames.items[t->frames.count];
		struct predict_frame f = {.parent = from->parent};

		f.call = predict_stacks_site(t, b, from->call);
		f.func = predict_names_add(&t->funcs, from->func, strlen(from->func));
		vec_push(&t->frames, f);
	}
}

uint32_t predict_stacks_follow(struct predict_stacks *s, struct predict_trace *t,
			       const struct trace_bundle *b, const struct wire_event *e)
{
	uint32_t frame = calls_follow(&s->calls, b, e);

	assert(t->frames.count <= s->calls.frames.count);
	take_frames(s, t, b);
	/* Sites are numbered in the order they are come by, whether the call leads anywhere or not.
	 */
	if (e->kind == EVENT_INTO)
		predict_stacks_site(t, b, e->site);
	return frame;
}

void predict_stacks_fini(struct predict_stacks *s)
{
	calls_fini(&s->calls);
}

void predict_stacks_walk(const struct predict_trace *t, uint32_t event, predict_stack_fn visit,
			 void *context)
{
	uint32_t frame = t->events.items[event].frame, site = t->events.items[event].site;

	while (frame != 0) {
		const struct predict_frame *f = &t->frames.items[frame - 1];

		visit(context, predict_names_text(&t->funcs, f->func), site);
		site = f->call;
		frame = f->parent;
	}
}
