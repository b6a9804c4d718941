#include "deps/graph.h"

#include <assert.h>

void deps_graph_fini(struct deps_graph *g)
{
	vec_free(&g->edges);
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

void deps_graph_close(struct deps_graph *g)
{
	assert(!g->first);
	g->first = xcalloc((size_t)g->nodes + 2, sizeof(*g->first));
	g->to = xcalloc(g->edges.count + 1, sizeof(*g->to));
	for (size_t i = 0; i < g->edges.count; i++)
		g->first[g->edges.items[i].from + 2]++;
	for (uint32_t n = 0; n < g->nodes; n++)
		g->first[n + 2] += g->first[n + 1];
	for (size_t i = 0; i < g->edges.count; i++)
		g->to[g->first[g->edges.items[i].from + 1]++] = g->edges.items[i].to;
	vec_free(&g->edges);
}

void deps_graph_reach(const struct deps_graph *g, uint32_t from, bool *reached)
{
	VEC(uint32_t) work = VEC_INIT;

	vec_push(&work, from);
	while (work.count) {
		uint32_t n = vec_pop(&work);

		for (uint32_t i = g->first[n]; i < g->first[n + 1]; i++) {
			if (reached[g->to[i]])
				continue;
			reached[g->to[i]] = true;
			vec_push(&work, g->to[i]);
		}
	}
	vec_free(&work);
}
