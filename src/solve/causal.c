#include "solve/causal.h"

#include <assert.h>

#include "solve/causal_priv.h"
#include "wire/ctl.h"

static void grow(struct causal_table *t)
{
	struct causal_table old = *t;

	t->capacity = old.capacity ? old.capacity * 2 : 64;
	t->slots = xmalloc(t->capacity * sizeof(*t->slots));
	t->used = 0;
	for (size_t i = 0; i < t->capacity; i++)
		t->slots[i].var = CAUSAL_NONE;
	for (size_t i = 0; i < old.capacity; i++) {
		if (old.slots[i].var != CAUSAL_NONE)
			*causal_table_get(t, old.slots[i].a, old.slots[i].b) = old.slots[i];
	}
	free(old.slots);
}

struct causal_slot *causal_table_get(struct causal_table *t, uint64_t a, uint64_t b)
{
	uint64_t h = (a * UINT64_C(0x9e3779b97f4a7c15)) ^ (b * UINT64_C(0xc2b2ae3d27d4eb4f));
	size_t at;

	if (t->used * 2 >= t->capacity)
		grow(t);
	at = (h ^ h >> 32) & (t->capacity - 1);
	while (t->slots[at].var != CAUSAL_NONE && (t->slots[at].a != a || t->slots[at].b != b))
		at = (at + 1) & (t->capacity - 1);
	assert(t->used < t->capacity);
	if (t->slots[at].var == CAUSAL_NONE) {
		/* The caller gives it a variable at once. */
		t->slots[at].a = a;
		t->slots[at].b = b;
		t->used++;
	}
	return &t->slots[at];
}

solve_lit causal_order(struct solve_causal *c, uint32_t a, uint32_t b)
{
	struct causal_slot *slot;
	bool swapped = a > b;

	assert(a < c->n && b < c->n);
	assert(a == b || !causal_before(c, a, b) || !causal_before(c, b, a));
	if (a == b || causal_before(c, b, a))
		return SOLVE_FALSE;
	if (causal_before(c, a, b))
		return SOLVE_TRUE;
	slot = causal_table_get(&c->orders, swapped ? b : a, swapped ? a : b);
	if (slot->var == CAUSAL_NONE)
		slot->var = solve_formula_order(&c->f, swapped ? b : a, swapped ? a : b);
	return swapped ? solve_not(solve_pos(slot->var)) : solve_pos(slot->var);
}

static bool accesses(const struct solve_event *e)
{
	return e->op <= SOLVE_RMW;
}

static int by_location(const void *a, const void *b, void *arg)
{
	const struct solve_event *events = arg;
	uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;

	if (accesses(&events[i]) != accesses(&events[k]))
		return accesses(&events[i]) ? -1 : 1;
	if (events[i].object != events[k].object)
		return events[i].object < events[k].object ? -1 : 1;
	return i < k ? -1 : i > k;
}

static uint32_t *numbers(uint32_t n)
{
	uint32_t *v = xcalloc((size_t)n + 1, sizeof(*v));

	for (uint32_t i = 0; i < n; i++)
		v[i] = i;
	return v;
}

static void group_accesses(struct solve_causal *c)
{
	uint32_t begin = 0;

	qsort_r(c->by_object, c->n, sizeof(uint32_t), by_location, (void *)c->events);
	for (uint32_t i = 0; i <= c->n; i++) {
		const struct solve_event *e = i < c->n ? &c->events[c->by_object[i]] : NULL;

		if (i > begin &&
		    (!e || !accesses(e) || e->object != c->events[c->by_object[begin]].object)) {
			for (uint32_t k = begin; k < i; k++) {
				c->group_begin[c->by_object[k]] = begin;
				c->group_end[c->by_object[k]] = i;
			}
			begin = i;
		}
		if (!e || !accesses(e))
			break;
	}
}

