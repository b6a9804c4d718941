#include "memo/cache.h"

#include <assert.h>
#include <string.h>

void memo_cache_init(struct memo_cache *c)
{
	memset(c, 0, sizeof(*c));
	c->next_id = 1;
}

void memo_schedule_free(struct memo_schedule *s)
{
	free(s->items);
	*s = (struct memo_schedule){0};
}

static void entry_free(struct memo_entry *e)
{
	memo_terms_free(&e->conditions);
	memo_schedule_free(&e->schedule);
}

void memo_cache_free(struct memo_cache *c)
{
	for (size_t n = 0; n < c->nodes.count; n++) {
		struct memo_node *node = &c->nodes.items[n];

		for (size_t i = 0; i < node->entries.count; i++)
			entry_free(&node->entries.items[i]);
		vec_free(&node->entries);
	}
	vec_free(&c->nodes);
}

bool memo_schedule_equal(const struct memo_schedule *a, const struct memo_schedule *b)
{
	return a->count == b->count &&
	       (!a->count || !memcmp(a->items, b->items, a->count * sizeof(*a->items)));
}

static void schedule_copy(struct memo_schedule *to, const struct memo_schedule *from)
{
	*to = (struct memo_schedule){0};
	vec_reserve(to, from->count);
	if (from->count)
		memcpy(to->items, from->items, from->count * sizeof(*from->items));
	to->count = from->count;
	assert(memo_schedule_equal(to, from));
}

#define COPY(to, from)                                                                             \
	do {                                                                                       \
		vec_reserve((to), (from)->count);                                                  \
		if ((from)->count)                                                                 \
			memcpy((to)->items, (from)->items,                                         \
			       (from)->count * sizeof(*(from)->items));                            \
		(to)->count = (from)->count;                                                       \
	} while (0)

void memo_terms_copy(struct memo_terms *to, const struct memo_terms *from)
{
	*to = (struct memo_terms){0};
	COPY(&to->inputs, &from->inputs);
	COPY(&to->terms, &from->terms);
	COPY(&to->roots, &from->roots);
}

#define SAME(a, b)                                                                                 \
	((a)->count == (b)->count &&                                                               \
	 (!(a)->count || !memcmp((a)->items, (b)->items, (a)->count * sizeof(*(a)->items))))

bool memo_terms_equal(const struct memo_terms *a, const struct memo_terms *b)
{
	return SAME(&a->inputs, &b->inputs) && SAME(&a->terms, &b->terms) &&
	       SAME(&a->roots, &b->roots);
}

/* ---- adding ---- */

static bool implies(const struct memo_terms *a, const struct memo_terms *b, memo_implies_fn fn,
		    void *arg)
{
	if (memo_terms_equal(a, b) || !b->roots.count)
		return true;
	return fn && fn(arg, a, b) == 1;
}

static uint32_t new_node(struct memo_cache *c)
{
	struct memo_node n = {VEC_INIT};

	vec_push(&c->nodes, n);
	return (uint32_t)c->nodes.count - 1;
}

/* Conditions that speak of different inputs are not the same; asking is dear. */
static bool same_inputs(const struct memo_terms *a, const struct memo_terms *b)
{
	if (a->inputs.count != b->inputs.count)
		return false;
	for (size_t i = 0; i < a->inputs.count; i++) {
		bool found = false;

		for (size_t k = 0; k < b->inputs.count && !found; k++)
			found = memo_input_equal(&a->inputs.items[i], &b->inputs.items[k]);
		if (!found)
			return false;
	}
	return true;
}

/* How many entries of the node have the same conditions. */
static unsigned equals(const struct memo_node *n, const struct memo_terms *t, memo_implies_fn fn,
		       void *arg)
{
	unsigned count = 0;

	if (n->entries.count < MEMO_BACKUPS)
		return 0;
	for (size_t i = 0; i < n->entries.count; i++)
		count += same_inputs(&n->entries.items[i].conditions, t) &&
			 implies(&n->entries.items[i].conditions, t, fn, arg) &&
			 implies(t, &n->entries.items[i].conditions, fn, arg);
	return count;
}

/*
 * The entry of the node that makes the part needless: the same order, under conditions at least as
 * wide.  Whether the run ends there must agree.
 */
static struct memo_entry *serves(struct memo_node *n, const struct memo_part *p, bool last,
				 memo_implies_fn fn, void *arg)
{
	for (size_t i = 0; i < n->entries.count; i++) {
		struct memo_entry *e = &n->entries.items[i];

		if ((e->child == MEMO_NONE) == last &&
		    memo_schedule_equal(&e->schedule, &p->schedule) &&
		    implies(&p->conditions, &e->conditions, fn, arg))
			return e;
	}
	return NULL;
}

