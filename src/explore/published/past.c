#include "explore/published/past.h"

#include <assert.h>

void past_init(struct past *p)
{
	struct past_node zero = {0};

	*p = (struct past){.nodes = VEC_INIT};
	vec_push(&p->nodes, zero);
}

void past_fini(struct past *p)
{
	for (size_t i = 0; i < p->nodes.count; i++) {
		vec_free(&p->nodes.items[i].segment);
		vec_free(&p->nodes.items[i].states);
	}
	vec_free(&p->nodes);
	vec_free(&p->roots);
	lookup_fini(&p->children);
}

/* A child as it is looked for. */
struct child {
	uint32_t parent;
	uint64_t value;
};

static bool is_child(const void *items, uint32_t number, const void *key)
{
	const struct past_node *n = &((const struct past *)items)->nodes.items[number];
	const struct child *c = key;

	return n->parent == c->parent && n->value == c->value;
}

static uint64_t hash_child(const struct child *c)
{
	return lookup_mix(lookup_hash(&c->value, sizeof(c->value)), c->parent);
}

uint32_t past_root(struct past *p, uint32_t thread)
{
	struct past_node root = {.thread = thread};

	while (p->roots.count <= thread)
		vec_push(&p->roots, 0);
	if (!p->roots.items[thread]) {
		p->roots.items[thread] = (uint32_t)p->nodes.count;
		vec_push(&p->nodes, root);
	}
	return p->roots.items[thread];
}

uint32_t past_child(struct past *p, uint32_t from, uint32_t thread, uint64_t value)
{
	struct child key = {from ? from : past_root(p, thread), value};
	struct past_node n = {.parent = key.parent, .thread = thread, .value = value};
	uint32_t child = past_look(p, key.parent, value);

	if (child)
		return child;
	assert(p->nodes.items[key.parent].thread == thread);
	n.depth = p->nodes.items[key.parent].depth + 1;
	child = (uint32_t)p->nodes.count;
	lookup_add(&p->children, hash_child(&key), child);
	vec_push(&p->nodes, n);
	return child;
}

uint32_t past_look(const struct past *p, uint32_t from, uint64_t value)
{
	struct child key = {from, value};
	uint32_t child = lookup_find(&p->children, hash_child(&key), is_child, p, &key);

	return child == LOOKUP_NONE ? 0 : child;
}

bool past_covers(const struct past *p, uint32_t node, uint32_t below)
{
	assert(node < p->nodes.count && below < p->nodes.count);
	if (!node)
		return true;
	if (!below)
		return false;
	while (p->nodes.items[below].depth > p->nodes.items[node].depth)
		below = p->nodes.items[below].parent;
	return below == node;
}

/* Compares an event with the one known at this place, up to what its own read decides. */
static bool same(const struct solve_event *a, const struct solve_event *b)
{
	if (a->index != b->index || a->op != b->op || a->object != b->object)
		return false;
	return a->op != SOLVE_WRITE || a->written == b->written;
}

int past_follow(struct past *p, uint32_t thread, const struct solve_event *const *events, size_t n,
		uint32_t *node, struct err *e)
{
	uint32_t at = past_root(p, thread);
	size_t in = 0; /* place in the segment of at */

	for (size_t i = 0; i < n; i++) {
		struct past_node *here = &p->nodes.items[at];

		here->known = true;
		if (in == here->segment.count)
			vec_push(&here->segment, *events[i]);
		else if (!same(&here->segment.items[in], events[i]))
			return err_set(
				e, ERR_INTERNAL,
				"thread %u behaves differently after the same reads (event %u)",
				thread, events[i]->index);
		in++;
		if (!solve_event_reads(events[i]))
			continue;
		assert(events[i]->thread == thread);
		at = past_child(p, at, thread, events[i]->value);
		p->nodes.items[at].known = true;
		p->nodes.items[at].writes = events[i]->writes;
		p->nodes.items[at].written = events[i]->written;
		in = 0;
	}
	*node = p->nodes.items[at].depth ? at : 0;
	return 0;
}

void past_replay(struct past *p, uint32_t thread, uint32_t node, size_t n,
		 struct solve_history *out)
{
	struct past_list way = VEC_INIT;
	uint32_t at = node ? node : past_root(p, thread);

	for (uint32_t up = at; up; up = p->nodes.items[up].parent)
		vec_push(&way, up);
	for (size_t i = way.count; i-- > 0;) {
		const struct past_node *here = &p->nodes.items[way.items[i]];
		size_t count = i ? here->segment.count : n;

		assert(here->thread == thread && count <= here->segment.count);
		for (size_t k = 0; k < count; k++)
			vec_push(out, here->segment.items[k]);
		if (i) {
			const struct past_node *next = &p->nodes.items[way.items[i - 1]];
			struct solve_event *read = &out->items[out->count - 1];

			assert(solve_event_reads(read));
			read->value = next->value;
			read->writes = next->writes;
			read->written = next->written;
		}
	}
	vec_free(&way);
}
