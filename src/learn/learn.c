#include "learn/learn.h"

#define UNSETTLED UINT32_MAX /* footprint of a step that is new */

void learn_init(struct learn *l)
{
	struct learn_node none = {.parent = 0};

	memset(l, 0, sizeof(*l));
	foot_init(&l->foot);
	intern_init(&l->sets);
	vec_push(&l->nodes, none);
}

void learn_fini(struct learn *l)
{
	for (size_t i = 0; i < l->nodes.count; i++)
		vec_free(&l->nodes.items[i].steps);
	for (size_t i = 0; i < l->threads.count; i++)
		vec_free(&l->threads.items[i].forks);
	vec_free(&l->nodes);
	vec_free(&l->threads);
	vec_free(&l->objects);
	vec_free(&l->memory);
	vec_free(&l->data);
	foot_fini(&l->foot);
	intern_fini(&l->sets);
	free(l->table);
}

static uint32_t new_node(struct learn *l, uint32_t parent, uint32_t thread, uint64_t value)
{
	struct learn_node n = {.parent = parent, .thread = thread, .value = value};

	n.depth = parent ? l->nodes.items[parent].depth + 1 : 0;
	vec_push(&l->nodes, n);
	return (uint32_t)l->nodes.count - 1;
}

uint32_t learn_thread(struct learn *l, uint32_t parent, uint32_t child_index)
{
	struct learn_thread t = {.parent = parent, .child_index = child_index};

	for (uint32_t i = 0; i < l->threads.count; i++)
		if (l->threads.items[i].parent == parent &&
		    l->threads.items[i].child_index == child_index)
			return i;
	t.root = new_node(l, 0, (uint32_t)l->threads.count, 0);
	vec_push(&l->threads, t);
	return (uint32_t)l->threads.count - 1;
}

/* ---- children ---- */

static size_t place_of(const struct learn *l, uint32_t node, uint64_t value)
{
	size_t at = intern_hash(intern_hash(node, value), 1) & (l->capacity - 1);

	while (l->table[at]) {
		const struct learn_node *n = &l->nodes.items[l->table[at]];

		if (n->parent == node && n->value == value)
			break;
		at = (at + 1) & (l->capacity - 1);
	}
	return at;
}

static void grow(struct learn *l)
{
	uint32_t *old = l->table;
	size_t count = l->capacity;

	l->capacity = count ? count * 2 : 1024;
	l->table = xcalloc(l->capacity, sizeof(*l->table));
	for (size_t i = 0; i < count; i++) {
		const struct learn_node *n;

		if (!old[i])
			continue;
		n = &l->nodes.items[old[i]];
		l->table[place_of(l, n->parent, n->value)] = old[i];
	}
	free(old);
}

uint32_t learn_look(const struct learn *l, uint32_t node, uint64_t value)
{
	return l->capacity ? l->table[place_of(l, node, value)] : 0;
}

uint32_t learn_child(struct learn *l, uint32_t node, uint64_t value)
{
	uint32_t child = learn_look(l, node, value);
	uint32_t thread = l->nodes.items[node].thread;

	if (child)
		return child;
	if (l->used * 2 >= l->capacity)
		grow(l);
	child = new_node(l, node, thread, value);
	l->table[place_of(l, node, value)] = child;
	l->used++;
	return child;
}

/* ---- growing ---- */

static bool same(const struct learn_step *a, const struct learn_step *b)
{
	if (a->op != b->op || a->object != b->object || a->tix != b->tix ||
	    ((a->flags ^ b->flags) & (LEARN_ATOMIC | LEARN_TIMED | LEARN_THROUGH)))
		return false;
	if ((a->flags | b->flags) & LEARN_ANNOUNCED)
		return true;
	return a->other == b->other && a->offset == b->offset && a->size == b->size &&
	       a->value == b->value;
}

static int mismatch(const struct learn_step *known, const struct learn_step *s, uint32_t thread,
		    struct err *e)
{
	return err_set(e, ERR_MISMATCH,
		       "thread %u did something else (at sites %u and %u) after reading the same "
		       "values: code that is not instrumented, time or input has an influence on it",
		       thread, known->site, s->site);
}

