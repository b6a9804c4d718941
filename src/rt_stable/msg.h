/*
 * Messages of the runtime and the control block.  Started by heddle, messages go into the control
 * block, which heddle prints when the program has ended; preloaded by hand, they go to standard
 * error.  The runtime never writes on the program's descriptors when heddle is around.
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

/* Sets flags of the control block; writes only what is new, since all threads share the line. */
static inline void msg_flag(uint32_t flags)
{
	if ((ctl->flags & flags) != flags)
		__atomic_or_fetch(&ctl->flags, flags, __ATOMIC_RELAXED);
}

/* One line; dropped when the block is full. */
void msg_say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