static struct memo_entry *append(struct memo_cache *c, uint32_t node, const struct memo_part *p,
				 const struct memo_entry *about, bool last)
{
	struct memo_entry e = {.child = MEMO_NONE};

	assert(node < c->nodes.count && c->next_id > 0);
	if (last) {
		e = *about;
		e.child = MEMO_NONE;
		e.id = c->next_id++;
	} else {
		e.child = new_node(c);
	}
	/* A tree: nodes come after their parents, and a leaf has the number of its plan. */
	assert(last ? e.id > 0 : e.child > node && !e.id);
	memo_terms_copy(&e.conditions, &p->conditions);
	schedule_copy(&e.schedule, &p->schedule);
	vec_push(&c->nodes.items[node].entries, e);
	return &vec_last(&c->nodes.items[node].entries);
}

uint32_t memo_cache_insert(struct memo_cache *c, const struct memo_part *parts, size_t count,
			   const struct memo_entry *about, memo_implies_fn fn, void *arg)
{
	uint32_t node = c->nodes.count ? 0 : new_node(c);
	struct memo_entry *e = NULL;

	for (size_t i = 0; i < count; i++) {
		struct memo_node *n = &c->nodes.items[node];
		bool last = i + 1 == count;

		assert(node < c->nodes.count);
		e = serves(n, &parts[i], last, fn, arg);
		/* A plan that is racy must not stand for one that is not. */
		if (e && last && e->races && !about->races)
			e = NULL;
		if (!e && equals(n, &parts[i].conditions, fn, arg) >= MEMO_BACKUPS)
			return 0;
		if (!e)
			e = append(c, node, &parts[i], about, last);
		node = e->child;
	}
	assert(!e || (e->child == MEMO_NONE && e->id > 0 && e->id < c->next_id));
	return e ? e->id : 0;
}

/* ---- looking up ---- */

/* An order that is bad for this input is so whatever else it was remembered for. */
static bool known_bad(const struct memo_node *n, const struct memo_entry *e,
		      const struct memo_given *given)
{
	for (size_t i = 0; i < n->entries.count; i++) {
		const struct memo_entry *x = &n->entries.items[i];

		if (x->label == MEMO_BAD && memo_schedule_equal(&x->schedule, &e->schedule) &&
		    memo_terms_hold(&x->conditions, given))
			return true;
	}
	return false;
}

static bool usable(const struct memo_node *n, const struct memo_entry *e,
		   const struct memo_given *given)
{
	return !e->races && memo_terms_hold(&e->conditions, given) && !known_bad(n, e, given);
}

static bool find_from(const struct memo_cache *c, uint32_t node, const struct memo_given *given,
		      struct memo_plan *out)
{
	const struct memo_node *n = &c->nodes.items[node];

	assert(node < c->nodes.count);
	if (out->count == sizeof(out->path) / sizeof(out->path[0]))
		return false;
	for (size_t i = 0; i < n->entries.count; i++) {
		const struct memo_entry *e = &n->entries.items[i];

		if (!usable(n, e, given))
			continue;
		out->path[out->count++] = e;
		assert(e->child == MEMO_NONE || e->child > node);
		if (e->child == MEMO_NONE || find_from(c, e->child, given, out))
			return true;
		out->count--;
	}
	return false;
}

bool memo_cache_find(const struct memo_cache *c, const struct memo_given *given,
		     struct memo_plan *out)
{
	out->count = 0;
	return c->nodes.count && find_from(c, 0, given, out);
}

struct memo_entry *memo_cache_plan(struct memo_cache *c, uint32_t id)
{
	for (size_t n = 0; id && n < c->nodes.count; n++)
		for (size_t i = 0; i < c->nodes.items[n].entries.count; i++)
			if (c->nodes.items[n].entries.items[i].id == id)
				return &c->nodes.items[n].entries.items[i];
	return NULL;
}

/* Rates as fractions, without dividing; who was never tried stands before who failed. */
static bool better(const struct memo_entry *a, const struct memo_entry *b)
{
	unsigned __int128 x = (unsigned __int128)(a->successes + 1) * (b->hits + 1);
	unsigned __int128 y = (unsigned __int128)(b->successes + 1) * (a->hits + 1);

	return x > y;
}

/* Stable: equal rates keep the order of learning. */
static void sort(struct memo_node *n)
{
	for (size_t i = 1; i < n->entries.count; i++)
		for (size_t k = i; k && better(&n->entries.items[k], &n->entries.items[k - 1]);
		     k--) {
			struct memo_entry e = n->entries.items[k];

			n->entries.items[k] = n->entries.items[k - 1];
			n->entries.items[k - 1] = e;
		}
}

void memo_cache_used(struct memo_cache *c, uint32_t id, bool well)
{
	struct memo_entry *e = memo_cache_plan(c, id);

	if (!e)
		return;
	assert(e->successes <= e->hits && e->child == MEMO_NONE);
	e->hits++;
	e->successes += well;
	for (size_t n = 0; n < c->nodes.count; n++)
		sort(&c->nodes.items[n]);
}

