/*
 * A remembered schedule, as heddle hands it to the runtime of heddle stable: a header, then the
 * operations in their order.
 */
#ifndef HEDDLE_WIRE_MEMO_H
#define HEDDLE_WIRE_MEMO_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/stable.h"

#define MEMO_REPLAY_MAGIC UINT64_C(0x796c706572646568) /* "hedreply" */
#define MEMO_REPLAY_VERSION 1
#define MEMO_NO_HOLD 0

/* One operation of a schedule; op, res and obj are those of wire/stable.h. */
struct memo_element {
	uint32_t tid;
	uint16_t op, res;
	uint32_t obj;
	/*
	 * Behind this operation its thread goes on only when so many operations of the schedule are
	 * over: it would race with what comes before them.  MEMO_NO_HOLD: at once.
	 */
	uint32_t hold;
};

/*
 * Whether what a log has of an operation is that it was carried out.  Else a thread only came to
 * stand at it; schedules may have that or not.  Waits that give something away first are two
 * operations.
 */
static inline bool memo_is_element(uint16_t op, uint16_t res)
{
	return res != STABLE_RES_BLOCKED || op == STABLE_OP_COND_WAIT ||
	       op == STABLE_OP_COND_TIMEDWAIT || op == STABLE_OP_BARRIER_WAIT;
}

struct memo_replay {
	uint64_t magic;
	uint32_t version, count;
	struct memo_element elements[];
};

#endif
