#include "model/finding.h"

#include <assert.h>
#include <stdlib.h>

#include "base/mem.h"
#include "model/prediction.h"

static char *copy(const char *text)
{
	return text ? xstrdup(text) : NULL;
}

struct finding_place finding_place(const char *file, uint64_t line, uint64_t column,
				   const char *function)
{
	assert(file || (line == 0 && column == 0));
	return (struct finding_place){copy(file), line, column, copy(function), NULL};
}

struct finding *findings_add(struct findings *all, const char *rule, enum finding_level level,
			     const char *message)
{
	struct finding f = {.rule = rule, .level = level, .message = copy(message)};

	assert(rule && message);
	vec_push(all, f);
	return &all->items[all->count - 1];
}

struct finding_event *finding_add_event(struct finding *f, const char *text,
					struct finding_place at)
{
	struct finding_event e = {.text = copy(text), .at = at};

	vec_push(&f->events, e);
	return &f->events.items[f->events.count - 1];
}

void finding_add_step(struct finding *f, const char *thread, const char *text,
		      struct finding_place at)
{
	struct finding_step s = {.thread = copy(thread), .text = copy(text), .at = at};

	assert(thread && text);
	vec_push(&f->flow, s);
}

static void place_fini(struct finding_place *p)
{
	free(p->file);
	free(p->function);
	free(p->name);
}

static void event_fini(struct finding_event *e)
{
	for (size_t i = 0; i < e->stack.count; i++)
		place_fini(&e->stack.items[i]);
	vec_free(&e->stack);
	place_fini(&e->at);
	free(e->text);
	free(e->thread);
	free(e->object);
	free(e->held);
	free(e->created);
}

static void step_fini(struct finding_step *s)
{
	place_fini(&s->at);
	free(s->thread);
	free(s->text);
}

void findings_move(struct findings *from, struct findings *to)
{
	for (size_t i = 0; i < from->count; i++)
		vec_push(to, from->items[i]);
	vec_free(from);
}

void findings_fini(struct findings *all)
{
	for (size_t i = 0; i < all->count; i++) {
		struct finding *f = &all->items[i];

		for (size_t k = 0; k < f->events.count; k++)
			event_fini(&f->events.items[k]);
		vec_free(&f->events);
		for (size_t k = 0; k < f->flow.count; k++)
			step_fini(&f->flow.items[k]);
		vec_free(&f->flow);
		free(f->message);
		free(f->bundle);
		prediction_free(f->prediction);
	}
	vec_free(all);
}
