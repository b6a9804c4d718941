/*
 * The flavour for heddle stable: atomic operations are operations of its schedule.
 *
 * Every atomic access of memory that others may see stands between two calls, to
 * heddle_stable_atomic_begin() and heddle_stable_atomic_end() (guest/stable/hook/atomic.c), which
 * do nothing when the program runs by itself.  What remains are operations in assembly that is not
 * understood.  The functions of such a unit lie in a section of their own, so that heddle stable
 * knows whose atomic operations it sees; functions with assembly that is not understood do not.
 */
#ifndef HEDDLE_INSTR_ORDERED_H
#define HEDDLE_INSTR_ORDERED_H

#include "instr/unit.h"

/* Puts the calls into every function of u->mod. */
void ordered_instrument(struct unit *u);

#endif
