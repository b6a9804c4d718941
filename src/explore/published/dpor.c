/*
 * Dynamic partial-order reduction with source sets and sleep sets (explore/reduce): one execution
 * for each class of executions that differ only in the order of independent steps.  A baseline; SC.
 *
 * Works on executions alone (upcoming.h): at each point of one, what a thread would do there is what
 * it does next.  The execution goes on by itself after what is asked for; where it takes a step that
 * the reduction does not want it is made anew with another one there, and dropped when all sleep.
 */
#include <assert.h>

#include "explore/published/search.h"
#include "explore/published/upcoming.h"
#include "explore/reduce/reduce.h"
#include "wire/ctl.h"

struct dpor {
	struct explore_search *s;
	struct explore_run trial;
	struct reduce tree;
	VEC(struct reduce_offer) offers;
	VEC(struct solve_step) prefix;
	uint32_t threads;
	uint32_t asked; /* whether to give up */
};

/* ---- events as operations ---- */

/* Memory, locks and threads have numbers of their own. */
enum space { MEMORY = 1, LOCKS, THREADS };

static uint64_t object(enum space space, uint64_t number)
{
	assert(number < UINT64_MAX / 4);
	return number * 4 + space;
}

static struct reduce_op op_of(const struct solve_event *e)
{
	struct reduce_op o = {.thread = e->thread, .kind = REDUCE_TURN, .arg = e->index};

	switch (e->op) {
	case SOLVE_READ:
	case SOLVE_WRITE:
	case SOLVE_RMW:
		o.kind = e->op == SOLVE_READ ? REDUCE_READ : REDUCE_WRITE;
		o.object = object(MEMORY, e->object);
		break;
	case SOLVE_LOCK:
	case SOLVE_UNLOCK:
		o.kind = e->op == SOLVE_LOCK ? REDUCE_LOCK : REDUCE_UNLOCK;
		o.object = object(LOCKS, e->object);
		break;
	case SOLVE_FORK:
		o.kind = REDUCE_CREATE;
		o.begins = (uint32_t)e->object + 1;
		break;
	case SOLVE_JOIN:
		o.kind = REDUCE_JOIN;
		o.object = object(THREADS, e->object);
		break;
	case SOLVE_END:
		o.kind = REDUCE_END;
		o.object = object(THREADS, e->thread);
		break;
	default: /* begin, fence: without an object they are nobody else's business */
		break;
	}
	return o;
}

static void find_offers(struct dpor *d, size_t at)
{
	const struct explore_run *r = &d->s->run;

	vec_clear(&d->offers);
	for (uint32_t t = 0; t < d->threads; t++) {
		const struct solve_event *e = upcoming_next(r, at, t);

		if (!e)
			continue;
		assert(e->thread == t);
		vec_push(&d->offers, ((struct reduce_offer){op_of(e), upcoming_enabled(r, at, e)}));
	}
}

/* ---- the path ---- */

#define LOOK_EVERY 8 /* questions: the clock is dear */

/*
 * The analysis of a long path takes the cube of its length; whatever it makes of the path once the
 * limit was reached, nothing is executed any more.
 */
static bool gives_up(void *arg)
{
	struct dpor *d = arg;

	return d->s->over || (++d->asked % LOOK_EVERY == 0 && explore_gives_up(d->s));
}

enum grown { GROWN, ANEW, REDUNDANT, GIVEN_UP };

/*
 * Takes over the run at hand from where the path ends.  ANEW: the path has one more point, where
 * the run did something else than the path does now.
 */
static enum grown grow(struct dpor *d)
{
	const struct explore_run *r = &d->s->run;

	for (;;) {
		size_t at = d->tree.path.count;
		uint32_t next = at < r->history.count ? r->history.items[at].thread : REDUCE_ANY;
		uint32_t taken;

		find_offers(d, at);
		switch (reduce_next(&d->tree, d->offers.items, d->offers.count, next, &taken)) {
		case REDUCE_PERFORM:
			assert(next != REDUCE_ANY);
			if (taken != next)
				return ANEW;
			break;
		case REDUCE_REDUNDANT:
			return REDUNDANT;
		case REDUCE_GIVEN_UP:
			return GIVEN_UP;
		default:
			assert(next == REDUCE_ANY); /* what happens was possible */
			return GROWN;
		}
	}
}

static int run(struct dpor *d, bool *fits)
{
	struct explore_search *s = d->s;
	struct explore_run swap;
	int rc;

	vec_clear(&d->prefix);
	for (size_t i = 0; i < d->tree.path.count; i++) {
		const struct reduce_op *o = &d->tree.path.items[i].op;

		vec_push(&d->prefix, ((struct solve_step){o->thread, (uint32_t)o->arg}));
	}
	rc = s->x->execute(s->x, d->prefix.items, d->prefix.count, &d->trial, s->e);
	if (rc)
		return rc;
	*fits = d->trial.outcome != EXPLORE_DIVERGED;
	s->stats->diverged += !*fits;
	if (!*fits)
		return 0;
	swap = s->run;
	s->run = d->trial;
	d->trial = swap;
	d->threads = upcoming_threads(&s->run);
	if (d->threads > REDUCE_THREADS)
		return err_set(s->e, ERR_UNSUPPORTED, "dpor knows %d threads at most",
			       REDUCE_THREADS);
	return 0;
}

/* The path and what follows it; then the path is that of the next execution. */
static int visit(struct dpor *d)
{
	uint32_t number;
	bool fresh, fits;
	int rc;

	for (;;) {
		enum grown how;

		rc = run(d, &fits);
		if (rc)
			return rc;
		if (!fits) {
			reduce_refuse(&d->tree);
			return 0;
		}
		assert(d->tree.path.count <= d->s->run.history.count);
		reduce_followed(&d->tree);
		how = grow(d);
		if (how == GROWN)
			return explore_account(d->s, &number, &fresh);
		d->s->stats->redundant += how == REDUNDANT;
		if (how == REDUNDANT || how == GIVEN_UP)
			return 0;
	}
}

int explore_dpor(struct explore_search *s)
{
	struct dpor d = {.s = s};
	int rc;

	if (wire_model_buffers(s->x->model))
		return err_set(s->e, ERR_UNSUPPORTED, "dpor knows sequential consistency only");
	d.tree.gives_up = gives_up;
	d.tree.arg = &d;
	do {
		rc = visit(&d);
	} while (!rc && !s->over && reduce_backtrack(&d.tree));
	reduce_fini(&d.tree);
	vec_free(&d.offers);
	vec_free(&d.prefix);
	explore_run_fini(&d.trial);
	return rc;
}
