/*
 * Cancellation, in the deferred sense: a request takes effect at the target's next cancellation
 * point.  A blocking operation that is one carries OP_CANCEL, which makes it ready when a request
 * is there; its interposer calls cancel_point() (sched/upcall.h) after sched_step().
 */
#ifndef HEDDLE_RT_HOOK_CANCEL_H
#define HEDDLE_RT_HOOK_CANCEL_H

#include "guest/check/sched/thread.h"
#include "guest/check/sched/upcall.h"

/* Whether a request waits that the thread accepts now. */
static inline bool cancel_due(const struct rt_thread *t)
{
	return t->cancel_pending && !t->cancel_disabled && !t->exiting;
}

/* Ends the current thread with PTHREAD_CANCELED, unwinding its stack. */
_Noreturn void cancel_act(void);
/* Unwinds the current thread and ends it with this result. */
_Noreturn void cancel_exit(void *result);

#endif
