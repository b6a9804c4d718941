#include "explore/published/upcoming.h"

#include <assert.h>

#include "wire/ctl.h"

uint32_t upcoming_threads(const struct explore_run *r)
{
	uint32_t n = 0;

	for (size_t i = 0; i < r->history.count; i++)
		if (r->history.items[i].thread >= n)
			n = r->history.items[i].thread + 1;
	for (size_t i = 0; i < r->pending.count; i++)
		if (r->pending.items[i].thread >= n)
			n = r->pending.items[i].thread + 1;
	return n;
}

const struct solve_event *upcoming_next(const struct explore_run *r, size_t at, uint32_t t)
{
	assert(at <= r->history.count);
	for (size_t i = at; i < r->history.count; i++)
		if (r->history.items[i].thread == t)
			return &r->history.items[i];
	for (size_t i = 0; i < r->pending.count; i++)
		if (r->pending.items[i].thread == t)
			return &r->pending.items[i];
	return NULL;
}

static bool locks(const struct solve_event *e, uint64_t lock)
{
	return (e->op == SOLVE_LOCK || e->op == SOLVE_UNLOCK) && e->object == lock;
}

static bool held(const struct explore_run *r, size_t at, uint64_t lock)
{
	for (size_t i = at; i-- > 0;)
		if (locks(&r->history.items[i], lock))
			return r->history.items[i].op == SOLVE_LOCK;
	/* Given back before it was taken: somebody had it from the beginning. */
	for (size_t i = at; i < r->history.count; i++)
		if (locks(&r->history.items[i], lock))
			return r->history.items[i].op == SOLVE_UNLOCK;
	return false;
}

/* Whether thread t has begun, or ended. */
static bool begun(const struct explore_run *r, size_t at, uint32_t t)
{
	for (size_t i = 0; i < r->history.count; i++)
		if (r->history.items[i].op == SOLVE_FORK && r->history.items[i].object == t)
			return i < at;
	return true;
}

static bool ended(const struct explore_run *r, size_t at, uint64_t t)
{
	for (size_t i = 0; i < at; i++)
		if (r->history.items[i].op == SOLVE_END && r->history.items[i].thread == t)
			return true;
	return false;
}

bool upcoming_enabled(const struct explore_run *r, size_t at, const struct solve_event *e)
{
	assert(e->op < SOLVE_OPS && at <= r->history.count);
	if (!begun(r, at, e->thread))
		return false;
	if (e->op == SOLVE_LOCK)
		return !held(r, at, e->object);
	return e->op != SOLVE_JOIN || ended(r, at, e->object);
}

/* ---- with store buffers ---- */

/* The first event of t in program order, from index `from' on, that has not happened by then. */
static const struct solve_event *in_order(const struct explore_run *r, size_t at, uint32_t t,
					  uint32_t from)
{
	const struct solve_event *best = NULL;

	for (size_t i = at; i < r->history.count + r->pending.count; i++) {
		const struct solve_event *e = i < r->history.count
						      ? &r->history.items[i]
						      : &r->pending.items[i - r->history.count];

		if (e->thread == t && e->index >= from && (!best || e->index < best->index))
			best = e;
	}
	return best;
}

static void add(struct upcoming_list *out, const struct solve_event *e)
{
	struct solve_step s = {e->thread, e->index};

	vec_push(out, s);
}

/* Whether a store of the thread to the same location is still to come before e. */
static bool behind_another(const struct explore_run *r, size_t at, const struct solve_event *e)
{
	for (size_t i = at; i < r->history.count; i++) {
		const struct solve_event *o = &r->history.items[i];

		if (o->thread == e->thread && o->index < e->index && o->object == e->object)
			return true;
	}
	return false;
}

static void of_thread(const struct explore_run *r, size_t at, uint32_t t, unsigned model,
		      struct upcoming_list *out)
{
	const struct solve_event *e = in_order(r, at, t, 0);
	bool stores = false;

	if (e && !begun(r, at, t))
		return;
	for (; e && e->op == SOLVE_WRITE; e = in_order(r, at, t, e->index + 1)) {
		if (!stores || (wire_model_reorders(model) && !behind_another(r, at, e)))
			add(out, e);
		stores = true;
	}
	if (e && (!stores || e->op == SOLVE_READ) && upcoming_enabled(r, at, e))
		add(out, e);
}

void upcoming_all(const struct explore_run *r, size_t at, unsigned model,
		  struct upcoming_list *out)
{
	uint32_t threads = upcoming_threads(r);

	vec_clear(out);
	for (uint32_t t = 0; t < threads; t++) {
		const struct solve_event *e;

		if (wire_model_buffers(model)) {
			of_thread(r, at, t, model, out);
			continue;
		}
		e = upcoming_next(r, at, t);
		if (e && upcoming_enabled(r, at, e))
			add(out, e);
	}
}
