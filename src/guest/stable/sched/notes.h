/*
 * Notes to whoever has the turn next, from threads that have not: an address was signalled outside
 * the schedule, or a wait was interrupted.
 */
#ifndef HEDDLE_RT_STABLE_NOTES_H
#define HEDDLE_RT_STABLE_NOTES_H

#include <stdint.h>

/* In the lowest bits of a note, which is an address otherwise. */
#define NOTE_ALL 1u	  /* wake all waiters, not only the first */
#define NOTE_INTERRUPT 2u /* a thread, which a handled signal has interrupted */

extern uint32_t notes_pending;

/* Without the turn. */
void notes_put(uintptr_t note);
/* With the turn: does what the notes say. */
void notes_act(void);

#endif
