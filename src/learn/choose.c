#include "learn/choose.h"

#define SMALL_SET 64 /* threads for which sets are looked for */

void choose_of(const struct machine *m, machine_config *c, uint32_t t, struct choose_actions *out)
{
	struct machine_action a = {.kind = MACHINE_RUN, .thread = (uint16_t)t};

	if (machine_can(m, c, &a)) {
		uint32_t ways = machine_ways(m, c, t);

		for (a.arg = 0; a.arg < ways; a.arg++)
			vec_push(out, a);
	}
	a = (struct machine_action){.kind = MACHINE_EXPIRE, .thread = (uint16_t)t};
	if (machine_can(m, c, &a))
		vec_push(out, a);
	if (m->model == MODEL_SC)
		return;
	a.kind = MACHINE_FLUSH;
	for (a.arg = 0; a.arg < machine_buffer(m, c, t)->count; a.arg++)
		if (machine_flushable(m, c, t, a.arg))
			vec_push(out, a);
}

void choose_all(const struct machine *m, machine_config *c, struct choose_actions *out)
{
	for (uint32_t t = 0; t < m->l->threads.count; t++)
		choose_of(m, c, t, out);
}

/* A store that only leaves the thread, not yet for memory. */
static bool is_issue(const struct machine *m, const struct learn_step *s)
{
	return m->model != MODEL_SC && s->op == LEARN_WRITE && !(s->flags & LEARN_THROUGH);
}

/* Whether one of the classes conflicts with what thread u has under way or may do. */
static bool classes_meet(const struct machine *m, machine_config *c, uint32_t classes, uint32_t u)
{
	struct foot *f = &m->l->foot;
	const struct learn_step *s = machine_step(m, c, u);
	uint32_t n = intern_count(&f->prints, classes);

	for (uint32_t i = 0; i < n; i++) {
		uint32_t own = intern_elements(&f->prints, classes)[i];

		if (s && foot_conflicts(f, own, s->future))
			return true;
		if (m->model == MODEL_SC)
			continue;
		for (uint32_t k = 0; k < machine_buffer(m, c, u)->count; k++) {
			uint32_t store = machine_buffer(m, c, u)->stores[k].classes;
			uint32_t other = intern_elements(&f->prints, store)[0];

			if (f->classes.items[other].object == f->classes.items[own].object)
				return true;
		}
	}
	return false;
}

static bool meets_anybody(const struct machine *m, machine_config *c, uint32_t classes, uint32_t t)
{
	for (uint32_t u = 0; classes && u < m->l->threads.count; u++)
		if (u != t && classes_meet(m, c, classes, u))
			return true;
	return false;
}

/* An action of t that nothing anybody else may do has to do with. */
static bool find_single(const struct machine *m, machine_config *c, uint32_t t,
			struct machine_action *a)
{
	const struct learn_step *s = machine_step(m, c, t);

	*a = (struct machine_action){.kind = MACHINE_RUN, .thread = (uint16_t)t};
	if (s && machine_can(m, c, a) && machine_ways(m, c, t) == 1 &&
	    (is_issue(m, s) || !meets_anybody(m, c, s->classes, t)))
		return true;
	if (m->model == MODEL_SC)
		return false;
	a->kind = MACHINE_FLUSH;
	for (a->arg = 0; a->arg < machine_buffer(m, c, t)->count; a->arg++)
		if (machine_flushable(m, c, t, a->arg) &&
		    !meets_anybody(m, c, machine_buffer(m, c, t)->stores[a->arg].classes, t))
			return true;
	return false;
}

/* ---- sets ---- */

static uint64_t live_threads(const struct machine *m, machine_config *c)
{
	uint64_t live = 0;

	for (uint32_t t = 0; t < m->l->threads.count; t++)
		if (machine_thread(m, c, t)->state == MACHINE_LIVE ||
		    (m->model != MODEL_SC && machine_buffer(m, c, t)->count))
			live |= UINT64_C(1) << t;
	return live;
}

/* Those that have a step of this kind on the object before them. */
static uint64_t who_may(const struct machine *m, machine_config *c, uint32_t object,
			enum foot_kind kind)
{
	uint64_t who = 0;

	for (uint32_t u = 0; u < m->l->threads.count; u++) {
		const struct learn_step *s = machine_step(m, c, u);

		if (s && foot_touches(&m->l->foot, s->future, object, kind))
			who |= UINT64_C(1) << u;
	}
	return who;
}

