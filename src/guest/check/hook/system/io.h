/*
 * Waiting for the outside in the scheduler: a thread that would block in the kernel stands at an
 * EVENT_IO operation instead, whose readiness is asked with poll and no time limit.
 */
#ifndef HEDDLE_RT_HOOK_IO_H
#define HEDDLE_RT_HOOK_IO_H

#include "guest/check/hook/call.h"

/*
 * Steps at an IO operation until ready() holds or timeout_ms (negative: none) of virtual time is
 * over.  data reaches ready() as op->data.  A cancellation point.
 */
enum step_result io_step(struct rt_op *op, int64_t timeout_ns);
/* The operation on a descriptor is done: records it and lets others look again.  Keeps errno. */
void io_done(uint32_t site, int fd, long result, enum wire_io what);

#endif
