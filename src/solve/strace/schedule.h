/*
 * An order of a symbolic trace as a schedule that a guest follows.
 *
 * An event's tag is its place in its thread (tix) in a controlled run.  Threads are numbered by the
 * order in which this order creates them, as a guest does.  Stores that a model buffers are named
 * where they reach memory; their thread has come to them by then.
 */
#ifndef HEDDLE_SOLVE_STRACE_SCHEDULE_H
#define HEDDLE_SOLVE_STRACE_SCHEDULE_H

#include "model/schedule.h"
#include "solve/strace/sim.h"
#include "wire/ctl.h"

/*
 * s has carried out the order; appended to *out.  last: thread that goes on to the end, if any.  In a
 * deadlock the threads that wait in it go on until they do.
 */
void strace_schedule_make(const struct strace_sim *s, const uint32_t *order, enum wire_model model,
			 uint32_t last, struct model_schedule *out);

#endif
