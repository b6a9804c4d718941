/*
 * The schedule log and the schedule hash (format in wire/stable.h).  The log file is
 * written through a shared mapping, so that it is complete up to the last operation whatever
 * happens to the process.  Called by the holder of the turn.
 */
#ifndef HEDDLE_RT_STABLE_SCHEDLOG_H
#define HEDDLE_RT_STABLE_SCHEDLOG_H

#include <stdbool.h>

#include "guest/stable/obj.h"
#include "guest/stable/sched/sched.h"
#include "wire/stable.h"

extern bool schedlog_active; /* log or hash wanted */
/* Told of every operation while it has the turn; NULL: nobody. */
extern void (*schedlog_listener)(struct sched_thread *t, uint16_t op, uint16_t res, uint32_t obj);

struct schedlog_op {
	uint16_t op, res;
	uint32_t arg;
	void *addr; /* of the object; for threads obj is given instead */
	uint32_t obj;
};

void schedlog_init(void);
void schedlog_write(struct sched_thread *t, const struct schedlog_op *op);
void schedlog_close(bool orderly);
/* In the child of a fork: leaves the log to the parent and begins a hash of its own. */
void schedlog_fork_child(void);
/* Kind of object of an operation. */
enum obj_kind schedlog_kind(uint16_t op);

#endif
