/*
 * Every interleaving, depth first: the baseline that shows what the others save.  SC only; works on
 * executions alone: what a thread would do at a point is what it does next in the execution, and a
 * lock is free there when nobody holds it.
 */
#include "explore/search.h"
#include "wire/ctl.h"

struct choice {
	struct solve_step step; /* taken now */
	uint32_t first;		/* thread taken when the point was met */
	uint32_t next;		/* of the others, those below this one have been tried */
};

struct dfs {
	struct explore_search *s;
	VEC(struct choice) path;
	VEC(struct solve_step) prefix;
};

/* The event thread t performs first at or after position at, NULL when it has ended by then. */
static const struct solve_event *upcoming(const struct explore_run *r, size_t at, uint32_t t)
{
	for (size_t i = at; i < r->history.count; i++) {
		if (r->history.items[i].thread == t)
			return &r->history.items[i];
	}
	for (size_t i = 0; i < r->pending.count; i++) {
		if (r->pending.items[i].thread == t)
			return &r->pending.items[i];
	}
	return NULL;
}

static bool held(const struct explore_run *r, size_t at, uint64_t lock)
{
	for (size_t i = at; i-- > 0;) {
		const struct solve_event *e = &r->history.items[i];

		if ((e->op == SOLVE_LOCK || e->op == SOLVE_UNLOCK) && e->object == lock)
			return e->op == SOLVE_LOCK;
	}
	return false;
}

static bool enabled(const struct explore_run *r, size_t at, const struct solve_event *e)
{
	if (e->op == SOLVE_LOCK)
		return !held(r, at, e->object);
	return e->op <= SOLVE_FENCE;
}

static uint32_t threads_of(const struct explore_run *r)
{
	uint32_t n = 0;

	for (size_t i = 0; i < r->history.count; i++) {
		if (r->history.items[i].thread >= n)
			n = r->history.items[i].thread + 1;
	}
	for (size_t i = 0; i < r->pending.count; i++) {
		if (r->pending.items[i].thread >= n)
			n = r->pending.items[i].thread + 1;
	}
	return n;
}

/* Goes back to the last point with a thread not tried. */
static bool backtrack(struct dfs *d)
{
	const struct explore_run *r = &d->s->run;
	uint32_t threads = threads_of(r);

	while (d->path.count) {
		struct choice *c = &vec_last(&d->path);
		size_t at = d->path.count - 1;

		for (; c->next < threads; c->next++) {
			const struct solve_event *e = upcoming(r, at, c->next);

			if (!e || !enabled(r, at, e) || c->next == c->first)
				continue;
			c->step = (struct solve_step){e->thread, e->index};
			c->next++;
			return true;
		}
		d->path.count--;
	}
	return false;
}

int explore_dfs(struct explore_search *s)
{
	struct dfs d = {.s = s};
	uint32_t number;
	bool fresh;
	int rc = 0;

	if (s->x->model != MODEL_SC)
		return err_set(s->e, ERR_UNSUPPORTED, "dfs knows sequential consistency only");
	do {
		vec_clear(&d.prefix);
		for (size_t i = 0; i < d.path.count; i++)
			vec_push(&d.prefix, d.path.items[i].step);
		rc = explore_execute(s, d.prefix.items, d.prefix.count, &number, &fresh);
		if (rc || number == STATE_NONE)
			break;
		for (size_t i = d.path.count; i < s->run.history.count; i++) {
			const struct solve_event *e = &s->run.history.items[i];
			struct choice c = {{e->thread, e->index}, e->thread, 0};

			vec_push(&d.path, c);
		}
	} while (!s->over && backtrack(&d));
	vec_free(&d.path);
	vec_free(&d.prefix);
	return rc;
}
