/*
 * The schedule log and the schedule hash (spec §10.3; format in wire/stable.h).  The log file is
 * written through a shared mapping, so that it is complete up to the last operation whatever
 * happens to the process.  Called by the holder of the turn.
 */
#ifndef HEDDLE_RT_STABLE_SCHEDLOG_H
#define HEDDLE_RT_STABLE_SCHEDLOG_H

#include <stdbool.h>

#include "rt_stable/obj.h"
#include "rt_stable/sched.h"
#include "wire/stable.h"

extern bool schedlog_active; /* log or hash wanted */

struct schedlog_op {
	uint16_t op, res;
	uint32_t arg;
	void *addr; /* of the object; for threads obj is given instead */
	uint32_t obj;
};

void schedlog_init(void);
void schedlog_write(struct sched_thread *t, const struct schedlog_op *op);
/* Closes the log: orderly is false in a child that leaves it to its parent. */
void schedlog_close(bool orderly);
/* Kind of object of an operation. */
enum obj_kind schedlog_kind(uint16_t op);

#endif
