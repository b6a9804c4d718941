/*
 * Races of a schedule: two accesses of one place by different threads, one of them a write, with no
 * operation of the schedule between them that orders them: the one made between operations [a, b),
 * the other between [c, d), with a < d and c < b.
 *
 * Each is put in order.  The access whose thread comes to its next operation first is the first
 * one, as it was when the run was followed; the other thread waits behind the operation before its
 * access until then (memo_element.hold).  That cannot block: an operation only ever waits for
 * earlier ones.  What no operation follows on either side stays a race.
 *
 * In a schedule that has where threads came to stand (follow.h), accesses may lie in another order
 * than the one they were followed in; what was read is then not what would be read.
 */
#ifndef HEDDLE_MEMO_LEARN_RACES_H
#define HEDDLE_MEMO_LEARN_RACES_H

#include "memo/learn/follow.h"

struct race {
	struct follow_access a, b;
};

struct races {
	VEC(struct race) ordered; /* by holds, one per pair of regions */
	VEC(struct race) left;	  /* nothing orders them */
	VEC(uint32_t) possible;	  /* betweens in which other inputs might race */
	bool crossed;		  /* some lie in another order than they were followed in */
};

/* holds: one word per operation of the schedule, 0 for none. */
void races_find(const struct follow_access *accesses, size_t count, uint32_t *holds,
		uint32_t operations, struct races *out);
void races_free(struct races *r);

#endif
