/*
 * Operations in performance-critical sections when heddle decides their order (sched/nested.h): a
 * wrapper whose thread is outside the schedule asks before it calls the original, which then does
 * not wait.
 */
#ifndef HEDDLE_STABLE_HOOK_SECTION_H
#define HEDDLE_STABLE_HOOK_SECTION_H

#include <pthread.h>

#include "guest/stable/sched/nested.h"

/* Returns when the caller may do this to object; at once outside of such checks. */
static inline void section_ask(enum nested_kind kind, void *object, uintptr_t pc)
{
	if (__builtin_expect(nested_on, 0) && nested_inside())
		nested_ask(kind, object, NULL, pc);
}

/* Something that is not modelled happens in a section. */
static inline void section_note(uintptr_t pc)
{
	if (__builtin_expect(nested_on, 0) && nested_inside())
		nested_note(NESTED_WHY_OPERATION, pc);
}

/*
 * A timed operation: it may end either way, and ends at once.  True when the caller is to try and
 * take a failure for the deadline.
 */
static inline bool section_timed(void *object, uintptr_t pc)
{
	if (__builtin_expect(!nested_on, 1) || !nested_inside())
		return false;
	nested_note(NESTED_WHY_LIMIT, pc);
	nested_ask(NESTED_TRYLOCK, object, NULL, pc);
	return true;
}

/* In place of the originals; only when nested_inside(). */
int section_cond_wait(pthread_cond_t *c, pthread_mutex_t *m, bool timed, uintptr_t pc);
void section_cond_wake(pthread_cond_t *c, bool all, uintptr_t pc);
int section_barrier_wait(pthread_barrier_t *b, uintptr_t pc);

#endif
