/*
 * Candidates with fewer orders, made from those that got stuck.
 *
 * The orders of a candidate's base are of one run and go together; what was filled in from others
 * need not.  Where it got stuck an order that was filled in is given up, and the rest is tried
 * again, down to the base alone: what nobody orders is drawn.
 */
#ifndef HEDDLE_COOP_RELAX_H
#define HEDDLE_COOP_RELAX_H

#include "coop/merge.h"

struct coop_relax {
	uint32_t elements;
	VEC(struct coop_candidate *) queue;
	size_t next;
	VEC(uint64_t) tried; /* hashes of what was in the queue */
};

void coop_relax_init(struct coop_relax *r, uint32_t elements);
void coop_relax_fini(struct coop_relax *r);

/* c got stuck between the two elements, which may be one; it is copied. */
void coop_relax_stuck(struct coop_relax *r, const struct coop_candidate *c, uint32_t element,
		      uint32_t other);
/* The next one, valid until coop_relax_fini(); NULL when there is none. */
const struct coop_candidate *coop_relax_next(struct coop_relax *r);

/* A copy of a candidate of so many elements. */
struct coop_candidate *coop_candidate_copy(const struct coop_candidate *c, uint32_t elements);
void coop_candidate_free(struct coop_candidate *c);

#endif
