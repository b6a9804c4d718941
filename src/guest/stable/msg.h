/*
 * Messages of the runtime and the control block.  Started by heddle, messages go into the control
 * block, which heddle prints when the program has ended, or at once when they are urgent; preloaded
 * by hand, they go to standard error.  The runtime never writes on the program's descriptors when
 * heddle is around.
 *
 * A process that the program starts has a control block of its own, which nobody reads; its
 * messages go to heddle all the same, and when it ends, its hash and what it did beside the
 * schedule.
 */
#ifndef HEDDLE_RT_STABLE_MSG_H
#define HEDDLE_RT_STABLE_MSG_H

#include <stdbool.h>

#include "wire/stable.h"

extern struct stable_ctl *ctl; /* never NULL after msg_init() */

/* Maps the control block named by the settings, or a private one. */
void msg_init(const char *path);

/* True when heddle reads the control block. */
bool msg_has_host(void);

/* In the child of a fork: the block belongs to the parent; continue with a private one. */
void msg_fork_child(void);

/* The block belongs to this process, and not to one that it was copied or borrowed from. */
bool msg_is_mine(void);

/* At the end of a process that the program started: adds what it did to the totals. */
void msg_child_end(void);

/* Something happened beside the schedule, at pc. */
void msg_loose(enum stable_loose what, uintptr_t pc);

/* An invariant of the runtime does not hold: something happened beside the schedule. */
void msg_broken(const char *function, const char *invariant);

/* heddle prints what was said so far now. */
void msg_urgent(void);

/* Sets flags of the control block; writes only what is new, since all threads share the line. */
static inline void msg_flag(uint32_t flags)
{
	if ((ctl->flags & flags) != flags)
		__atomic_or_fetch(&ctl->flags, flags, __ATOMIC_RELAXED);
}

/* One line; dropped when the block is full. */
void msg_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