/* The newest write before each read in its own thread. */
static void find_own(struct solve_causal *c)
{
	for (uint32_t i = 0; i < c->n; i++) {
		uint32_t e = c->po[i];

		c->po_place[e] = i;
		c->own[e] = CAUSAL_NONE;
		if (!solve_event_reads(&c->events[e]))
			continue;
		assert(i == 0 || solve_history_order(&c->po[i - 1], &c->po[i], (void *)c->events) < 0);
		for (uint32_t k = i;
		     k-- > 0 && c->events[c->po[k]].thread == c->events[e].thread;) {
			const struct solve_event *w = &c->events[c->po[k]];

			if (accesses(w) && w->writes && w->object == c->events[e].object) {
				c->own[e] = c->po[k];
				break;
			}
		}
	}
}

struct solve_causal *solve_causal_new(const struct solve_event *events, uint32_t n,
				      const struct solve_causal_opts *o)
{
	struct solve_causal *c = xcalloc(1, sizeof(*c));

	c->events = events;
	c->n = n;
	c->o = *o;
	if (!wire_model_buffers(o->model))
		c->o.forwarding = false;
	c->po = numbers(n);
	c->by_object = numbers(n);
	c->po_place = numbers(n);
	c->own = numbers(n);
	c->extra = numbers(n);
	c->group_begin = xcalloc((size_t)n + 1, sizeof(uint32_t));
	c->group_end = xcalloc((size_t)n + 1, sizeof(uint32_t));
	c->pred_first = xcalloc((size_t)n + 1, sizeof(uint32_t));
	solve_history_sort(c->po, n, events);
	group_accesses(c);
	find_own(c);
	solve_formula_init(&c->f, n);
	for (uint32_t e = 0; e < n; e++)
		solve_formula_plain(&c->f, true);
	causal_encode_order(c);
	causal_encode_sync(c);
	if (o->depends)
		causal_encode_dependences(c);
	causal_encode_reads(c);
	c->backend = o->backend ? o->backend(&c->f) : solve_backend_order(&c->f);
	return c;
}

void solve_causal_free(struct solve_causal *c)
{
	if (!c)
		return;
	solve_backend_free(c->backend);
	solve_formula_fini(&c->f);
	solve_model_fini(&c->model);
	vec_free(&c->preds);
	vec_free(&c->assumptions);
	vec_free(&c->core);
	vec_free(&c->offered);
	free(c->pred_first);
	free(c->after);
	free(c->po);
	free(c->po_place);
	free(c->own);
	free(c->extra);
	free(c->kept);
	free(c->whole);
	free(c->by_object);
	free(c->group_begin);
	free(c->group_end);
	free(c->orders.slots);
	free(c->sources.slots);
	free(c->targets.slots);
	free(c);
}

static void read_seed(const struct solve_causal *c, uint32_t target, struct solve_seed *seed)
{
	uint32_t *at = xmalloc(((size_t)c->n + 1) * sizeof(*at));

	for (uint32_t e = 0; e < c->n; e++)
		at[c->model.ranks.items[e]] = e;
	vec_clear(seed);
	for (uint32_t rank = 0; rank < c->n; rank++) {
		uint32_t e = at[rank];

		assert(c->model.ranks.items[e] == rank);
		if (e == target || c->model.values.items[e])
			vec_push(seed, e);
	}
	free(at);
}

/* What the core says about must and avoid; the rest of it is the target and what always holds. */
static void read_conflict(const struct solve_causal *c, const struct solve_target *t)
{
	struct solve_conflict *k = t->conflict;

	vec_clear(&k->must);
	vec_clear(&k->avoid);
	k->lasting = true;
	for (size_t i = 0; i < c->core.count; i++) {
		solve_lit l = c->core.items[i];
		uint32_t e = solve_lit_var(l);

		if (e < c->n && e != t->event) {
			if (solve_lit_negated(l))
				vec_push(&k->avoid, e);
			else
				vec_push(&k->must, e);
		}
		/* A chain that lets reads see atomic targets may grow. */
		for (uint32_t r = 0; e >= c->n && r < c->n && k->lasting; r++)
			k->lasting = c->extra[r] != e;
	}
}

