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

/* Begins a run and performs a prefix; false when it does not fit. */
static bool begin(struct mini_exec *x, struct mini_state *s, const struct solve_step *prefix,
		  size_t n, struct explore_run *out)
{
	struct solve_event e;

	x->runs++;
	vec_clear(&out->history);
	vec_clear(&out->pending);
	out->failure = 0;
	mini_start(s, x->p);
	for (size_t i = 0; i < n; i++) {
		if (!obey(s, x, prefix[i], &e))
			return false;
		vec_push(&out->history, e);
	}
	return true;
}

static int finish(struct mini_exec *x, struct mini_state *s, struct explore_run *out)
{
	struct solve_event e;

	out->prefix = out->history.count;
	proceed(s, x, out);
	for (unsigned t = 0; t < x->p->threads; t++) {
		if (mini_next(s, x->p, t, &e))
			vec_push(&out->pending, e);
	}
	out->outcome = out->pending.count ? EXPLORE_STUCK : EXPLORE_ENDED;
	out->marks = s->errors;
	x->marked += s->errors != 0;
	return 0;
}

static int execute(struct explore_executor *base, const struct solve_step *prefix, size_t n,
		   struct explore_run *out, struct err *err)
{
	struct mini_exec *x = (struct mini_exec *)base;
	struct mini_state s;

	if (begin(x, &s, prefix, n, out))
		return finish(x, &s, out);
	out->outcome = EXPLORE_DIVERGED;
	return 0;
}

/* How many events of the history, stores still buffered included, its thread had at a site. */
static uint32_t instances(const struct mini_state *s, const struct explore_run *out,
			  uint32_t thread, uint32_t site)
{
	uint32_t n = 0;

	for (size_t i = 0; i < out->history.count; i++)
		n += out->history.items[i].thread == thread && out->history.items[i].site == site;
	for (int i = 0; i < s->threads[thread].buffered; i++)
		n += MINI_SITE(thread, s->threads[thread].buffer[i].pc) == site;
	return n;
}

/* Place in the buffer of the store a step names, -1 when it is not there. */
static int buffered(const struct mini_state *s, const struct explore_run *out,
		    const struct explore_soft_step *step)
{
	const struct mini_thread *t = &s->threads[step->thread];
	uint32_t left = step->instance;

	for (size_t i = 0; i < out->history.count; i++) {
		const struct solve_event *e = &out->history.items[i];

		if (e->thread == step->thread && e->site == step->site && left-- == 0)
			return -1;
	}
	for (int i = 0; i < t->buffered; i++) {
		if (MINI_SITE(step->thread, t->buffer[i].pc) == step->site && left-- == 0)
			return i;
	}
	return -1;
}

struct soft {
	struct mini_exec *x;
	struct mini_state *s;
	const struct explore_soft_step *steps;
	size_t count;
	struct explore_run *out;
};

/* Whether the operation a thread stands at is that of a step. */
static bool stands_at(const struct soft *o, const struct solve_event *next,
		      const struct explore_soft_step *step)
{
	return next->thread == step->thread && next->site == step->site &&
	       instances(o->s, o->out, next->thread, next->site) == step->instance;
}

static bool wanted_later(const struct soft *o, const struct solve_event *next, size_t at)
{
	for (size_t i = at + 1; i < o->count; i++) {
		if (stands_at(o, next, &o->steps[i]))
			return true;
	}
	return false;
}

static void flush_first(const struct soft *o, unsigned t, int at)
{
	struct solve_event e;

	mini_flush(o->s, t, (unsigned)at, &e);
	vec_push(&o->out->history, e);
}

/* Performs one operation of a thread; false when it cannot be. */
static bool advance(const struct soft *o, unsigned t, bool commit)
{
	struct solve_event next, e;

	mini_next(o->s, o->x->p, t, &next);
	while (solve_event_syncs(&next) && o->s->threads[t].buffered)
		flush_first(o, t, 0);
	if (!mini_enabled(o->s, o->x->p, t))
		return false;
	commit |= o->x->base.model == MODEL_SC;
	mini_step(o->s, o->x->p, t, commit, &e);
	if (e.op != SOLVE_WRITE || commit)
		vec_push(&o->out->history, e);
	return true;
}

/* One soft step; true when its event was performed. */
static bool take(const struct soft *o, size_t at)
{
	const struct explore_soft_step *step = &o->steps[at];
	enum wire_model model = o->x->base.model;
	struct solve_event next;
	bool here;

	for (unsigned bound = 0; bound < 1000; bound++) {
		int place = buffered(o->s, o->out, step);

		if (place >= 0) {
			if (!mini_may_flush(o->s, step->thread, (unsigned)place, model))
				return false;
			flush_first(o, step->thread, place);
			return true;
		}
		if (!mini_next(o->s, o->x->p, step->thread, &next))
			return false;
		here = stands_at(o, &next, step);
		if (here && (next.op != SOLVE_WRITE || model == MODEL_SC))
			return advance(o, step->thread, true);
		/* Stores may be wanted later because they are to stay in the buffer. */
		if (!here && wanted_later(o, &next, at) &&
		    (next.op != SOLVE_WRITE || model == MODEL_SC))
			return false;
		if (!advance(o, step->thread, false))
			return false;
	}
	return false;
}

static int execute_soft(struct explore_executor *base, const struct solve_step *prefix, size_t n,
			const struct explore_soft_step *steps, size_t m, struct explore_run *out,
			struct err *err)
{
	struct mini_exec *x = (struct mini_exec *)base;
	struct mini_state s;
	struct soft o = {x, &s, steps, m, out};
	bool done = begin(x, &s, prefix, n, out);

	for (size_t i = 0; i < m && done; i++)
		done = take(&o, i) || i + 1 < m;
	if (done)
		return finish(x, &s, out);
	out->outcome = EXPLORE_DIVERGED;
	return 0;
}

static uint64_t initial(struct explore_executor *base, uint64_t object)
{
	struct mini_exec *x = (struct mini_exec *)base;

	return object < x->p->vars ? (uint64_t)x->p->initial[object] : 0;
}

void mini_exec_init(struct mini_exec *x, const struct mini_program *p, enum wire_model model)
{
	*x = (struct mini_exec){.base = {.model = model,
					 .execute = execute,
					 .execute_soft = execute_soft,
					 .initial = initial},
				.p = p};
}
