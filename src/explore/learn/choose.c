#include "explore/learn/choose.h"

#include <assert.h>

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
	a.kind = MACHINE_SPURIOUS;
	if (m->spurious && machine_can(m, c, &a))
		vec_push(out, a);
	if (!wire_model_buffers(m->model))
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
	return wire_model_buffers(m->model) && s->op == LEARN_WRITE && !(s->flags & LEARN_THROUGH);
}

/* What a step does here: asking for what has happened once is only looking when it has. */
static uint32_t classes_now(const struct machine *m, machine_config *c, const struct learn_step *s)
{
	struct foot *f = &m->l->foot;
	struct foot_class pass;
	uint32_t id;

	if (s->op != LEARN_ONCE || intern_count(&f->prints, s->classes) != 1 ||
	    machine_sync(m, c, s->object)->once.state != RULE_ONCE_DONE)
		return s->classes;
	pass = f->classes.items[intern_elements(&f->prints, s->classes)[0]];
	assert(pass.object == s->object && pass.kind == FOOT_LOCK);
	pass.kind = FOOT_PASS;
	id = foot_class(f, &pass);
	return intern_set(&f->prints, &id, 1);
}

/* Whether one of the classes conflicts with what thread u has under way or may do. */
static bool classes_meet(const struct machine *m, machine_config *c, uint32_t classes, uint32_t u)
{
	struct foot *f = &m->l->foot;
	const struct learn_step *s = machine_step(m, c, u);
	uint32_t n = wire_model_buffers(m->model) ? intern_count(&f->prints, classes) : 0;

	if (s && foot_meets(f, classes, s->future))
		return true;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t own = intern_elements(&f->prints, classes)[i];

		for (uint32_t k = 0; k < machine_buffer(m, c, u)->count; k++) {
			uint32_t store = machine_buffer(m, c, u)->stores[k].classes;

			if (foot_names(f, store, f->classes.items[own].object))
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

	*a = (struct machine_action){.kind = MACHINE_SPURIOUS, .thread = (uint16_t)t};
	if (m->spurious && machine_can(m, c, a))
		return false;
	a->kind = MACHINE_RUN;
	if (s && machine_can(m, c, a) && machine_ways(m, c, t) == 1 &&
	    (is_issue(m, s) || !meets_anybody(m, c, classes_now(m, c, s), t)))
		return true;
	if (!wire_model_buffers(m->model))
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

	assert(m->l->threads.count <= SMALL_SET);
	for (uint32_t t = 0; t < m->l->threads.count; t++)
		if (machine_thread(m, c, t)->state == MACHINE_LIVE ||
		    (wire_model_buffers(m->model) && machine_buffer(m, c, t)->count))
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
		owner = machine_owner(m, c, s->object);
		assert(owner <= m->l->threads.count);
		return owner ? UINT64_C(1) << (owner - 1) : UINT64_MAX;
	case LEARN_WAKE:
		if (machine_thread(m, c, t)->sleep)
			return who_may(m, c, s->object, FOOT_WAKE);
		owner = machine_owner(m, c, s->other);
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
	uint32_t classes = s && !is_issue(m, s) ? classes_now(m, c, s) : 0;
	uint64_t who = 0;

	for (uint32_t u = 0; u < m->l->threads.count; u++) {
		if (u == t || !(among >> u & 1))
			continue;
		if (classes && classes_meet(m, c, classes, u))
			who |= UINT64_C(1) << u;
		for (uint32_t k = 0;
		     wire_model_buffers(m->model) && k < machine_buffer(m, c, t)->count; k++)
			if (classes_meet(m, c, machine_buffer(m, c, t)->stores[k].classes, u))
				who |= UINT64_C(1) << u;
	}
	return who;
}

/* What the sets around several threads are made from: found out once for a configuration. */
struct around {
	const struct machine *m;
	machine_config *c;
	uint64_t live;
	uint64_t runs; /* who can do its step */
	uint64_t ends; /* who can expire in it, or have it end for no reason */
	uint64_t judged, meets[SMALL_SET];
	size_t first[SMALL_SET + 1]; /* of a thread's actions */
};

/* Appends what everybody could do. */
static void look_around(struct around *x, struct choose_actions *out)
{
	uint32_t n = (uint32_t)x->m->l->threads.count;

	x->live = live_threads(x->m, x->c);
	x->runs = x->ends = x->judged = 0;
	for (uint32_t t = 0; t < n; t++) {
		x->first[t] = out->count;
		choose_of(x->m, x->c, t, out);
		for (size_t i = x->first[t]; i < out->count; i++) {
			if (out->items[i].kind == MACHINE_RUN)
				x->runs |= UINT64_C(1) << t;
			else if (out->items[i].kind != MACHINE_FLUSH)
				x->ends |= UINT64_C(1) << t;
		}
	}
	x->first[n] = out->count;
}

static uint64_t meets_of(struct around *x, uint32_t t)
{
	if (!(x->judged >> t & 1)) {
		x->meets[t] = who_meets(x->m, x->c, t, x->live);
		x->judged |= UINT64_C(1) << t;
	}
	return x->meets[t];
}

/* The smallest set of threads around t that is persistent. */
static uint64_t close_set(struct around *x, uint32_t t)
{
	uint64_t set = UINT64_C(1) << t, todo = set;

	while (todo && set != x->live) {
		uint32_t p = (uint32_t)__builtin_ctzll(todo);
		const struct learn_step *s = machine_step(x->m, x->c, p);
		bool blocked = s && !(x->runs >> p & 1);
		bool stores =
			wire_model_buffers(x->m->model) && machine_buffer(x->m, x->c, p)->count;
		uint64_t more = 0;

		/* Who waits for another outcome of a read waits for what conflicts with it. */
		bool looks = s && (s->polls || s->op == LEARN_PARK);

		if (blocked && !stores && !looks)
			more |= who_unblocks(x->m, x->c, p, s);
		if (!blocked || looks || stores || (x->ends >> p & 1))
			more |= meets_of(x, p);
		more &= x->live & ~set;
		set |= more;
		todo = (todo & (todo - 1)) | more;
	}
	assert((set >> t & 1) && !(set & ~(x->live | UINT64_C(1) << t)));
	return set;
}

static size_t actions_in(const struct around *x, uint64_t set)
{
	size_t n = 0;

	for (; set; set &= set - 1) {
		uint32_t t = (uint32_t)__builtin_ctzll(set);

		n += x->first[t + 1] - x->first[t];
	}
	return n;
}

/* Leaves those of the set. */
static void keep_set(const struct around *x, uint64_t set, struct choose_actions *out)
{
	uint32_t n = (uint32_t)x->m->l->threads.count;
	size_t kept = x->first[0];

	for (uint32_t t = 0; t < n; t++)
		for (size_t i = x->first[t]; (set >> t & 1) && i < x->first[t + 1]; i++)
			out->items[kept++] = out->items[i];
	out->count = kept;
}

/*
 * Whether nothing is known of the thread beyond its beginning.  The sooner it is learned, the more
 * footprints say, and a thread that a limit stops has not gone on for long before.
 */
static bool is_stranger(const struct machine *m, machine_config *c, uint32_t t)
{
	const struct machine_thread *x = machine_thread(m, c, t);

	return x->pos == 0 && x->node == m->l->threads.items[t].root && x->state == MACHINE_LIVE &&
	       m->l->nodes.items[x->node].steps.count == 1;
}

/* Who has just moved most likely goes on: what it does next is often its own affair. */
static bool find_any_single(const struct machine *m, machine_config *c, uint32_t first,
			    struct machine_action *a)
{
	uint32_t n = (uint32_t)m->l->threads.count;

	for (uint32_t t = 0; t < n; t++)
		if (is_stranger(m, c, t) && find_single(m, c, t, a))
			return true;
	if (find_single(m, c, first, a))
		return true;
	for (uint32_t t = 0; t < n; t++)
		if (t != first && find_single(m, c, t, a))
			return true;
	return false;
}

static void choose_set(const struct machine *m, machine_config *c, struct choose_actions *out)
{
	struct around x = {.m = m, .c = c};
	size_t best = SIZE_MAX;
	uint64_t smallest;

	look_around(&x, out);
	smallest = x.live;
	for (uint32_t t = 0; t < m->l->threads.count; t++) {
		uint64_t set;

		if (x.first[t] == x.first[t + 1])
			continue;
		set = close_set(&x, t);
		if (actions_in(&x, set) < best) {
			best = actions_in(&x, set);
			smallest = set;
		}
	}
	keep_set(&x, smallest, out);
}

void choose_actions(const struct machine *m, machine_config *c, uint32_t thread,
		    struct choose_actions *out)
{
	struct machine_action a;

	if (find_any_single(m, c, thread, &a)) {
		/* Who ends the process ends it for all; several may be about to. */
		if (a.kind == MACHINE_RUN && machine_step(m, c, a.thread)->op == LEARN_EXIT)
			choose_all(m, c, out);
		else
			vec_push(out, a);
		return;
	}
	if (m->l->threads.count > SMALL_SET)
		choose_all(m, c, out);
	else
		choose_set(m, c, out);
}
