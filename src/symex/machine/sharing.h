/*
 * What memory is shared: found by executing.
 *
 * Per byte it is kept which threads read and wrote it, and when: a thread's events are ordered
 * against another's by creation and joining alone.  A byte is shared when two threads touch it, one of them writing, and no such order lies between all the
 * accesses of the one and all of the other.  What was found shared stays shared in the next
 * execution; when an execution finds nothing new, it is the one that counts.
 */
#ifndef HEDDLE_SYMEX_SHARING_H
#define HEDDLE_SYMEX_SHARING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

struct sharing;

struct sharing *sharing_new(void);
void sharing_free(struct sharing *s);

/* A new execution: accesses are forgotten, what is shared is kept. */
void sharing_begin(struct sharing *s);
/* The thread begins; its creator (UINT32_MAX: none) had recorded `tix' events then. */
void sharing_fork(struct sharing *s, uint32_t thread, uint32_t parent, uint32_t tix);
/* The thread joined another after `tix' events of its own. */
void sharing_join(struct sharing *s, uint32_t thread, uint32_t joined, uint32_t tix);
void sharing_touch(struct sharing *s, uint32_t thread, uint32_t tix, uint64_t addr, uint64_t bytes,
		   bool write);
bool sharing_is(const struct sharing *s, uint64_t addr, uint64_t bytes);
/* Looks at what was touched; true when something new is shared. */
bool sharing_end(struct sharing *s);

#endif