enum solve_answer solve_causal_ask(struct solve_causal *c, const struct solve_target *t,
				   struct solve_seed *seed)
{
	struct solve_question q = {.goal = t->goal, .budget = t->budget, .limit = t->limit};
	enum solve_answer a;
	solve_lit target;

	assert(t->event < c->n);
	vec_clear(&c->assumptions);
	target = causal_in(t->event);
	if (solve_event_reads(&c->events[t->event])) {
		target = causal_encode_target(c, t);
		vec_push(&c->assumptions, solve_not(causal_in(t->event)));
	}
	vec_push(&c->assumptions, target);
	for (uint32_t i = 0; i < t->must_count; i++)
		vec_push(&c->assumptions, causal_in(t->must[i]));
	for (uint32_t i = 0; i < t->avoid_count; i++)
		vec_push(&c->assumptions, solve_not(causal_in(t->avoid[i])));
	for (uint32_t e = 0; e < c->n; e++) {
		if (c->extra[e] != CAUSAL_NONE)
			vec_push(&c->assumptions, solve_not(solve_pos(c->extra[e])));
	}
	for (size_t i = 0; i < c->offered.count; i++) {
		if (c->offered.items[i] != target)
			vec_push(&c->assumptions, solve_not(c->offered.items[i]));
	}
	q.assumptions = c->assumptions.items;
	q.count = c->assumptions.count;
	assert(c->model.values.count <= c->f.vars.count);
	q.core = t->conflict ? &c->core : NULL;
	a = solve_ask(c->backend, &q, &c->model);
	if (a == SOLVE_SAT)
		read_seed(c, t->event, seed);
	else if (a == SOLVE_UNSAT && t->conflict)
		read_conflict(c, t);
	return a;
}

void solve_causal_values(struct solve_causal *c, uint32_t e, struct solve_values *out)
{
	vec_clear(out);
	vec_push(out, c->o.initial(c->o.arg, c->events[e].object));
	for (uint32_t i = c->group_begin[e]; i < c->group_end[e]; i++) {
		const struct solve_event *w = &c->events[c->by_object[i]];
		bool known = !w->writes;

		for (size_t k = 0; k < out->count && !known; k++)
			known = out->items[k] == w->written;
		if (!known)
			vec_push(out, w->written);
	}
}

bool solve_causal_before(const struct solve_causal *c, uint32_t a, uint32_t b)
{
	return causal_before(c, a, b);
}

/* In a set closed under predecessors, what is before another is a direct predecessor of one. */
void solve_causal_maximal(struct solve_causal *c, const uint32_t *events, uint32_t n,
			  struct solve_seed *out)
{
	uint8_t *covered = xcalloc((size_t)c->n + 1, 1);

	for (uint32_t i = 0; i < n; i++) {
		for (uint32_t k = c->pred_first[events[i]]; k < c->pred_first[events[i] + 1]; k++)
			covered[c->preds.items[k]] = 1;
	}
	for (uint32_t i = 0; i < n; i++) {
		if (!covered[events[i]])
			vec_push(out, events[i]);
	}
	free(covered);
}

uint32_t solve_causal_find(const struct solve_causal *c, struct solve_step name)
{
	uint32_t low = 0, high = c->n;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;
		const struct solve_event *e = &c->events[c->po[mid]];

		if (e->thread < name.thread || (e->thread == name.thread && e->index < name.index))
			low = mid + 1;
		else
			high = mid;
	}
	if (low == c->n || c->events[c->po[low]].thread != name.thread ||
	    c->events[c->po[low]].index != name.index)
		return CAUSAL_NONE;
	return c->po[low];
}

const struct solve_stats *solve_causal_stats(const struct solve_causal *c)
{
	return &c->backend->stats;
}

const struct solve_formula *solve_causal_formula(const struct solve_causal *c)
{
	return &c->f;
}
