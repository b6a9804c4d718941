#include "explore/past.h"

#include <assert.h>

void past_init(struct past *p)
{
	struct past_node zero = {0};

	*p = (struct past){.capacity = 256};
	p->table = xcalloc(p->capacity, sizeof(*p->table));
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
	free(p->table);
}

static size_t place(const struct past *p, uint32_t parent, uint64_t value)
{
	uint64_t h =
		(value + 1) * UINT64_C(0x9e3779b97f4a7c15) ^ parent * UINT64_C(0xc2b2ae3d27d4eb4f);
	size_t at = (h ^ h >> 29) & (p->capacity - 1);

	while (p->table[at]) {
		const struct past_node *n = &p->nodes.items[p->table[at]];

		if (n->parent == parent && n->value == value)
			break;
		at = (at + 1) & (p->capacity - 1);
	}
	return at;
}

static void grow(struct past *p)
{
	free(p->table);
	p->capacity *= 2;
	p->table = xcalloc(p->capacity, sizeof(*p->table));
	for (uint32_t i = 1; i < p->nodes.count; i++) {
		if (p->nodes.items[i].parent)
			p->table[place(p, p->nodes.items[i].parent, p->nodes.items[i].value)] = i;
	}
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
	struct past_node n = {.thread = thread, .value = value};
	size_t at;

	n.parent = from ? from : past_root(p, thread);
	n.depth = p->nodes.items[n.parent].depth + 1;
	if (p->used * 2 >= p->capacity)
		grow(p);
	at = place(p, n.parent, value);
	if (!p->table[at]) {
		p->table[at] = (uint32_t)p->nodes.count;
		p->used++;
		vec_push(&p->nodes, n);
	}
	return p->table[at];
}

uint32_t past_look(const struct past *p, uint32_t from, uint64_t value)
{
	return p->table[place(p, from, value)];
}

bool past_covers(const struct past *p, uint32_t node, uint32_t below)
{
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
