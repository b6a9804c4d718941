/*
 * Which places pointers may point to: inclusion of sets (Andersen, "Program analysis and
 * specialization for the C programming language", 1994), with locations inside objects (loc.h).
 *
 * A *node* holds a set of locations: a value of the program in one calling context, or what is
 * stored at a location.  Constraints hang on nodes and are applied to each location once, in the
 * order in which locations came (difference propagation).  Nodes that copy to each other become
 * one, when equal sets at both ends of an edge make that likely (lazy cycle detection: Hardekopf
 * and Lin, PLDI 2007).
 *
 * What is stored at a location goes into the `in' of its cell; what is loaded comes from the `out',
 * which holds the `in' of every cell that may lie over it.  So a store to one element does not
 * become visible in others because somebody loads from any of them.
 *
 * Deviation: a set that gets many locations of one object through address arithmetic gets one that
 * covers them instead.
 */
#ifndef HEDDLE_ANALYZE_POINTS_H
#define HEDDLE_ANALYZE_POINTS_H

#include "analyze/loc.h"

#define POINTS_NONE UINT32_MAX

enum points_kind {
	POINTS_COPY,  /* other holds what this does */
	POINTS_ADD,   /* the same, moved */
	POINTS_LOAD,  /* other holds what is stored there */
	POINTS_STORE, /* what other holds is stored there */
	POINTS_WATCH, /* somebody is told: `other' is their number */
};

struct points_edge {
	enum points_kind kind;
	uint32_t other;
	int64_t bytes; /* ADD */
	uint32_t stride;
	uint32_t done; /* so many locations of the node were seen */
};

struct points_node {
	uint32_t same; /* itself, or the node it has become part of */
	bool queued;
	VEC(uint32_t) list; /* locations */
	uint32_t *slots;    /* hash of them, when there are many */
	uint32_t slot_count;
	VEC(struct points_edge) edges;
};

struct cell {
	uint32_t loc, in, out;
};

typedef void (*points_watch_fn)(void *arg, uint32_t number, uint32_t loc);

struct points {
	struct locs locs;
	VEC(struct points_node) nodes;
	VEC(struct cell) cells;
	VEC(uint32_t) queue;
	uint64_t *edge_slots; /* hashes of edges there are */
	size_t edge_count, edge_capacity;
	uint64_t *tried; /* edges that were looked at for cycles */
	size_t tried_count, tried_capacity;
	uint64_t merged, steps;
	points_watch_fn watch;
	void *watch_arg;
};

void points_init(struct points *p, points_watch_fn watch, void *arg);
void points_fini(struct points *p);

uint32_t points_node(struct points *p);
uint32_t points_find(struct points *p, uint32_t node);
/* The node holds the location. */
void points_put(struct points *p, uint32_t node, uint32_t loc);
void points_edge(struct points *p, uint32_t node, struct points_edge e);
void points_copy(struct points *p, uint32_t from, uint32_t to);
/* What is stored at a location, seen by who stores and by who loads. */
uint32_t points_in(struct points *p, uint32_t loc);
uint32_t points_out(struct points *p, uint32_t loc);

/* Applies everything until nothing changes; false when stop() says so. */
bool points_solve(struct points *p, bool (*stop)(void *arg), void *arg);

/* The locations of a node. */
const uint32_t *points_set(struct points *p, uint32_t node, size_t *count);

#endif
