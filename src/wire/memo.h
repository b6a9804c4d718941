/*
 * A remembered schedule, as heddle hands it to the runtime of heddle stable: a header, then the
 * operations in their order.
 */
#ifndef HEDDLE_WIRE_MEMO_H
#define HEDDLE_WIRE_MEMO_H

#include <stdint.h>

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

struct memo_replay {
	uint64_t magic;
	uint32_t version, count;
	struct memo_element elements[];
};

#endif
