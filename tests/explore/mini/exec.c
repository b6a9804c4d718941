#include "exec.h"

#include <string.h>

/* Performs one event of the prefix; false when it does not fit. */
static bool obey(struct mini_state *s, const struct mini_exec *x, struct solve_step c,
		 struct solve_event *e)
{
	enum wire_model model = x->base.model;
	struct solve_event next;
	int at;

	if (c.thread >= x->p->threads)
		return false;
	at = mini_buffered(s, c.thread, c.index);
	if (at >= 0) {
		if (!mini_may_flush(s, c.thread, (unsigned)at, model))
			return false;
		mini_flush(s, c.thread, (unsigned)at, e);
		return true;
	}
	while (mini_next(s, x->p, c.thread, &next) && next.index < c.index) {
		if (next.op != SOLVE_WRITE || model == MODEL_SC)
			return false;
		mini_step(s, x->p, c.thread, false, &next);
	}
	if (!mini_next(s, x->p, c.thread, &next) || next.index != c.index ||
	    !mini_enabled(s, x->p, c.thread))
		return false;
	if (next.op != SOLVE_WRITE) {
		mini_step(s, x->p, c.thread, true, e);
		return true;
	}
	/* Through the buffer, so that the rules of the model are asked. */
	mini_step(s, x->p, c.thread, false, e);
	at = mini_buffered(s, c.thread, c.index);
	if (!mini_may_flush(s, c.thread, (unsigned)at, model))
		return false;
	mini_flush(s, c.thread, (unsigned)at, e);
	return true;
}

static void proceed(struct mini_state *s, const struct mini_exec *x, struct explore_run *out)
{
	struct solve_event e;

	for (unsigned t = 0; t < x->p->threads; t++) {
		while (s->threads[t].buffered) {
			mini_flush(s, t, 0, &e);
			vec_push(&out->history, e);
		}
	}
	for (unsigned t = 0; t < x->p->threads;) {
		if (!mini_enabled(s, x->p, t)) {
			t++;
			continue;
		}
		while (mini_enabled(s, x->p, t)) {
			mini_step(s, x->p, t, true, &e);
			vec_push(&out->history, e);
		}
		t = 0;
	}
}

static int execute(struct explore_executor *base, const struct solve_step *prefix, size_t n,
		   struct explore_run *out, struct err *err)
{
	struct mini_exec *x = (struct mini_exec *)base;
	struct mini_state s;
	struct solve_event e;

	x->runs++;
	vec_clear(&out->history);
	vec_clear(&out->pending);
	out->failure = 0;
	out->prefix = n;
	mini_start(&s, x->p);
	for (size_t i = 0; i < n; i++) {
		if (!obey(&s, x, prefix[i], &e)) {
			out->outcome = EXPLORE_DIVERGED;
			return 0;
		}
		vec_push(&out->history, e);
	}
	proceed(&s, x, out);
	for (unsigned t = 0; t < x->p->threads; t++) {
		if (mini_next(&s, x->p, t, &e))
			vec_push(&out->pending, e);
	}
	out->outcome = out->pending.count ? EXPLORE_STUCK : EXPLORE_ENDED;
	out->marks = s.errors;
	x->marked += s.errors != 0;
	return 0;
}

static uint64_t initial(struct explore_executor *base, uint64_t object)
{
	struct mini_exec *x = (struct mini_exec *)base;

	return object < x->p->vars ? (uint64_t)x->p->initial[object] : 0;
}

void mini_exec_init(struct mini_exec *x, const struct mini_program *p, enum wire_model model)
{
	*x = (struct mini_exec){.base = {.model = model, .execute = execute, .initial = initial},
				.p = p};
}