/* ---- all plans ---- */

static void each_from(const struct memo_cache *c, uint32_t node, struct memo_plan *p,
		      void (*visit)(void *arg, const struct memo_plan *plan), void *arg)
{
	const struct memo_node *n = &c->nodes.items[node];

	assert(node < c->nodes.count);
	if (p->count == sizeof(p->path) / sizeof(p->path[0]))
		return;
	for (size_t i = 0; i < n->entries.count; i++) {
		p->path[p->count++] = &n->entries.items[i];
		if (n->entries.items[i].child == MEMO_NONE)
			visit(arg, p);
		else
			each_from(c, n->entries.items[i].child, p, visit, arg);
		p->count--;
	}
}

void memo_cache_each(const struct memo_cache *c,
		     void (*visit)(void *arg, const struct memo_plan *plan), void *arg)
{
	struct memo_plan p = {.count = 0};

	if (c->nodes.count)
		each_from(c, 0, &p, visit, arg);
}

struct merging {
	struct memo_cache *to;
	memo_implies_fn implies;
	void *arg;
};

static void merge_plan(void *arg, const struct memo_plan *plan)
{
	struct merging *m = arg;
	struct memo_part parts[sizeof(plan->path) / sizeof(plan->path[0])];
	const struct memo_entry *last = plan->path[plan->count - 1];
	struct memo_entry *e;
	uint32_t id, fresh = m->to->next_id;

	assert(plan->count > 0 && last->child == MEMO_NONE);
	for (uint32_t i = 0; i < plan->count; i++) {
		parts[i].conditions = plan->path[i]->conditions;
		parts[i].schedule = plan->path[i]->schedule;
	}
	id = memo_cache_insert(m->to, parts, plan->count, last, m->implies, m->arg);
	e = memo_cache_plan(m->to, id);
	if (!e || id >= fresh)
		return;
	e->hits += last->hits;
	e->successes += last->successes;
	/* Somebody's bad is everybody's: it is never used again. */
	if (last->label == MEMO_BAD || e->label == MEMO_UNKNOWN)
		e->label = last->label;
}

int memo_cache_merge(struct memo_cache *c, const struct memo_cache *from, memo_implies_fn fn,
		     void *arg, struct err *e)
{
	struct merging m = {c, fn, arg};

	if (memcmp(c->build, from->build, sizeof(c->build)))
		return err_set(e, ERR_MISMATCH, "the caches are of different programs");
	if (c->slicing != from->slicing)
		return err_set(e, ERR_MISMATCH, "the caches were made with different slicing");
	memo_cache_each(from, merge_plan, &m);
	for (size_t n = 0; n < c->nodes.count; n++)
		sort(&c->nodes.items[n]);
	return 0;
}

/* ---- checked ---- */

static int check_entry(const struct memo_cache *c, size_t node, const struct memo_entry *x,
		       struct err *e)
{
	const struct memo_schedule *s = &x->schedule;

	if (x->label >= MEMO_LABELS || x->successes > x->hits)
		return err_set(e, ERR_FORMAT, "an entry of node %zu makes no sense", node);
	/* Children come behind their parents: there is no way round in circles. */
	if (x->child != MEMO_NONE && (x->child <= node || x->child >= c->nodes.count))
		return err_set(e, ERR_FORMAT, "node %zu leads to node %u", node, x->child);
	if ((x->child == MEMO_NONE) != (x->id != 0) || x->id >= c->next_id)
		return err_set(e, ERR_FORMAT, "a plan of node %zu has number %u", node, x->id);
	for (size_t i = 0; i < s->count; i++)
		if (s->items[i].hold > UINT32_C(1) << 30 || s->items[i].tid > UINT32_C(1) << 20)
			return err_set(e, ERR_FORMAT, "operation %zu makes no sense", i);
	return memo_terms_check(&x->conditions, e);
}

int memo_cache_check(const struct memo_cache *c, struct err *e)
{
	uint8_t *parents = xcalloc(c->nodes.count + 1, 1);
	int rc = c->slicing < MEMO_SLICINGS ? 0 : err_set(e, ERR_FORMAT, "unknown slicing");

	for (size_t n = 0; n < c->nodes.count && !rc; n++)
		for (size_t i = 0; i < c->nodes.items[n].entries.count && !rc; i++) {
			const struct memo_entry *x = &c->nodes.items[n].entries.items[i];

			rc = check_entry(c, n, x, e);
			if (!rc && x->child != MEMO_NONE && parents[x->child]++)
				rc = err_set(e, ERR_FORMAT, "node %u has two parents", x->child);
		}
	free(parents);
	return rc;
}
