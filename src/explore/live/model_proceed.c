#include "explore/live/model_step.h"

/* ---- what follows it ---- */

static int drain(struct model_exec *x)
{
	struct model_upcoming u;
	int rc = MODEL_DONE;

	for (uint32_t t = 0; t < x->m.l->threads.count; t++) {
		while (rc == MODEL_DONE && model_has_stores(x, t))
			rc = model_commit(x, t, 0);
		if (rc == MODEL_DONE && x->threads.items[t].has_rest && model_look(x, t, &u))
			model_finish(x, t, &u);
	}
	return rc;
}

/* One event of t, its stores reaching memory at once.  MODEL_DIVERGED: it cannot go on. */
static int step(struct model_exec *x, uint32_t t)
{
	struct machine_action a = model_run_of(t);
	struct model_upcoming u;
	int rc = model_settle(x, t);

	if (rc != MODEL_DONE)
		return rc;
	if (!model_look(x, t, &u)) {
		const struct learn_step *s = machine_step(&x->m, x->c, t);

		if (!s || s->op != LEARN_EXIT || !machine_can(&x->m, x->c, &a))
			return MODEL_DIVERGED;
		return model_act(x, &a);
	}
	if (u.shape == MODEL_WAKE && u.first && machine_thread(&x->m, x->c, t)->sleep)
		return MODEL_DIVERGED;
	if (!u.rest && !u.first && !machine_can(&x->m, x->c, &a))
		return MODEL_DIVERGED;
	if (u.shape != MODEL_STORE || !wire_model_buffers(x->m.model))
		return model_perform(x, t, &u);
	rc = model_issue(x, t, &u);
	return rc == MODEL_DONE ? model_commit(x, t, 0) : rc;
}

/* The lowest thread that can goes on until it cannot. */
static int run_on(struct model_exec *x, bool *moved)
{
	*moved = false;
	for (uint32_t t = 0; t < x->m.l->threads.count && !*moved; t++) {
		int rc = MODEL_DONE;

		while (rc == MODEL_DONE && !x->threads.items[t].held_back) {
			struct model_mark m = model_mark(x, t);

			rc = step(x, t);
			*moved |= rc == MODEL_DONE;
			if (rc != MODEL_BROKEN)
				continue;
			model_go_back(x, t, &m);
			x->threads.items[t].held_back = true;
			rc = MODEL_DIVERGED;
		}
		if (rc != MODEL_DONE && rc != MODEL_DIVERGED)
			return rc;
	}
	return MODEL_DONE;
}

static bool can_expire(struct model_exec *x, uint32_t t)
{
	struct machine_action a = {.kind = MACHINE_EXPIRE, .thread = (uint16_t)t};

	return machine_can(&x->m, x->c, &a);
}

/* Nobody can: the first of those that would break off does, or the first wait expires. */
static int last_resort(struct model_exec *x, bool *moved)
{
	struct model_upcoming u;

	for (uint32_t t = 0; t < x->m.l->threads.count; t++) {
		if (!x->threads.items[t].held_back)
			continue;
		x->threads.items[t].held_back = false;
		*moved = true;
		return step(x, t);
	}
	for (uint32_t t = 0; t < x->m.l->threads.count; t++) {
		if (!can_expire(x, t) || !model_look(x, t, &u))
			continue;
		*moved = true;
		return model_perform(x, t, &u);
	}
	return MODEL_DONE;
}

int model_proceed(struct model_exec *x)
{
	bool moved = true;
	int rc = drain(x);

	while (rc == MODEL_DONE && moved) {
		rc = run_on(x, &moved);
		if (rc == MODEL_DONE && !moved)
			rc = last_resort(x, &moved);
	}
	return rc;
}

/* ---- the end ---- */

static bool is_stopped(const struct model_exec *x, const struct learn_step *s)
{
	return s->op == LEARN_LIMIT || (x->m.loop_bound && s->visits >= x->m.loop_bound);
}

/* What did not reach memory before the end does so now. */
static void empty_buffers(struct model_exec *x)
{
	for (uint32_t t = 0; wire_model_buffers(x->m.model) && t < x->m.l->threads.count; t++)
		for (uint32_t i = 0; i < machine_buffer(&x->m, x->c, t)->count; i++)
			model_emit(x, &x->threads.items[t].issued[i]);
}

/* Whether the end of thread t is in the history, or would come next. */
static bool ends(const struct explore_run *out, uint64_t t)
{
	for (size_t i = 0; i < out->history.count; i++)
		if (out->history.items[i].op == SOLVE_END && out->history.items[i].thread == t)
			return true;
	for (size_t i = 0; i < out->pending.count; i++)
		if (out->pending.items[i].op == SOLVE_END && out->pending.items[i].thread == t)
			return true;
	return false;
}

/* What threads would do next.  Joins come last; without an end of the thread they are hopeless. */
static void list_pending(struct model_exec *x, bool joins)
{
	struct model_upcoming u;

	for (uint32_t t = 0; t < x->m.l->threads.count; t++) {
		const struct learn_step *s = machine_step(&x->m, x->c, t);

		if (!s || s->op == LEARN_ASSUME || is_stopped(x, s) || !model_look(x, t, &u) || (u.e.op == SOLVE_JOIN) != joins ||
		    (joins && !ends(x->out, u.e.object)))
			continue;
		u.e.writes = false;
		vec_push(&x->out->pending, u.e);
	}
}

static bool any_stopped(struct model_exec *x)
{
	for (uint32_t t = 0; t < x->m.l->threads.count; t++) {
		const struct learn_step *s = machine_step(&x->m, x->c, t);

		if (s && is_stopped(x, s))
			return true;
	}
	return false;
}

static bool all_ended(const struct model_exec *x)
{
	for (uint32_t t = 0; t < x->m.l->threads.count; t++)
		if (machine_thread(&x->m, x->c, t)->state == MACHINE_LIVE)
			return false;
	return true;
}

static bool any_assumed(struct model_exec *x)
{
	for (uint32_t t = 0; t < x->m.l->threads.count; t++) {
		const struct learn_step *s = machine_step(&x->m, x->c, t);

		if (s && s->op == LEARN_ASSUME)
			return true;
	}
	return false;
}

static enum explore_outcome outcome_of(struct model_exec *x, int verdict)
{
	if ((verdict == MODEL_DONE || x->end == MACHINE_EXITED) && any_assumed(x))
		return EXPLORE_ASSUMED;
	if (verdict == MODEL_DONE && any_stopped(x))
		return EXPLORE_LIMITED;
	if (verdict == MODEL_DONE)
		return all_ended(x) ? EXPLORE_ENDED : EXPLORE_STUCK;
	switch (x->end) {
	case MACHINE_EXITED: /* a thread that a limit stopped could have done more before */
		return any_stopped(x) ? EXPLORE_LIMITED : EXPLORE_ENDED;
	case MACHINE_UNKNOWN:
		return EXPLORE_LIMITED;
	default:
		return EXPLORE_FAILED;
	}
}

void model_conclude(struct model_exec *x, int verdict)
{
	const struct learn_step *s;

	if (verdict == MODEL_DIVERGED) {
		x->out->outcome = EXPLORE_DIVERGED;
		return;
	}
	empty_buffers(x);
	list_pending(x, false);
	list_pending(x, true);
	x->out->outcome = outcome_of(x, verdict);
	if (x->out->outcome != EXPLORE_FAILED)
		return;
	s = machine_step(&x->m, x->c, x->end_thread);
	x->out->failure = intern_hash(x->end, s ? s->site : 0);
}