/* Somebody of these must act before t, which is blocked at s, can. */
static uint64_t who_unblocks(const struct machine *m, machine_config *c, uint32_t t,
			     const struct learn_step *s)
{
	uint32_t owner;

	switch (s->op) {
	case LEARN_LOCK:
	case LEARN_WRLOCK:
	case LEARN_RDLOCK:
		owner = machine_sync(m, c, s->object)->a;
		return owner ? UINT64_C(1) << (owner - 1) : UINT64_MAX;
	case LEARN_WAKE:
		if (machine_thread(m, c, t)->sleep)
			return who_may(m, c, s->object, FOOT_WAKE);
		owner = machine_sync(m, c, s->other)->a;
		return owner ? UINT64_C(1) << (owner - 1) : UINT64_MAX;
	case LEARN_FUTEX_WOKEN:
		return who_may(m, c, s->object, FOOT_WAKE);
	case LEARN_LEAVE:
		return who_may(m, c, s->object, FOOT_MEET);
	case LEARN_TAKE:
		return who_may(m, c, s->object, FOOT_GIVE);
	case LEARN_JOIN:
		return UINT64_C(1) << s->other;
	default:
		return UINT64_MAX;
	}
}

static uint64_t who_meets(const struct machine *m, machine_config *c, uint32_t t, uint64_t among)
{
	const struct learn_step *s = machine_step(m, c, t);
	uint64_t who = 0;

	for (uint32_t u = 0; u < m->l->threads.count; u++) {
		if (u == t || !(among >> u & 1))
			continue;
		if (s && s->classes && !is_issue(m, s) && classes_meet(m, c, s->classes, u))
			who |= UINT64_C(1) << u;
		for (uint32_t k = 0; m->model != MODEL_SC && k < machine_buffer(m, c, t)->count; k++)
			if (classes_meet(m, c, machine_buffer(m, c, t)->stores[k].classes, u))
				who |= UINT64_C(1) << u;
	}
	return who;
}

/* The smallest set of threads around t that is persistent. */
static uint64_t close_set(const struct machine *m, machine_config *c, uint32_t t, uint64_t live)
{
	uint64_t set = UINT64_C(1) << t, todo = set;

	while (todo && set != live) {
		uint32_t p = (uint32_t)__builtin_ctzll(todo);
		struct machine_action run = {.kind = MACHINE_RUN, .thread = (uint16_t)p};
		struct machine_action expire = {.kind = MACHINE_EXPIRE, .thread = (uint16_t)p};
		const struct learn_step *s = machine_step(m, c, p);
		bool blocked = s && !machine_can(m, c, &run);
		uint64_t more = 0;

		if (blocked && (m->model == MODEL_SC || !machine_buffer(m, c, p)->count))
			more |= who_unblocks(m, c, p, s);
		if (!blocked || machine_can(m, c, &expire) ||
		    (m->model != MODEL_SC && machine_buffer(m, c, p)->count))
			more |= who_meets(m, c, p, live);
		more &= live & ~set;
		set |= more;
		todo = (todo & (todo - 1)) | more;
	}
	return set;
}

static void actions_of_set(const struct machine *m, machine_config *c, uint64_t set,
			   struct choose_actions *out)
{
	for (uint32_t t = 0; t < m->l->threads.count; t++)
		if (set >> t & 1)
			choose_of(m, c, t, out);
}

/* Who has just moved most likely goes on: what it does next is often its own affair. */
static bool find_any_single(const struct machine *m, machine_config *c, uint32_t first,
			    struct machine_action *a)
{
	if (find_single(m, c, first, a))
		return true;
	for (uint32_t t = 0; t < m->l->threads.count; t++)
		if (t != first && find_single(m, c, t, a))
			return true;
	return false;
}

void choose_actions(const struct machine *m, machine_config *c, uint32_t thread,
		    struct choose_actions *out)
{
	size_t first = out->count, best = SIZE_MAX;
	uint64_t live, smallest;
	struct machine_action a;

	if (find_any_single(m, c, thread, &a)) {
		vec_push(out, a);
		return;
	}
	if (m->l->threads.count > SMALL_SET) {
		choose_all(m, c, out);
		return;
	}
	live = smallest = live_threads(m, c);
	for (uint32_t t = 0; t < m->l->threads.count; t++) {
		uint64_t set;

		out->count = first;
		choose_of(m, c, t, out);
		if (out->count == first)
			continue;
		set = close_set(m, c, t, live);
		out->count = first;
		actions_of_set(m, c, set, out);
		if (out->count - first < best) {
			best = out->count - first;
			smallest = set;
		}
	}
	out->count = first;
	actions_of_set(m, c, smallest, out);
}
