#include "explore/live/model_exec.h"

#include <stdlib.h>

#include "explore/live/model_step.h"

void model_exec_renew(struct model_exec *x)
{
	model_places_fini(&x->places);
	x->places = (struct model_places){.changed = false};
	free(x->begin);
	free(x->c);
	free(x->before);
	x->begin = x->c = x->before = NULL;
	x->tries = 0;
}

void model_exec_fini(struct model_exec *x)
{
	model_exec_renew(x);
	vec_free(&x->begin_path);
	vec_free(&x->path);
	vec_free(&x->threads);
}

/* ---- the prefix ---- */

/* Performs the event with this index, and the stores before it into the buffer. */
static int obey(struct model_exec *x, struct solve_step name)
{
	uint32_t t = name.thread;
	struct model_upcoming u;
	int at, rc;

	if (t >= x->m.l->threads.count)
		return MODEL_DIVERGED;
	at = model_place_in_buffer(x, t, name.index);
	if (at >= 0)
		return model_commit(x, t, (uint32_t)at);
	for (;;) {
		rc = model_settle(x, t);
		if (rc != MODEL_DONE)
			return rc;
		if (!model_look(x, t, &u) || u.e.index > name.index)
			return MODEL_DIVERGED;
		if (u.shape != MODEL_STORE || !wire_model_buffers(x->m.model)) {
			if (u.e.index != name.index)
				return MODEL_DIVERGED;
			return model_perform(x, t, &u);
		}
		rc = model_issue(x, t, &u);
		if (rc != MODEL_DONE)
			return rc;
		if (u.e.index == name.index)
			return model_commit(x, t, (uint32_t)model_place_in_buffer(x, t, name.index));
	}
}

/* ---- beginnings ---- */

static bool goes_first(const struct learn_step *s, bool alone)
{
	if (s->op == LEARN_EXIT || s->op == LEARN_FAIL || s->op == LEARN_ASSUME ||
	    s->op == LEARN_LIMIT)
		return false;
	return alone || s->op == LEARN_FORK || s->op == LEARN_BEGIN;
}

/* Main up to where others can have an influence. */
static int prologue(struct model_exec *x)
{
	struct machine_action a = model_run_of(0);
	bool alone = true;
	const struct learn_step *s;

	while ((s = machine_step(&x->m, x->c, 0)) && goes_first(s, alone) &&
	       machine_can(&x->m, x->c, &a)) {
		struct model_mark m = model_mark(x, 0);
		int rc;

		alone &= s->op != LEARN_FORK;
		rc = model_act(x, &a);
		if (rc == MODEL_BROKEN) {
			model_go_back(x, 0, &m);
			return MODEL_DONE;
		}
		if (rc != MODEL_DONE)
			return rc;
	}
	return MODEL_DONE;
}

static void lay_out(struct model_exec *x)
{
	struct learn *l = x->source->l;
	uint32_t loop_bound = x->m.loop_bound;

	machine_init(&x->m, l, x->base.model);
	x->m.loop_bound = loop_bound;
	x->begin = xrealloc(x->begin, x->m.bytes, 1);
	x->c = xrealloc(x->c, x->m.bytes, 1);
	x->before = xrealloc(x->before, x->m.bytes, 1);
	x->known_threads = l->threads.count;
	x->known_objects = l->objects.count;
}

static void reset_threads(struct model_exec *x)
{
	struct model_thread none = {.next = 0};

	vec_clear(&x->threads);
	for (size_t t = 0; t < x->m.l->threads.count; t++)
		vec_push(&x->threads, none);
}

/* Makes the configuration in which every execution begins. */
static int make_begin(struct model_exec *x)
{
	struct learn *l = x->source->l;
	int rc;

	if (l->threads.count == 0 || l->nodes.count < 2) {
		vec_clear(&x->path);
		rc = x->source->learn(x->source, &x->path, 1, x->e);
		return rc ? rc : MODEL_LEARNED;
	}
	if (x->begin && x->known_threads == l->threads.count &&
	    x->known_objects == l->objects.count)
		return MODEL_DONE;
	lay_out(x);
	vec_clear(&x->path);
	reset_threads(x);
	machine_begin(&x->m, x->c);
	x->known_objects = SIZE_MAX; /* in case it does not come to its end */
	rc = prologue(x);
	if (rc != MODEL_DONE)
		return rc;
	x->known_objects = l->objects.count;
	memcpy(x->begin, x->c, x->m.bytes);
	vec_clear(&x->begin_path);
	for (size_t i = 0; i < x->path.count; i++)
		vec_push(&x->begin_path, x->path.items[i]);
	return MODEL_DONE;
}

