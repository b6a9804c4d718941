/*
 * Signals, under control.
 *
 * Masks, dispositions and pending signals belong to the model: the kernel's mask stays as it was,
 * and a signal that threads send to one another never reaches the kernel.  A handler runs in the
 * thread that the signal is for, under control, at the next point where the scheduler could have
 * taken that thread's turn; one that a thread sends to itself runs at once.  Waits that signals
 * break off end with EINTR.
 *
 * Signals from outside are caught and taken in at the next step of anybody.  Handlers for the
 * signals by which the runtime sees crashes are remembered and not installed.
 *
 * Where exactly a signal of another thread interrupts somebody is drawn by the scheduler like
 * everything else, but no search knows all the places: that is told with rt_unseen().
 */
#ifndef HEDDLE_RT_HOOK_SIGNALS_H
#define HEDDLE_RT_HOOK_SIGNALS_H

#include <signal.h>

#include "guest/check/sched/thread.h"

#define SIGNALS_ALL (~UINT64_C(0))

static inline uint64_t signals_bit(int number)
{
	return UINT64_C(1) << (number - 1);
}

/* The kernel's set is the front of the C library's. */
uint64_t signals_bits(const sigset_t *set);

/* Before the snapshot: what constructors installed. */
void signals_begin(void);
/* A run begins: main's mask. */
void signals_run_begin(void);

enum signal_action { SIGNAL_IGNORED, SIGNAL_HANDLED, SIGNAL_FATAL, SIGNAL_STOPS };
enum signal_action signals_action(int number);

/*
 * Sends a signal to a thread, or to the process, where one of the threads that do not block it or
 * that wait for it gets it.  When that is the current thread its handler has run afterwards.
 */
void signals_send(struct rt_thread *t, int number, uint64_t value, uint32_t site);
void signals_send_process(int number, uint64_t value, uint32_t site);
/* Takes a pending signal of the set, the lowest first; 0 when there is none. */
int signals_take(struct rt_thread *t, uint64_t set, siginfo_t *info);
/* Pending for the thread or for the process. */
uint64_t signals_pending(const struct rt_thread *t);

/*
 * Runs the handlers of what has reached the current thread; true when one of them says that the
 * call it interrupted is not to be begun again.
 */
bool signals_handle(void);
/* Sets the current thread's mask and delivers what is not blocked any more. */
void signals_set_mask(uint64_t blocked);
/* The current thread jumps out of handlers to where the stack pointer is sp. */
void signals_jump(uint64_t sp, bool restores_mask);

#endif
