/*
 * The guest library: rules, and the few words every part of it uses.
 *
 * This code lives in somebody else's process.
 *  1. Include only wire/ and guest/ (and system headers for types).  No malloc, no stdio, no locale,
 *     no call to a function we interpose except through os/real.h.
 *  2. Hidden visibility.  Exported are the interposed functions and heddle_*: mark with RT_EXPORT.
 *  3. Every interposer has the same steps in the same order: controlled? (else the real function)
 *     -> announce to the scheduler -> effect on the model -> record -> errno preserved.
 *  4. Never exit, never print on the program's descriptors.  On trouble: rt_trouble() ends the run
 *     and says why.
 *  5. Each entry's header states what it tolerates: signal handler, before main, after fork.
 *  6. Exactly one thread of the program runs at any moment, on every engine, so the runtime's own
 *     data needs no locks.  rt_self() is a plain global.
 *  7. State and the reset engine.  Between two runs the process goes back to the snapshot, and so
 *     must the runtime.  Small variables that belong to a run are marked RT_RUN: they are copied
 *     back as a whole (keep them below a few hundred bytes each).  Anything larger, and any memory
 *     of the program, is announced with undo_touch(address, bytes) before it is changed.
 *
 * When is what true:
 *   heddle_active      heddle is around this process (set before any instrumented constructor)
 *   rt_controlled()    a run is under way and this thread belongs to it: model, do not pass through
 *
 * A kernel thread that heddle did not start (a constructor's, a library's own) is never controlled,
 * whoever runs: rt_ours lies in the thread-local storage of main and of the slots, which program
 * threads borrow, and nobody else has it set.
 */
#ifndef HEDDLE_RT_RT_H
#define HEDDLE_RT_RT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/ctl.h"
#include "wire/hooks.h"

#define RT_EXPORT __attribute__((visibility("default")))
#define RT_RUN __attribute__((section("rt_run")))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

struct rt_thread;

/* The thread that runs now; NULL outside runs. */
extern struct rt_thread *rt_current;
/* The control block; NULL when heddle is not around. */
extern struct wire_ctl *rt_ctl;
/* Non-zero while runtime code runs that must not be intercepted again (see RT_GUARD). */
extern int rt_inside;

/* Whether this is the thread-local storage of a program thread. */
extern __thread int rt_ours;

static inline struct rt_thread *rt_self(void)
{
	return rt_current;
}

/* Notes that a function was reached beside the model during a run; always false.  Any thread. */
bool rt_beside(const char *function);

static inline bool rt_is_controlled(const char *function)
{
	if (unlikely(rt_current == NULL))
		return false;
	return likely(rt_inside == 0 && rt_ours) ? true : rt_beside(function);
}

#define rt_controlled() rt_is_controlled(__func__)

/* Ends the run with a failure.  Fills what the caller left 0: thread, stack, object of addr. */
_Noreturn void rt_fail(enum wire_failure_kind kind, uint32_t site, uint64_t addr, uint64_t value,
		       const char *format, ...) __attribute__((format(printf, 5, 6)));
/* The run cannot go on (pool exhausted, broken invariant): ends it as OUTCOME_TROUBLE. */
_Noreturn void rt_trouble(const char *format, ...) __attribute__((format(printf, 1, 2)));
/*
 * An invariant of the guest.  A broken one never takes the program down: the run ends as
 * OUTCOME_TROUBLE with the text, and what it showed counts for nothing.
 */
#define RT_ASSERT(x)                                                                               \
	(likely(x) ? (void)0 : rt_trouble("%s: an invariant is broken: %s", __func__, #x))
/*
 * The program is about to do what the reset engine cannot undo.  On that engine: ends the run as
 * OUTCOME_STEPDOWN and does not return; on the others returns at once.
 */
void rt_irreversible(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A remark for the bundle, once per text. */
void rt_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/*
 * The program does something here that heddle neither sees nor models.  The run goes on, but no
 * search may call the program clean; the text says what and why, the place is added.  SITE_NONE:
 * the place of the running thread's last operation.  Once per text.
 */
void rt_unseen(uint32_t site, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The program ends with this status (exit, return from main, _exit): ends the run as CLEAN. */
_Noreturn void rt_exit(int status);

#endif
