/*
 * Hints for programs run under "heddle stable".
 *
 * A soft barrier gathers a group of threads at a point of the program, so that the long
 * computations behind it start together instead of one after the other.  It is a barrier with a
 * logical timeout: ignoring it never changes what a program computes, and it keeps the schedule
 * deterministic.
 *
 * A performance-critical section leaves the schedule: between enter and exit the thread is
 * scheduled by the operating system alone.  Objects used inside must not be used outside of such
 * sections.
 *
 * Link with -lheddle-stable-stub.  Without heddle around the program, the hints do nothing.
 */
#ifndef HEDDLE_STABLE_H
#define HEDDLE_STABLE_H

#include <stddef.h>
#include <sys/time.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Names a group of group_size threads; key tells groups apart (NULL: the anonymous one); timeout is
 * in rounds of the group, <= 0 for the default.  A second call with the same key starts over and
 * releases whoever waits.
 */
void heddle_soba_init(int group_size, void *key, int timeout);
/* Waits until the group is complete, or until the timeout since the first arrival. */
void heddle_soba_wait(void *key);
void heddle_soba_destroy(void *key);

/* Sections nest. */
void heddle_pcs_enter(void);
void heddle_pcs_exit(void);
/* Leaves the section together with n - 1 other threads that name the same key. */
void heddle_pcs_barrier_exit(void *key, int n);

/*
 * The time from which this thread computes its next absolute deadlines.  Not needed when a deadline
 * is built on the thread's last reading of the clock.
 */
void heddle_set_base_time(const struct timespec *base);
void heddle_set_base_timeval(const struct timeval *base);

/* Ad hoc synchronisation: one turn in each round of a loop that waits for a variable. */
void heddle_adhoc_yield(void);
/* Deterministic forms: the writer stores under the turn, the reader waits for the store. */
void heddle_adhoc_set(volatile int *variable, int value);
void heddle_adhoc_wait(volatile int *variable, int value);

/*
 * A small parallel loop on threads, with the hints in place (group = team): fn(arg, thread, n) runs
 * in n threads, the caller being thread 0.
 */
void heddle_parallel(int n, void (*fn)(void *arg, int thread, int n), void *arg);

/*
 * For remembered schedules (heddle stable --memo).  What arguments decide is found without any of
 * these; symbolic, the tasks and ignore are accepted for programs that have them.
 *
 * concrete: no condition is needed on what the bytes were made of, on the caller's word.
 */
void heddle_symbolic(void *data, size_t bytes);
void heddle_concrete(void *data, size_t bytes);
void heddle_task_begin(void);
void heddle_task_end(void);
void heddle_schedule_ignore(void *object);

/* Around each atomic operation of code built with heddle cc --flavor=stable, which puts them there.
 */
void heddle_stable_atomic_begin(void *addr);
void heddle_stable_atomic_end(void *addr);

/* Short names with optional arguments. */
#ifndef HEDDLE_STABLE_NO_SHORT_NAMES
#define HEDDLE_STABLE_PICK4(a, b, c, d, ...) d
#define HEDDLE_STABLE_INIT1(n) heddle_soba_init((n), 0, 0)
#define HEDDLE_STABLE_INIT2(n, key) heddle_soba_init((n), (key), 0)
#define HEDDLE_STABLE_INIT3(n, key, timeout) heddle_soba_init((n), (key), (timeout))
#define soba_init(...)                                                                             \
	HEDDLE_STABLE_PICK4(__VA_ARGS__, HEDDLE_STABLE_INIT3, HEDDLE_STABLE_INIT2,                 \
			    HEDDLE_STABLE_INIT1, 0)                                                \
	(__VA_ARGS__)
#define HEDDLE_STABLE_WAIT(unused, key, ...) heddle_soba_wait(key)
#define soba_wait(...) HEDDLE_STABLE_WAIT(0, ##__VA_ARGS__, 0, 0)
#define soba_destroy(...) heddle_soba_destroy(HEDDLE_STABLE_FIRST(0, ##__VA_ARGS__, 0, 0))
#define HEDDLE_STABLE_FIRST(unused, key, ...) (key)
#define pcs_enter heddle_pcs_enter
#define pcs_exit heddle_pcs_exit
#define set_base_time heddle_set_base_time
#define set_base_timeval heddle_set_base_timeval
#endif

#ifdef __cplusplus
}
#endif

#endif