static void keep_fork(struct learn *l, struct learn_cursor at, const struct learn_step *s)
{
	if (s->op == LEARN_FORK)
		vec_push(&l->threads.items[s->other].forks, at);
}

static void overwrite(struct learn_step *known, const struct learn_step *s)
{
	uint32_t future = known->future;

	*known = *s;
	known->future = future;
}

static int follow(struct learn *l, const struct learn_cursor *c, const struct learn_step *s,
		  struct err *e)
{
	struct learn_node *n = &l->nodes.items[c->node];
	struct learn_step *known;

	if (c->pos == n->steps.count) {
		vec_push(&n->steps, *s);
		vec_last(&n->steps).future = UNSETTLED;
		keep_fork(l, *c, s);
		return 0;
	}
	known = &n->steps.items[c->pos];
	if (!same(known, s))
		return mismatch(known, s, n->thread, e);
	if ((known->flags & LEARN_ANNOUNCED) && !(s->flags & LEARN_ANNOUNCED)) {
		overwrite(known, s);
		keep_fork(l, *c, s);
	}
	return 0;
}

int learn_follow(struct learn *l, struct learn_cursor *c, const struct learn_step *s, struct err *e)
{
	int rc = follow(l, c, s, e);

	c->pos++;
	return rc;
}

int learn_announce(struct learn *l, const struct learn_cursor *c, const struct learn_step *s,
		   struct err *e)
{
	struct learn_step announced = *s;

	announced.flags |= LEARN_ANNOUNCED;
	return follow(l, c, &announced, e);
}

void learn_outcome(struct learn *l, struct learn_cursor *c, uint64_t value, bool writes,
		   uint64_t written)
{
	struct learn_node *n;

	c->node = learn_child(l, c->node, value);
	c->pos = 0;
	n = &l->nodes.items[c->node];
	n->known = true;
	n->writes = writes;
	n->written = written;
}

/* ---- footprints ---- */

/*
 * From a step towards the root, as long as something grows.  print is what may come after it
 * besides the steps known to follow in its node.
 */
static void settle_from(struct learn *l, struct learn_cursor at, uint32_t print)
{
	struct learn_node *n = &l->nodes.items[at.node];

	if (at.pos + 1 < n->steps.count)
		print = foot_union(&l->foot, print, n->steps.items[at.pos + 1].future);
	for (;;) {
		struct learn_step *s = &n->steps.items[at.pos];
		uint32_t now = foot_union(&l->foot, s->classes, print);

		if (s->future != UNSETTLED)
			now = foot_union(&l->foot, now, s->future);
		if (now == s->future)
			return;
		/* Nobody has relied on the footprint of a new step. */
		l->version += s->future != UNSETTLED;
		s->future = print = now;
		if (at.pos-- > 0)
			continue;
		if (!n->parent)
			return;
		at.node = n->parent;
		n = &l->nodes.items[at.node];
		at.pos = (uint32_t)n->steps.count - 1;
	}
}

/* What a thread may do is part of what may follow where it is begun. */
static void settle_forks(struct learn *l, const struct learn_thread *t)
{
	const struct learn_node *root = &l->nodes.items[t->root];

	for (size_t i = 0; root->steps.count && i < t->forks.count; i++)
		settle_from(l, t->forks.items[i], root->steps.items[0].future);
}

void learn_settle(struct learn *l, const struct learn_cursor *ends, size_t n)
{
	for (size_t t = 0; t < n; t++) {
		struct learn_cursor c = ends[t];

		/* A read that has no known child yet is the end of its node. */
		while (c.node && l->nodes.items[c.node].steps.count == 0)
			c.node = l->nodes.items[c.node].parent;
		if (!c.node)
			continue;
		c.pos = (uint32_t)l->nodes.items[c.node].steps.count - 1;
		settle_from(l, c, 0);
	}
	for (size_t t = n; t-- > 0;)
		settle_forks(l, &l->threads.items[t]);
}
