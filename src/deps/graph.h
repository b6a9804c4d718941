/* A directed graph of small numbers: nodes are made one by one, edges in any order. */
#ifndef HEDDLE_DEPS_GRAPH_H
#define HEDDLE_DEPS_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

#define DEPS_NO_NODE UINT32_MAX

struct deps_edge {
	uint32_t from, to;
};

struct deps_graph {
	uint32_t nodes;
	VEC(struct deps_edge) edges;
	/*
	 * After deps_graph_close().  Nodes that reach each other are one group; groups that group k
	 * leads to are to[first[k]] .. to[first[k + 1]], all with smaller numbers.
	 */
	uint32_t *group; /* by node */
	bool *cyclic;	 /* by group: reaches itself */
	uint32_t groups;
	uint32_t *first, *to;
};

void deps_graph_fini(struct deps_graph *g);
uint32_t deps_graph_node(struct deps_graph *g);
/* Ignored when either end is DEPS_NO_NODE or both are the same. */
void deps_graph_edge(struct deps_graph *g, uint32_t from, uint32_t to);
/* No nodes or edges after this. */
void deps_graph_close(struct deps_graph *g);
/* Whether a node has edges to others. */
bool deps_graph_leads(const struct deps_graph *g, uint32_t node);
/* Sets reached[k] for every group that a path of at least one edge from group `from' leads to. */
void deps_graph_reach(const struct deps_graph *g, uint32_t from, bool *reached);

#endif
