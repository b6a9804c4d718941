/*
 * What the questions of the search do not cover, noticed in the executions: threads that could wait
 * for each other for ever, and memory that is given back while others may use it.
 *
 * Locks are harmless when they are always taken in one order: edges from each lock held to each one
 * wanted have no circle.  Everything else that waits (conditions, semaphores, barriers,
 * descriptors) is not.
 */
#ifndef HEDDLE_HUNT_BLOCKING_H
#define HEDDLE_HUNT_BLOCKING_H

#include <stdbool.h>
#include <stdint.h>

#include "symex/symex.h"

struct hunt_lock_edge {
	uint64_t held, wanted;
};

struct hunt_blocking {
	VEC(struct hunt_lock_edge) edges;
	bool waits;   /* something that is no lock and no join */
	bool reuse;   /* a block or object is given up that is used otherwise too */
	bool outside; /* an access lies in no variable and no block, or in two */
};

void hunt_blocking_add(struct hunt_blocking *b, const struct symex_trace *t);
/* Whether threads may wait for each other for ever, as far as this can tell. */
bool hunt_blocking_may(const struct hunt_blocking *b);
void hunt_blocking_fini(struct hunt_blocking *b);

#endif
