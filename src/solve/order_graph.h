/*
 * A graph that stays acyclic, with a topological order at hand at any time.
 *
 * Fixed edges come first; then edges named by a number (a variable of the solver) come and go, last
 * in first out.  Adding an edge against the current order reorders only the nodes between its ends
 * (Pearce and Kelly); removing an edge leaves the order as it is, which remains topological.
 */
#ifndef HEDDLE_SOLVE_ORDER_GRAPH_H
#define HEDDLE_SOLVE_ORDER_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct order_graph_edge {
	uint32_t a, b, out_next, in_next;
};

struct order_graph {
	uint32_t nodes;
	uint32_t *pos;	/* rank of a node */
	uint32_t *node; /* at a rank: the inverse */
	/* Fixed edges in compressed form. */
	uint32_t *fixed_out_first, *fixed_out, *fixed_in_first, *fixed_in;
	/* Named edges: lists through the names. */
	uint32_t *out_head, *in_head;	    /* by node; name or UINT32_MAX */
	VEC(struct order_graph_edge) named; /* by name */
	/* Search. */
	uint32_t *mark, stamp;
	uint32_t *via; /* node from which the search reached this one */
	uint32_t *via_name;
	uint32_t *forward, *backward, *slots;
	uint32_t forward_count, backward_count;
	bool moved; /* the order changed since it was cleared */
};

struct order_graph_pair {
	uint32_t a, b;
};

/* false when the fixed edges have a cycle; the graph must be ended all the same. */
bool order_graph_init(struct order_graph *g, uint32_t nodes, const struct order_graph_pair *fixed,
		      size_t n);
void order_graph_fini(struct order_graph *g);

/*
 * Adds the edge a < b under a name not in use.  When it would close a cycle nothing is added and
 * the names along it, without this one, are appended to *cycle.
 */
struct order_graph_names {
	VEC_FIELDS(uint32_t);
};
bool order_graph_add(struct order_graph *g, uint32_t name, uint32_t a, uint32_t b,
		     struct order_graph_names *cycle);
/* Removes the edge added last among those of its nodes. */
void order_graph_remove(struct order_graph *g, uint32_t name);

/* Takes over an order that must be topological for the edges present. */
void order_graph_set_order(struct order_graph *g, const uint32_t *pos);

#endif
