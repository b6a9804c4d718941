/*
 * A scheduler inside the scheduler: under heddle check --stable, what the schedule leaves open is
 * decided by heddle (wire/nested.h).
 *
 * Every thread runs until it stands: waiting for the turn, with a request, or at its end.  Whoever
 * makes another one run counts it before it stops itself, so that the count is 0 only when nobody
 * will do anything without an answer.  Outside of such a check nested_on is false and nothing here
 * is called.
 */
#ifndef HEDDLE_STABLE_SCHED_NESTED_H
#define HEDDLE_STABLE_SCHED_NESTED_H

#include "guest/stable/sched/state.h"
#include "wire/nested.h"

extern bool nested_on;

/* Maps what heddle shares with us; nothing when there is no such file or another process has it. */
void nested_init(const char *path);
/* In the child of a fork. */
void nested_leave(void);

/* t runs: it was made, or begins. */
void nested_born(struct sched_thread *t);
void nested_dies(struct sched_thread *t);

/* Instead of park(): until t has the turn. */
void nested_park(struct sched_thread *t);
/* With the turn: t has it now. */
void nested_granted(struct sched_thread *t);

/* A turn is about to be taken, whoever's. */
void nested_turn(void);
/* That turn ends the process. */
void nested_exits(void);

/* The caller wants to do this and may now. */
void nested_ask(enum nested_kind kind, void *object, void *second, uintptr_t pc);
/* The caller is in a section, so that what it does is asked for. */
bool nested_inside(void);

/* A call that waits for the world begins; it ends with the next request. */
void nested_away(uintptr_t pc);

/* The holder of the turn waits until t's section has ended; t ends it. */
void nested_await_section(struct sched_thread *t);
void nested_end_section(struct sched_thread *t);

/* Waiting at a condition or barrier in a section: begins; who waits there; one of them is woken. */
void nested_wait_at(void *object);
uint32_t nested_waiters(const void *object);
bool nested_wake(const void *object);
bool nested_was_woken(void);

void nested_note(enum nested_reason why, uintptr_t pc);

#endif
