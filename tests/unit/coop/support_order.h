/*
 * Can threads that come to elements in given orders come to them in the orders of given vectors?
 *
 * Each thread's accesses have its program order, each element's the order of its vector; together
 * they must not have a cycle, and every thread must have as many accesses of an element as its
 * vector says.  What comes behind the end of a vector, or of a thread's sequence, is free.
 */
#ifndef HEDDLE_SUPPORT_ORDER_H
#define HEDDLE_SUPPORT_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/vec.h"

/* The elements one thread comes to, in its order. */
struct coop_path {
	VEC_FIELDS(uint32_t);
};

/* The threads that come to one element, in its order; count 0: any order. */
struct coop_turns {
	VEC_FIELDS(uint32_t);
};

/*
 * Carries out what may be carried out until nothing is left: true when every access of every vector
 * was.  Otherwise *stuck is the element at which a thread waits for its turn that never comes.
 * order, when it is not NULL, gets (thread, element) pairs in the order they were carried out.
 */
struct coop_access {
	uint32_t thread, element;
};
struct coop_order {
	VEC_FIELDS(struct coop_access);
};
bool coop_order_feasible(const struct coop_path *threads, size_t n, const struct coop_turns *turns,
			 size_t elements, struct coop_order *order, uint32_t *stuck);

#endif
