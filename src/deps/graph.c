#include "deps/graph.h"

#include <assert.h>

void deps_graph_fini(struct deps_graph *g)
{
	vec_free(&g->edges);
	free(g->group);
	free(g->cyclic);
	free(g->first);
	free(g->to);
}

uint32_t deps_graph_node(struct deps_graph *g)
{
	return g->nodes++;
}

void deps_graph_edge(struct deps_graph *g, uint32_t from, uint32_t to)
{
	struct deps_edge e = {from, to};

	if (from != DEPS_NO_NODE && to != DEPS_NO_NODE && from != to)
		vec_push(&g->edges, e);
}

/* Edges by where they begin: targets of n are to[first[n]] .. to[first[n + 1]]. */
static void sort_edges(uint32_t nodes, const struct deps_edge *edges, size_t n, uint32_t **first,
		       uint32_t **to)
{
	*first = xcalloc((size_t)nodes + 2, sizeof(**first));
	*to = xcalloc(n + 1, sizeof(**to));
	for (size_t i = 0; i < n; i++)
		(*first)[edges[i].from + 2]++;
	for (uint32_t k = 0; k < nodes; k++)
		(*first)[k + 2] += (*first)[k + 1];
	for (size_t i = 0; i < n; i++)
		(*to)[(*first)[edges[i].from + 1]++] = edges[i].to;
}

/* Tarjan's search; groups are numbered as they are found complete, so after all they lead to. */
struct grouping {
	struct deps_graph *g;
	uint32_t *first, *to; /* of nodes */
	uint32_t *low, *index;
	uint32_t next;
	VEC(struct deps_edge) path; /* node, next edge */
	VEC(uint32_t) open;
};

static void enter(struct grouping *x, uint32_t n)
{
	struct deps_edge step = {n, x->first[n]};

	x->index[n] = x->low[n] = ++x->next;
	vec_push(&x->open, n);
	vec_push(&x->path, step);
}

static void leave(struct grouping *x, uint32_t n)
{
	uint32_t member;

	x->path.count--;
	if (x->path.count) {
		uint32_t up = vec_last(&x->path).from;

		if (x->low[n] < x->low[up])
			x->low[up] = x->low[n];
	}
	if (x->low[n] != x->index[n])
		return;
	do {
		member = vec_pop(&x->open);
		x->g->group[member] = x->g->groups;
	} while (member != n);
	x->g->groups++;
}

static void group_from(struct grouping *x, uint32_t start)
{
	enter(x, start);
	while (x->path.count) {
		struct deps_edge *step = &vec_last(&x->path);
		uint32_t n = step->from, m;

		if (step->to == x->first[n + 1]) {
			leave(x, n);
			continue;
		}
		m = x->to[step->to++];
		if (!x->index[m])
			enter(x, m);
		else if (x->g->group[m] == DEPS_NO_NODE && x->index[m] < x->low[n])
			x->low[n] = x->index[m];
	}
}

static void find_groups(struct deps_graph *g)
{
	struct grouping x = {.g = g};

	sort_edges(g->nodes, g->edges.items, g->edges.count, &x.first, &x.to);
	x.low = xcalloc((size_t)g->nodes + 1, sizeof(*x.low));
	x.index = xcalloc((size_t)g->nodes + 1, sizeof(*x.index));
	g->group = xmalloc(((size_t)g->nodes + 1) * sizeof(*g->group));
	memset(g->group, 0xff, ((size_t)g->nodes + 1) * sizeof(*g->group));
	for (uint32_t n = 0; n < g->nodes; n++)
		if (!x.index[n])
			group_from(&x, n);
	free(x.first);
	free(x.to);
	free(x.low);
	free(x.index);
	vec_free(&x.path);
	vec_free(&x.open);
}

void deps_graph_close(struct deps_graph *g)
{
	size_t kept = 0;

	assert(!g->first);
	find_groups(g);
	g->cyclic = xcalloc((size_t)g->groups + 1, sizeof(*g->cyclic));
	for (size_t i = 0; i < g->edges.count; i++) {
		struct deps_edge e = {g->group[g->edges.items[i].from],
				      g->group[g->edges.items[i].to]};

		if (e.from == e.to)
			g->cyclic[e.from] = true;
		else
			g->edges.items[kept++] = e;
	}
	sort_edges(g->groups, g->edges.items, kept, &g->first, &g->to);
	vec_free(&g->edges);
}

bool deps_graph_leads(const struct deps_graph *g, uint32_t node)
{
	uint32_t k = g->group[node];

	return g->cyclic[k] || g->first[k] != g->first[k + 1];
}

void deps_graph_reach(const struct deps_graph *g, uint32_t from, bool *reached)
{
	VEC(uint32_t) work = VEC_INIT;

	reached[from] |= g->cyclic[from];
	vec_push(&work, from);
	while (work.count) {
		uint32_t k = vec_pop(&work);

		for (uint32_t i = g->first[k]; i < g->first[k + 1]; i++) {
			if (reached[g->to[i]])
				continue;
			reached[g->to[i]] = true;
			vec_push(&work, g->to[i]);
		}
	}
	vec_free(&work);
}
