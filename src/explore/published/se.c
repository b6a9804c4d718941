#include "explore/published/se.h"

static bool contains(const struct solve_seed *s, uint32_t e)
{
	for (size_t i = 0; i < s->count; i++) {
		if (s->items[i] == e)
			return true;
	}
	return false;
}

/* The event that releases what event l took, UINT32_MAX when the history has none. */
static uint32_t release_of(const struct solve_history *h, uint32_t l)
{
	uint32_t best = UINT32_MAX;

	for (uint32_t i = 0; i < h->count; i++) {
		const struct solve_event *e = &h->items[i];

		if (e->op == SOLVE_UNLOCK && e->object == h->items[l].object &&
		    e->thread == h->items[l].thread && e->index > h->items[l].index &&
		    (best == UINT32_MAX || e->index < h->items[best].index))
			best = i;
	}
	return best;
}

static void append_up_to(const struct solve_history *h, struct solve_seed *s, uint32_t last)
{
	for (uint32_t i = 0; i < h->count; i++) {
		const struct solve_event *e = &h->items[i];

		if (e->thread == h->items[last].thread && e->index <= h->items[last].index &&
		    !contains(s, i))
			vec_push(s, i);
	}
}

/* A copy of the seed in which every lock taken is released. */
static void extend(const struct solve_history *h, const struct solve_seed *s,
		   struct solve_seed *out)
{
	vec_clear(out);
	for (size_t i = 0; i < s->count; i++)
		vec_push(out, s->items[i]);
	for (size_t i = 0; i < s->count; i++) {
		uint32_t u;

		if (h->items[s->items[i]].op != SOLVE_LOCK)
			continue;
		u = release_of(h, s->items[i]);
		if (u != UINT32_MAX && !contains(out, u))
			append_up_to(h, out, u);
	}
}

struct cell {
	uint64_t object, value;
};

struct memory {
	VEC_FIELDS(struct cell);
};

static uint64_t *cell(const struct se_world *w, struct memory *m, uint64_t object)
{
	struct cell new = {.object = object};

	for (size_t i = 0; i < m->count; i++) {
		if (m->items[i].object == object)
			return &m->items[i].value;
	}
	new.value = w->initial(w->arg, object);
	vec_push(m, new);
	return &vec_last(m).value;
}

/* Performs a, then what b adds.  False when a read that matters has not its value. */
static bool simulate(const struct se_world *w, const struct se_seed *ends[2],
		     const struct solve_seed *a, const struct solve_seed *b, struct memory *m)
{
	for (size_t i = 0; i < a->count + b->count; i++) {
		uint32_t at = i < a->count ? a->items[i] : b->items[i - a->count];
		const struct solve_event *e = &w->h->items[at];
		bool target = at == ends[0]->target || at == ends[1]->target;
		uint64_t want = e->value;

		if ((i >= a->count && contains(a, at)) || e->op > SOLVE_RMW)
			continue;
		if (target)
			want = at == ends[0]->target ? ends[0]->value : ends[1]->value;
		if (solve_event_reads(e) && (target || w->strong) && *cell(w, m, e->object) != want)
			return false;
		if (e->writes && !target)
			*cell(w, m, e->object) = e->written;
	}
	return true;
}

static bool same_memory(const struct se_world *w, struct memory *a, struct memory *b)
{
	for (size_t i = 0; i < a->count; i++) {
		if (*cell(w, b, a->items[i].object) != a->items[i].value)
			return false;
	}
	for (size_t i = 0; i < b->count; i++) {
		if (*cell(w, a, b->items[i].object) != b->items[i].value)
			return false;
	}
	return true;
}

/* Appends the events of s that are not in `without', by name. */
static void add_rest(const struct se_world *w, const struct solve_seed *s,
		     const struct solve_seed *without, struct se_steps *rest)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct solve_event *e = &w->h->items[s->items[i]];
		struct solve_step step = {e->thread, e->index};

		if (!contains(without, s->items[i]))
			vec_push(rest, step);
	}
}

bool se_equivalent(const struct se_world *w, const struct se_seed *a, const struct se_seed *b,
		   struct se_steps *rest)
{
	const struct se_seed *ends[2] = {a, b};
	struct solve_seed x = VEC_INIT, y = VEC_INIT;
	struct memory m = VEC_INIT, n = VEC_INIT;
	bool same;

	extend(w->h, &a->events, &x);
	extend(w->h, &b->events, &y);
	/* What an atomic target writes for its new value is not known. */
	same = w->h->items[a->target].op != SOLVE_RMW && w->h->items[b->target].op != SOLVE_RMW &&
	       !contains(&x, b->target) && !contains(&y, a->target) &&
	       simulate(w, ends, &x, &y, &m) && simulate(w, ends, &y, &x, &n) &&
	       (!w->strong || same_memory(w, &m, &n));
	if (same) {
		/* What a was extended by is still to be done when a itself is over. */
		add_rest(w, &x, &a->events, rest);
		add_rest(w, &y, &x, rest);
	}
	vec_free(&x);
	vec_free(&y);
	vec_free(&m);
	vec_free(&n);
	return same;
}
