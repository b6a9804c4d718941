/*
 * Atomicity candidates: two consecutive accesses a, b of one location in an atomic block of one
 * thread and an access c of another thread that no serial order of the block and c explains:
 *
 *   R W R  two reads differ             W W R  own write lost before the read
 *   W R W  intermediate value escapes   R W W  update based on a stale read
 *
 * Blocks: annotated begin/end events when the trace has any; otherwise inferred from one critical
 * section, from two consecutive sections of one lock, and (when a distance is given) from a read
 * and the next write of the location at most that many events later.
 *
 * Two sections are weak evidence: a thread may well give the lock away on purpose.  They count only
 * when nothing says so:
 *   - they are taken at different places (not a loop, not one helper called twice), and the thread
 *     does not wait in between;
 *   - the second one does not look at the location anew and act on that: when b is a read, it is
 * not the beginning of an update of its own, and no branch follows it in the section (as far as
 *     branches are recorded);
 *   - for W R W, the other thread reads without the lock; with it, it sees what the first section
 *     left to be seen.
 */
#ifndef HEDDLE_PREDICT_ATOMIC_H
#define HEDDLE_PREDICT_ATOMIC_H

#include <stdbool.h>
#include <stdint.h>

#include "predict/order/core.h"
#include "predict/order/rows.h"

enum predict_block { BLOCK_ANNOTATED, BLOCK_SECTION, BLOCK_SECTIONS, BLOCK_UPDATE };

struct predict_atomic_pair {
	uint32_t a, b; /* trace events, b the next access of the location by the thread */
	uint8_t block; /* enum predict_block */
};

struct predict_atomic_pairs {
	VEC_FIELDS(struct predict_atomic_pair);
};

void predict_atomic_list(const struct predict_core *c, uint32_t distance,
			 struct predict_atomic_pairs *out);

bool predict_atomic_unserialisable(uint8_t a, uint8_t c, uint8_t b);
/* "RWR" and so on. */
const char *predict_atomic_pattern(uint8_t a, uint8_t c, uint8_t b);
const char *predict_block_text(enum predict_block block);
static inline bool predict_block_inferred(enum predict_block block)
{
	return block != BLOCK_ANNOTATED;
}

/* Calls visit for each partner c of the pair that the hard order does not exclude. */
typedef bool (*predict_partner_fn)(void *context, uint32_t partner);
void predict_atomic_partners(const struct predict_core *c, const struct predict_rows *rows,
			     const struct predict_atomic_pair *p, predict_partner_fn visit,
			     void *context);

#endif
