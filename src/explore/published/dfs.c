/*
 * Every interleaving, depth first: the baseline that shows what the others save.  Under TSO and PSO
 * an interleaving is an order in which reads happen and stores reach memory.  Works on executions
 * alone (upcoming.h); what turns out not to be possible is passed over.
 */
#include <assert.h>

#include "explore/published/search.h"
#include "explore/published/upcoming.h"

struct choice {
	struct solve_step step; /* taken now */
	VEC(struct solve_step) tried;
};

struct dfs {
	struct explore_search *s;
	struct explore_run trial;
	VEC(struct choice) path;
	VEC(struct solve_step) prefix;
	struct upcoming_list could;
};

static bool was_tried(const struct choice *c, struct solve_step s)
{
	for (size_t i = 0; i < c->tried.count; i++)
		if (c->tried.items[i].thread == s.thread && c->tried.items[i].index == s.index)
			return true;
	return false;
}

static void take(struct choice *c, struct solve_step s)
{
	assert(!was_tried(c, s));
	c->step = s;
	vec_push(&c->tried, s);
}

/* Goes back to the last point where something was not tried. */
static bool backtrack(struct dfs *d)
{
	while (d->path.count) {
		struct choice *c = &vec_last(&d->path);

		assert(c->tried.count > 0);
		upcoming_all(&d->s->run, d->path.count - 1, d->s->x->model, &d->could);
		for (size_t i = 0; i < d->could.count; i++) {
			if (was_tried(c, d->could.items[i]))
				continue;
			take(c, d->could.items[i]);
			return true;
		}
		vec_free(&c->tried);
		d->path.count--;
	}
	return false;
}

/* Runs along the path; the run becomes the one at hand unless it diverged. */
static int run(struct dfs *d)
{
	struct explore_search *s = d->s;
	struct explore_run swap;
	uint32_t number;
	bool fresh;
	int rc;

	vec_clear(&d->prefix);
	for (size_t i = 0; i < d->path.count; i++)
		vec_push(&d->prefix, d->path.items[i].step);
	rc = s->x->execute(s->x, d->prefix.items, d->prefix.count, &d->trial, s->e);
	if (rc)
		return rc;
	if (d->trial.outcome == EXPLORE_DIVERGED) {
		s->stats->diverged++;
		return 0;
	}
	swap = s->run;
	s->run = d->trial;
	d->trial = swap;
	rc = explore_account(s, &number, &fresh);
	for (size_t i = d->path.count; !rc && i < s->run.history.count; i++) {
		const struct solve_event *e = &s->run.history.items[i];
		struct choice c = {.tried = VEC_INIT};

		take(&c, (struct solve_step){e->thread, e->index});
		vec_push(&d->path, c);
	}
	return rc;
}

int explore_dfs(struct explore_search *s)
{
	struct dfs d = {.s = s};
	int rc;

	do {
		rc = run(&d);
	} while (!rc && !s->over && backtrack(&d));
	for (size_t i = 0; i < d.path.count; i++)
		vec_free(&d.path.items[i].tried);
	vec_free(&d.path);
	vec_free(&d.prefix);
	vec_free(&d.could);
	explore_run_fini(&d.trial);
	return rc;
}
