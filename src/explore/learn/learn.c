#include "explore/learn/learn.h"

#include <assert.h>

#define UNSETTLED UINT32_MAX /* footprint of a step that is new */

void learn_init(struct learn *l)
{
	struct learn_node none = {.parent = 0};

	memset(l, 0, sizeof(*l));
	l->clash[0] = l->clash[1] = UINT32_MAX;
	foot_init(&l->foot);
	intern_init(&l->sets);
	learn_fds_init(&l->fds);
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
	learn_fds_fini(&l->fds);
	free(l->table);
}

static uint32_t new_node(struct learn *l, uint32_t parent, uint32_t thread, uint64_t value)
{
	struct learn_node n = {.parent = parent, .thread = thread, .value = value};

	assert(parent < l->nodes.count && l->nodes.count < UINT32_MAX);
	assert(!parent || l->nodes.items[parent].thread == thread);
	n.depth = parent ? l->nodes.items[parent].depth + 1 : 0;
	vec_push(&l->nodes, n);
	return (uint32_t)l->nodes.count - 1;
}

uint32_t learn_thread(struct learn *l, uint32_t parent, uint32_t child_index, uint64_t start)
{
	struct learn_thread t = {.parent = parent, .child_index = child_index, .start = start};

	for (uint32_t i = 0; i < l->threads.count; i++)
		if (l->threads.items[i].parent == parent &&
		    l->threads.items[i].child_index == child_index &&
		    l->threads.items[i].start == start)
			return i;
	assert((parent == LEARN_NONE) == (l->threads.count == 0) || parent < l->threads.count);
	t.root = new_node(l, 0, (uint32_t)l->threads.count, 0);
	vec_push(&l->threads, t);
	return (uint32_t)l->threads.count - 1;
}

/* ---- children ---- */

static size_t first_place(const struct learn *l, uint32_t node, uint64_t value)
{
	return intern_hash(node, value) & (l->capacity - 1);
}

static size_t place_of(const struct learn *l, uint32_t node, uint64_t value)
{
	size_t at = first_place(l, node, value);

	assert(l->used < l->capacity); /* otherwise the walk does not end */
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
	assert(l->used * 2 <= l->capacity);
	free(old);
}

uint64_t learn_probes(const struct learn *l)
{
	uint64_t probes = 0;

	for (size_t at = 0; at < l->capacity; at++) {
		const struct learn_node *n = &l->nodes.items[l->table[at]];

		if (l->table[at])
			probes += (at - first_place(l, n->parent, n->value)) & (l->capacity - 1);
	}
	return probes;
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
	/* Only what reads, the last step of its node, has outcomes. */
	assert(node && l->nodes.items[node].steps.count);
	assert(learn_reads(&vec_last(&l->nodes.items[node].steps)));
	child = new_node(l, node, thread, value);
	l->table[place_of(l, node, value)] = child;
	l->used++;
	return child;
}

/* ---- growing ---- */

static bool same(const struct learn_step *a, const struct learn_step *b)
{
	if (a->op != b->op || a->object != b->object || a->tix != b->tix ||
	    ((a->flags ^ b->flags) & (LEARN_ATOMIC | LEARN_TIMED | LEARN_THROUGH | LEARN_GLUED)))
		return false;
	if ((a->flags | b->flags) & LEARN_ANNOUNCED)
		return true;
	return a->other == b->other && a->offset == b->offset && a->size == b->size &&
	       a->value == b->value;
}

static int mismatch(struct learn *l, const struct learn_step *known, const struct learn_step *s,
		    uint32_t thread, struct err *e)
{
	l->clash[0] = s->site;
	l->clash[1] = known->site;
	return err_set(e, ERR_MISMATCH,
		       "thread %u did not do what it did before after reading the same values: "
		       "something that heddle does not see has an influence on it",
		       thread);
}

static void keep_fork(struct learn *l, struct learn_cursor at, const struct learn_step *s)
{
	assert(s->op != LEARN_FORK || s->other < l->threads.count);
	if (s->op == LEARN_FORK)
		vec_push(&l->threads.items[s->other].forks, at);
}

static void overwrite(struct learn_step *known, const struct learn_step *s)
{
	uint32_t future = known->future;
	uint8_t leads = known->flags & LEARN_LEADS;
	uint32_t classes = known->classes;

	assert((known->flags & LEARN_ANNOUNCED) && !(s->flags & LEARN_ANNOUNCED));
	*known = *s;
	known->future = future;
	known->flags |= leads;
	if (leads)
		known->classes = classes;
}

/* How far a string goes differs: the step touches what any of them touched. */
static void reach_further(struct learn *l, struct learn_step *known, const struct learn_step *s)
{
	uint32_t classes = foot_union(&l->foot, known->classes, s->classes);

	l->version += classes != known->classes;
	known->classes = classes;
	/* Adding may move the elements. */
	for (uint32_t i = 0; i < intern_count(&l->sets, s->objects); i++)
		known->objects = intern_add(&l->sets, known->objects,
					    intern_elements(&l->sets, s->objects)[i]);
}

/* Who did not look for such accesses has to begin anew. */
static void note_size(struct learn *l, const struct learn_step *s)
{
	uint32_t bytes = s->size;

	if (s->op == LEARN_READ_BYTES || s->op == LEARN_WRITE_BYTES || s->op == LEARN_READ_STRING)
		bytes = s->value < UINT32_MAX ? (uint32_t)s->value : UINT32_MAX;
	if (l->tears || !learn_may_tear(s, bytes))
		return;
	l->tears = true;
	l->version++;
}

static int follow(struct learn *l, const struct learn_cursor *c, const struct learn_step *s,
		  struct err *e)
{
	struct learn_node *n = &l->nodes.items[c->node];
	struct learn_step *known;

