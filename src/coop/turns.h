/*
 * Orders as the guest is told them (struct turns_head, wire/coop.h).  Elements without an order are
 * left out: the others are numbered anew.
 */
#ifndef HEDDLE_COOP_TURNS_H
#define HEDDLE_COOP_TURNS_H

#include "base/strbuf.h"
#include "coop/elements.h"
#include "coop/merge.h"

/* So many elements with an order the guest can take. */
#define COOP_MAX_TURNS 4096u

struct coop_turn_block {
	struct strbuf bytes;
	VEC(uint32_t) elements; /* by the guest's number: the program's */
};

/* c is of s; *b must be zeroed. */
void coop_turns_make(const struct coop_elements *x, const struct coop_set *s,
		     const struct coop_candidate *c, struct coop_turn_block *b);
void coop_turns_fini(struct coop_turn_block *b);

#endif
