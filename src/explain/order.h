/*
 * Orders of the operations of a failing execution, and the schedules that ask a guest for them.
 *
 * Such a schedule is a wish: what does not fit is passed over, and what really happened is what the
 * events of the run say.
 */
#ifndef HEDDLE_EXPLAIN_ORDER_H
#define HEDDLE_EXPLAIN_ORDER_H

#include "explain/exec.h"
#include "model/schedule.h"

/*
 * op EXPLAIN_NONE: the thread goes on as far as it can, or wakes up though nobody called it.  A
 * signal that wakes: it is this thread that it wakes.
 */
struct explain_step {
	uint32_t op, thread;
	bool wakes;
};

struct explain_order {
	VEC_FIELDS(struct explain_step);
};

/*
 * One way to move operations of a thread forward: all of them from op `first' up to and including
 * `last' come before `first'.  last EXPLAIN_NONE: all that there are, and then the thread goes on
 * as far as it can.
 */
struct explain_move {
	uint32_t first, last, thread;
};

/* The failing order with a move carried out; *out is emptied first. */
void explain_order_move(const struct explain_exec *f, const struct explain_move *m,
			struct explain_order *out);

/*
 * The same move with whole critical sections: `first' becomes the beginning of the outermost
 * section of its thread that holds it, `last' the end of the one that holds it.
 */
struct explain_move explain_move_close(const struct explain_exec *f, const struct explain_move *m);

/* Schedule for an order of f's operations; *out is emptied first. */
void explain_order_wish(const struct explain_exec *f, const struct explain_order *order,
			struct model_schedule *out);

#endif