	assert(c->node && c->node < l->nodes.count && c->pos <= n->steps.count);
	assert(s->op < LEARN_OPS);
	note_size(l, s);
	l->moves |= s->op == LEARN_READ_STRING || (s->flags & LEARN_LEADS);
	if (c->pos == n->steps.count) {
		/* Nothing follows in a node what leads to others. */
		assert(!c->pos || !learn_reads(&vec_last(&n->steps)));
		vec_push(&n->steps, *s);
		vec_last(&n->steps).future = UNSETTLED;
		keep_fork(l, *c, s);
		return 0;
	}
	known = &n->steps.items[c->pos];
	if (!same(known, s))
		return mismatch(l, known, s, n->thread, e);
	if (s->op == LEARN_READ_STRING)
		reach_further(l, known, s);
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

void learn_lead(struct learn *l, struct learn_cursor c, const struct learn_step *glued)
{
	struct learn_step *s = &l->nodes.items[c.node].steps.items[c.pos];
	uint32_t both;

	assert(c.pos < l->nodes.items[c.node].steps.count);
	assert(glued->flags & LEARN_GLUED);
	both = foot_union(&l->foot, s->classes, glued->classes);
	/* Sets were chosen with less in mind. */
	l->version += both != s->classes || !(s->flags & LEARN_LEADS);
	s->classes = both;
	s->flags |= LEARN_LEADS;
	l->moves = true;
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

	assert(c->pos > 0 && c->pos == l->nodes.items[c->node].steps.count);
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

	assert(at.node && at.pos < n->steps.count);
	if (at.pos + 1 < n->steps.count)
		print = foot_future(&l->foot, print, n->steps.items[at.pos + 1].future);
	for (;;) {
		struct learn_step *s = &n->steps.items[at.pos];
		uint32_t now = foot_future(&l->foot, s->classes, print);

		if (s->future != UNSETTLED)
			now = foot_future(&l->foot, now, s->future);
		if (now == s->future)
			return;
		/* Footprints only grow.  Nobody has relied on that of a new step. */
		assert(foot_covers(&l->foot, now, s->classes));
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

/* The read that led to the node, when it is alone in its round and can be one to wait with. */
static struct learn_step *lone_read(struct learn *l, const struct learn_node *n, uint32_t begin)
{
	struct learn_node *before = &l->nodes.items[n->parent];
	struct learn_step *read;

	if (!n->parent || !n->known || n->steps.items[0].op != LEARN_PARK ||
	    n->steps.items[0].value != 1)
		return NULL;
	read = &vec_last(&before->steps);
	assert(learn_reads(read));
	if ((read->flags & (LEARN_TIMED | LEARN_GLUED | LEARN_LEADS)) || read->tix < begin ||
	    (read->weak && n->value == learn_spurious(read->value)))
		return NULL;
	/* Nothing stands between the beginning of the round and the read. */
	if (before->steps.count > 1 && before->steps.items[before->steps.count - 2].tix >= begin)
		return NULL;
	return read;
}

bool learn_wait(struct learn *l, struct learn_cursor *c, uint32_t begin)
{
	struct learn_node *n = &l->nodes.items[c->node];
	struct learn_step *read = n->steps.count ? lone_read(l, n, begin) : NULL;

	if (!read || c->pos > 1)
		return false;
	/* Nobody comes by here again: the cursor goes on before it. */
	settle_from(l, (struct learn_cursor){c->node, 0}, 0);
	assert(n->steps.count == 1);
	n->waits = read->polls = true;
	*c = (struct learn_cursor){n->parent, (uint32_t)l->nodes.items[n->parent].steps.count - 1};
	return true;
}

/* Steps that, in a round that wrote nothing, leave threads and memory as they were. */
static bool leaves_nothing(const struct learn_step *s)
{
	switch (s->op) {
	case LEARN_READ:
	case LEARN_RMW:
	case LEARN_READ_BYTES:
	case LEARN_READ_STRING:
	case LEARN_TRYLOCK:
	case LEARN_TRYRDLOCK:
	case LEARN_TRYWRLOCK:
	case LEARN_TRYTAKE:
	case LEARN_COUNT:
	case LEARN_LOCK:
	case LEARN_UNLOCK:
	case LEARN_FENCE:
	case LEARN_RELEASE:
		return !(s->flags & LEARN_TIMED);
	default:
		return false;
	}
}

/* The step before *c; NULL at the root. */
static const struct learn_step *step_back(const struct learn *l, struct learn_cursor *c)
{
	if (c->pos == 0) {
		c->node = l->nodes.items[c->node].parent;
		c->pos = (uint32_t)l->nodes.items[c->node].steps.count;
	}
	return c->pos ? &l->nodes.items[c->node].steps.items[--c->pos] : NULL;
}

bool learn_fold(struct learn *l, struct learn_cursor *c, uint32_t begin)
{
	struct learn_node *n = &l->nodes.items[c->node];
	struct learn_cursor park = *c, at, first;
	const struct learn_step *s;

	/* The cursor is behind the PARK, or at it when the thread only stands there. */
	if (!n->steps.count || vec_last(&n->steps).op != LEARN_PARK)
		return false;
	park.pos = (uint32_t)n->steps.count - 1;
	for (at = first = park; (s = step_back(l, &at)) && s->tix >= begin; first = at)
		if (!leaves_nothing(s))
			return false;
	if (first.node == park.node)
		return false; /* it has read nothing */
	n->steps.items[park.pos].vain = true;
	l->folded = true;
	/* Nobody comes by here again: the cursor goes on before it. */
	settle_from(l, park, 0);
	*c = first;
	return true;
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
