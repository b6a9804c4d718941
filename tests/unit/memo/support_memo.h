/* Conditions and orders for the tests of the cache. */
#ifndef HEDDLE_TESTS_UNIT_MEMO_SUPPORT_H
#define HEDDLE_TESTS_UNIT_MEMO_SUPPORT_H

#include "memo/cache.h"

/* Region a holds one number of 8 bits: nthread is 0, nblock 1. */
struct kit {
	struct expr_pool *pool;
	struct memo_input inputs[4];
};

void kit_begin(struct kit *k);
void kit_end(struct kit *k);
expr_id kit_number(struct kit *k, unsigned region);
expr_id kit_constant(struct kit *k, uint8_t value);
/* number op value, or its opposite. */
expr_id kit_compare(struct kit *k, enum expr_op op, unsigned region, uint8_t value, bool holds);
/* value < number op … as a loop over region leaves them: 0 < n, …, n-1 < n, not n < n. */
void kit_loop(struct kit *k, unsigned region, uint8_t rounds, struct memo_terms *to);
void kit_add(struct kit *k, struct memo_terms *to, expr_id e);
/* Operations of threads "012": one per letter. */
void kit_order(const char *threads, struct memo_schedule *to);
/* What a run with these numbers is given. */
struct memo_given kit_given(struct memo_region regions[2], const uint8_t numbers[2]);

#endif
