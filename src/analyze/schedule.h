/*
 * What a schedule leaves of a program: a log of heddle stable says which operations each thread
 * does, and when, among all.
 *
 * Every thread of the log is looked at by itself, as one of the threads of whole.h.  A *position*
 * in it is how many of its operations it has done.  At each point of each body it is found at which
 * positions a thread may be there: a call that does an operation is only passed where the next one
 * is of its kind, so branches and rounds of loops that contradict the schedule fall away.  Between
 * two operations a thread is in the *region* from the one to the other in the order of all; two
 * accesses can happen at the same time when regions of them overlap (Cui et al., "Efficient
 * deterministic multithreading through schedule relaxation", SOSP 2011, section 4).
 *
 * Calls are matched by kind, not by place or object, and calls that may do any operation match all:
 * more is thought possible than is, never less.
 */
#ifndef HEDDLE_ANALYZE_SCHEDULE_H
#define HEDDLE_ANALYZE_SCHEDULE_H

#include "analyze/flow.h"

struct schedule;

/* f has its accesses.  ERR_FORMAT when the log is none, ERR_MISMATCH when no run of the program has
 * it. */
int schedule_new(struct flow *f, const char *path, struct schedule **out, struct err *e);
void schedule_free(struct schedule *s);

/* Can the two accesses happen at the same time in two threads of the log? */
bool schedule_beside(const struct schedule *s, uint32_t a, uint32_t b);
/* Can the first access be over before the second one, in the same thread of the log or another? */
bool schedule_may_precede(const struct schedule *s, uint32_t a, uint32_t b);
/* Does a thread of the log come to the block? */
bool schedule_comes_to(const struct schedule *s, uint32_t body, LLVMBasicBlockRef block);
/* Threads of the log. */
uint32_t schedule_threads(const struct schedule *s);

#endif