static void start(struct model_exec *x)
{
	memcpy(x->c, x->begin, x->m.bytes);
	reset_threads(x);
	vec_clear(&x->path);
	for (size_t i = 0; i < x->begin_path.count; i++)
		vec_push(&x->path, x->begin_path.items[i]);
	vec_clear(&x->out->history);
	vec_clear(&x->out->pending);
	x->out->failure = x->out->marks = 0;
	x->end = MACHINE_DONE;
}

/* ---- one execution ---- */

/* A step of the prefix broke its thread off, and is not the last: it is undone for now. */
static int put_off(struct model_exec *x, struct solve_step name, const struct model_mark *m)
{
	struct solve_event e;

	if (wire_model_buffers(x->m.model) || x->out->history.count == m->history)
		return MODEL_DIVERGED;
	e = vec_last(&x->out->history);
	if (!solve_event_reads(&e))
		return MODEL_DIVERGED;
	model_go_back(x, name.thread, m);
	x->threads.items[name.thread].breaks_at = e.value;
	return MODEL_DONE;
}

/* What was put off is done last, and must find what it found. */
static int catch_up(struct model_exec *x, struct solve_step name)
{
	int rc = obey(x, name);

	if (rc == MODEL_BROKEN && x->out->history.count &&
	    vec_last(&x->out->history).value == x->threads.items[name.thread].breaks_at)
		return MODEL_BROKEN;
	return rc == MODEL_DONE || rc == MODEL_BROKEN ? MODEL_DIVERGED : rc;
}

/*
 * A step after which its thread breaks off ends the execution, so it waits until the rest of the
 * prefix is done.  There cannot be two of them.
 */
static int obey_all(struct model_exec *x, const struct solve_step *prefix, size_t n)
{
	size_t late = n;
	int rc = MODEL_DONE;

	x->blocked = false;
	for (size_t i = 0; rc == MODEL_DONE && i < n; i++) {
		uint32_t t = prefix[i].thread;
		struct model_mark m = {.history = 0};

		if (t < x->threads.count)
			m = model_mark(x, t);
		rc = obey(x, prefix[i]);
		if (rc != MODEL_BROKEN || (i + 1 == n && late == n))
			continue;
		x->blocked = late < n;
		rc = late < n ? MODEL_DIVERGED : put_off(x, prefix[i], &m);
		late = i;
	}
	if (rc == MODEL_DONE && late < n)
		rc = catch_up(x, prefix[late]);
	/* Cut off where the program does not show how it goes on. */
	if (rc == MODEL_OVER)
		rc = MODEL_DIVERGED;
	x->refused += rc == MODEL_DIVERGED && x->blocked;
	x->misfits += rc == MODEL_DIVERGED && !x->blocked;
	return rc;
}

static int attempt(struct model_exec *x, const struct solve_step *prefix, size_t n)
{
	int rc = make_begin(x);

	if (rc != MODEL_DONE)
		return rc;
	start(x);
	rc = obey_all(x, prefix, n);
	x->out->prefix = x->out->history.count;
	if (rc == MODEL_DONE)
		rc = model_proceed(x);
	if (x->places.changed) {
		x->places.changed = false;
		x->known_objects = SIZE_MAX;
		return MODEL_AGAIN;
	}
	if (rc == MODEL_LEARNED || rc < 0 || (rc > 0 && rc < MODEL_DIVERGED))
		return rc;
	model_conclude(x, rc);
	return MODEL_DONE;
}

static int execute(struct explore_executor *base, const struct solve_step *prefix, size_t n,
		   struct explore_run *out, struct err *e)
{
	struct model_exec *x = (struct model_exec *)base;
	int rc;

	x->out = out;
	x->e = e;
	do {
		rc = attempt(x, prefix, n);
	} while (rc == MODEL_LEARNED);
	return rc;
}

static uint64_t initial(struct explore_executor *base, uint64_t object)
{
	struct model_exec *x = (struct model_exec *)base;

	return object < x->known_objects
		       ? model_place_value(&x->places, &x->m, x->begin, LEARN_NONE, (uint32_t)object)
		       : 0;
}

void model_exec_init(struct model_exec *x, struct product_source *source, unsigned model,
		     uint32_t loop_bound)
{
	*x = (struct model_exec){.base = {.model = model, .execute = execute, .initial = initial},
				 .source = source,
				 .m = {.loop_bound = loop_bound}};
}
