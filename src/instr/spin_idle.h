/*
 * Values that decide nothing but how long a thread waits: counters of a back-off.
 *
 * A value is idle when all that is computed from it ends as the duration of a sleep, as an argument
 * of a function that only spends time, or in a branch between ways that do nothing but spend time
 * and meet again.  Rounds of a loop that differ in idle values alone are alike (spin.h).
 *
 * Time is spent by sleeping, giving way and by computing without memory.  The first two are events
 * of the thread.  A branch or an argument that decides how many there are must stand where no
 * access follows in the same round, so that accesses have the same numbers in every round.
 */
#ifndef HEDDLE_INSTR_SPIN_IDLE_H
#define HEDDLE_INSTR_SPIN_IDLE_H

#include "instr/escape.h"
#include "instr/unit.h"
#include "ir/cfg.h"

/* Fills u->idle: functions that only spend time. */
void spin_find_idle(struct unit *u);

/* Whether the value, made in the loop of a function, is idle. */
bool spin_is_idle(struct unit *u, const struct cfg *c, const struct cfg_loop *loop,
		  LLVMValueRef value);

#endif
